"""What a box tells the page, in the shapes of ports/, records.py, terminal/check.py and models/registry.py."""

from __future__ import annotations

from typing import Any

from appliance.hub.wifi import Network
from appliance.ports.owner import OneModel, OwnSettings, OwnSkill
from appliance.records import Milliseconds, Step, TurnRecord
from appliance.terminal.check import Check

Row = dict[str, Any]

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"

TURNS: list[Row] = [
    TurnRecord(
        turn=41,
        conversation="c1",
        heard="a pasta timer for eight minutes and the time in Tokyo",
        lane="fast",
        steps=[
            Step(kind="tool", tool="set_timer", arguments={"minutes": 8, "label": "pasta"}, effect="act", ms=9),
            Step(kind="tool", tool="get_time", arguments={"place": "Tokyo"}, effect="read", outcome="error", ms=2),
        ],
        said="Pasta timer set for 8 minutes. It is 4:20 AM in Tokyo.",
        outcome="said",
        ms=Milliseconds(endpoint=420, stt=310, plan=25, tools=11, first_audio=905, total=4_200),
    ).model_dump(mode="json"),
    TurnRecord(
        turn=42,
        conversation="c1",
        channel="chat",
        heard=HOSTILE,
        lane="plan",
        said="I do not know what that means.",
        outcome="said",
        ms=Milliseconds(recall=4, plan=1_350, first_token=600, total=1_600),
    ).model_dump(mode="json"),
]

FACTS: list[Row] = [
    {"id": 7, "text": "The dentist is called Dr Wren", "kind": "user", "at": "2026-11-27T18:04:00+01:00"},
    {"id": 5, "text": "Temperatures are wanted in Celsius", "kind": "rule", "at": "2026-11-20T08:00:00+01:00"},
    {"id": 3, "text": "The spare key hangs behind the boiler", "kind": "world", "at": "2026-11-02T21:15:00+01:00"},
]
REASONS: dict[int, Row] = {
    7: {
        "text": "The dentist is called Dr Wren",
        "at": "2026-11-27T18:04:00+01:00",
        "sources": [
            {"at": "2026-11-27T18:04:00+01:00", "heard": "no, my dentist is Dr Wren", "said": "I have corrected that."}
        ],
        "history": [{"at": "2026-10-01T09:00:00+02:00", "text": "The dentist is called Dr Finch"}],
    },
    5: {"text": "Temperatures are wanted in Celsius", "at": "2026-11-20T08:00:00+01:00", "sources": [], "history": []},
}
SETTINGS: Row = OwnSettings(
    values={
        "language": "en",
        "place": "Utrecht, Netherlands",
        "timezone": "Europe/Amsterdam",
        "wake_word": "hey_jarvis",
        "volume": 60,
        "speed": 1.0,
        "quiet_from": "22:00:00",
        "quiet_until": None,
        "cues": True,
        "ring_sound": "chime",
        "follow_up_s": 3.0,
    },
    choices={
        "wake_word": ["alexa", "hey_jarvis"],
        "language": ["de", "en"],
        "ring_sound": ["chime", "bell", "gong", "birds"],
    },
    fixed=[],
    waits=[],
    set_up=True,
    taken_back=False,
    restarts=True,
).model_dump(mode="json")
SKILLS: list[Row] = [
    OwnSkill(name=name, about=about, on=on, missing=missing, fixed=fixed, waits=False).model_dump(mode="json")
    for name, about, on, missing, fixed in (
        ("timers", "timers", True, "", False),
        ("weather", "the weather", True, "I know no weather station.", False),
        ("later", "do things later", False, "", False),
        ("web", "search the web", False, "", True),
    )
]
NETWORKS: list[Row] = [
    Network(name=name, signal=signal, kind=kind, joined=joined).model_dump()
    for name, signal, kind, joined in (
        ("Old house", 61, "password", True),
        (HOSTILE[:30], 48, "open", False),
        (" New house ", 80, "password", False),
        ("Office", 30, "other", False),
    )
]
CHECKS: list[Row] = [
    Check("profile", True, "pi5, as this board suggests").as_dict(),
    Check("speaker", False, "there is no device", "plug in a speaker").as_dict(),
    Check("database", True, "3 copies, the newest of today").as_dict(),
]
INSTALLED: Row = {
    "version": "0.1.0",
    "release": "0.1.0-aarch64",
    "previous": "0.0.9-aarch64",
    "models": [
        OneModel(
            name="qwen2.5-coder-1.5b", role="llm", bytes=1_117_320_768, state="here", what="", hashed_at="2026-11-27"
        ).model_dump(),
        OneModel(
            name="whisper-base",
            role="stt",
            bytes=147_951_465,
            state="damaged",
            what="whisper-base is damaged; run: make models",
            hashed_at="",
        ).model_dump(),
    ],
}
