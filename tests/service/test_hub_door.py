"""The hub's socket in the whole service, whose model is canned: what is asked, told, refused and ended."""

from __future__ import annotations

import base64
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from hub_socket import PATIENCE_S, Hub

from appliance import build
from appliance import events as ev
from appliance.audio import RATE_HZ
from appliance.build import hubbed
from appliance.build.typed import TypedParts, typed_parts
from appliance.doors.hub import CONNECTIONS_MOST, REQUESTS_MOST, SLOW
from appliance.ports.hub import ARGUMENTS, LINE_BYTES
from appliance.records import TurnRecord
from appliance.service import pairing
from appliance.service.loop import Service
from appliance.service.muting import MUTED
from appliance.service.turn import Moments
from appliance.service.vitals import Vitals
from appliance.settings import Memory, Settings, Thought
from appliance.simulated import CannedModel

SHOW = {
    "type": "function",
    "function": {
        "name": "show_photo",
        "description": "Show a photo on the screen.",
        "parameters": {"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]},
        "strict": True,
    },
}
CAT = "show me a photo of the cat on that screen"
TALK = "good evening to you my dear box"


class Running:
    def __init__(
        self,
        parts: TypedParts,
        model: CannedModel,
        path: Path,
        records: list[TurnRecord],
        service: Service,
        said: list[str],
    ) -> None:
        self.parts, self.model, self.path, self.records, self.service = parts, model, path, records, service
        self.said = said

    def until(self, true: Any) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < ends_s
            time.sleep(0.01)

    def busy(self) -> Event:
        """The thread that thinks does nothing else until that is set."""
        free, began = Event(), Event()

        def work() -> None:
            began.set()
            free.wait(PATIENCE_S)

        self.parts.turns.between(work)
        assert began.wait(PATIENCE_S)
        return free


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    settings = Settings(
        state=tmp_path / "state",
        models=tmp_path / "none",
        thought=Thought(deadline_s=PATIENCE_S),
        memory=Memory(final_step=False),
    )
    settings.state.mkdir()
    model, records, vitals = CannedModel(), list[TurnRecord](), Vitals()
    listener, for_speech = (socket.socket(socket.AF_UNIX) for _ in range(2))
    for each, name in ((listener, "hub.sock"), (for_speech, "speech.sock")):
        each.bind(str(tmp_path / name))
        each.listen()

    def publish(record: TurnRecord, moments: Moments) -> None:
        records.append(record)

    said = list[str]()
    with typed_parts(settings, build.clock(settings), said.append, 0.01) as parts, ExitStack() as stack:
        vars(parts)["llm"] = model
        ended, watch = hubbed.opened([listener], parts, vitals, publish, stack, [for_speech])
        service = stack.enter_context(parts.service(ended, vitals, watch=watch))
        loop = Thread(target=service.run, daemon=True)
        loop.start()
        yield Running(parts, model, tmp_path / "hub.sock", records, service, said)
        service.stop()
        loop.join(PATIENCE_S)


@pytest.fixture
def hub(running: Running) -> Iterator[Hub]:
    with Hub(running.path) as made:
        yield made


def test_a_line_is_answered_clause_by_clause(running: Running, hub: Hub) -> None:
    running.model.more("say Good evening. It is nice to hear you again.")
    hub.ask("start", conversation="one", channel="satellite", person="", room="kitchen")
    number = hub.send("turn", conversation="one", text=TALK)
    answer = hub.end(number)["is"]
    assert [each["text"] for each in hub.told[number]] == ["Good evening.", "It is nice to hear you again."]
    assert (answer["said"], answer["stop_reason"]) == ("Good evening. It is nice to hear you again.", "complete")
    assert answer["record"]["channel"] == "satellite"
    running.until(lambda: [record.heard for record in running.records] == [TALK])


def test_a_tool_of_the_client_runs_there_and_the_turn_goes_on(running: Running, hub: Hub) -> None:
    running.model.more('show_photo(subject="cat")', "say There it is.")
    hub.ask("start", conversation="one", tools=[SHOW])
    first = hub.ask("turn", conversation="one", text=CAT)
    assert first["stop_reason"] == "tool_calls"
    (call,) = first["calls"]
    assert (call["name"], call["arguments"]) == ("show_photo", {"subject": "cat"})
    results = [{"id": call["id"], "success": True, "message": "shown", "context": {"at": [1, 2]}}]
    assert hub.ask("continue", conversation="one", results=results)["said"] == "There it is."
    with pytest.raises(LookupError, match="answered"):
        hub.ask("continue", conversation="one", results=results)


def test_while_a_device_works_the_box_and_others_are_served(running: Running, hub: Hub) -> None:
    """The thread that thinks waits for no device."""
    running.model.more('show_photo(subject="cat")', "say Good evening.", "say There it is.")
    hub.ask("start", conversation="one", tools=[SHOW])
    (call,) = hub.ask("turn", conversation="one", text=CAT)["calls"]
    with Hub(running.path) as other:
        other.ask("start", conversation="two")
        assert other.ask("turn", conversation="two", text=TALK)["said"] == "Good evening."
        command = other.ask("command", skill="lists", words=["add", "shopping", "milk"], may_act=True)
        assert command["said"] == "I put milk on the shopping list."
    assert hub.ask("continue", conversation="one", results=[{"id": call["id"]}])["said"] == "There it is."


def test_a_sentence_that_needs_no_model_is_done_at_once_and_asked_about_where_it_lacks(hub: Hub) -> None:
    hub.ask("start", conversation="one")
    asked = hub.ask("turn", conversation="one", text="set an alarm")
    assert (asked["stop_reason"], asked["options"]) == ("validation_required", [])
    assert asked["question"] == asked["said"] == "For when should the alarm be?"
    assert hub.ask("continue", conversation="one", answer="at six in the morning")["said"].startswith(
        "Alarm set for 6 AM"
    )
    with pytest.raises(LookupError, match="not_asked"):
        hub.ask("continue", conversation="one", answer="at six in the morning")


def test_what_is_refused_is_refused_by_its_kind(hub: Hub) -> None:
    for do, arguments, kind in (
        ("turn", {"conversation": "none", "text": "hello"}, "no_conversation"),
        ("turn", {"conversation": "one"}, "bad_request"),
        ("start", {"conversation": "one", "channel": "cellar"}, "bad_request"),
        ("start", {"conversation": "one", "tools": [SHOW] * 33}, "bad_request"),
        ("start", {"conversation": "one", "channel": "guest", "tools": [SHOW]}, "not_allowed"),
        ("end", {"conversation": "none"}, "no_conversation"),
        ("command", {"skill": "cellar", "may_act": True}, "bad_request"),
        ("command", {"skill": "lists", "words": ["add", "shopping", "milk"], "may_act": False}, "bad_request"),
        ("command", {"skill": "lists", "words": ["add", "shopping", "milk"]}, "bad_request"),
        ("transcribe", {"pcm": "???"}, "bad_request"),
        ("announce", {"text": ""}, "bad_request"),
    ):
        with pytest.raises(LookupError, match=kind):
            hub.ask(do, **arguments)
    hub.ask("start", conversation="one")
    with pytest.raises(LookupError, match="bad_request"):
        hub.ask("turn", conversation="one", text="x" * 2_001)


def test_a_refusal_says_what_to_do(hub: Hub) -> None:
    told = hub.end(hub.send("turn", conversation="none", text="hello"))
    assert told == {
        "id": 1,
        "error": "there is no such conversation",
        "remedy": "start a conversation, and say it again",
        "code": 2,
        "kind": "no_conversation",
    }


def test_a_stop_ends_the_turn_that_runs(running: Running, hub: Hub) -> None:
    running.model.hangs_once()
    hub.ask("start", conversation="one")
    turn = hub.send("turn", conversation="one", text=TALK)
    running.until(lambda: running.model.prompts)
    hub.ask("stop", conversation="one")
    answer = hub.end(turn)["is"]
    assert (answer["said"], answer["record"]["outcome"]) == ("", "stopped")


def test_a_stop_drops_the_turn_that_rests(running: Running, hub: Hub) -> None:
    running.model.more('show_photo(subject="cat")')
    hub.ask("start", conversation="one", tools=[SHOW])
    (call,) = hub.ask("turn", conversation="one", text=CAT)["calls"]
    hub.ask("stop", conversation="one")
    with pytest.raises(LookupError, match="no_call"):
        hub.ask("continue", conversation="one", results=[{"id": call["id"]}])


def test_what_says_nothing_in_time_is_told_as_failed(running: Running, hub: Hub) -> None:
    running.parts.settings = running.parts.settings.model_copy(update={"thought": Thought(deadline_s=1)})
    running.model.hangs_once()
    hub.ask("start", conversation="one")
    with pytest.raises(LookupError, match="failed"):
        hub.ask("turn", conversation="one", text=TALK)


def test_where_the_hub_hangs_up_its_turn_ends(running: Running) -> None:
    running.model.hangs_once("say Hello.")
    with Hub(running.path) as first:
        first.ask("start", conversation="one")
        first.send("turn", conversation="one", text=TALK)
        running.until(lambda: running.model.prompts)
    with Hub(running.path) as second:
        assert second.ask("turn", conversation="one", text=TALK)["said"] == "Hello."


def test_more_than_can_wait_is_busy_and_the_rest_is_done(running: Running, hub: Hub) -> None:
    free = running.busy()
    numbers = [hub.send("start", conversation=f"c{number}") for number in range(REQUESTS_MOST + 4)]
    refused = [hub.end(number) for number in numbers[REQUESTS_MOST:]]
    assert {each.get("kind") for each in refused} == {"busy"}
    assert hub.end(hub.send("status"))["kind"] == "busy"
    free.set()
    assert all("is" in hub.end(number) for number in numbers[:REQUESTS_MOST])
    assert hub.ask("status")["state"]


def test_the_status_is_told_while_it_thinks(running: Running, hub: Hub) -> None:
    free = running.busy()
    told = hub.ask("status")
    assert told["state"] in ("idle", "starting")
    assert told["status"]["state"] == told["state"]
    free.set()


@pytest.mark.parametrize(
    "line",
    [b"nonsense\n", b"[]\n", b'{"id": 1, "do": "dance"}\n', b'{"id": 0, "do": "status"}\n', b"x" * (LINE_BYTES + 9)],
)
def test_what_no_hub_says_ends_the_connection_and_no_other(running: Running, line: bytes) -> None:
    with Hub(running.path) as good:
        bad = Hub(running.path)
        bad.raw(line)
        with pytest.raises(ConnectionError):
            bad.read()
        assert good.ask("status")


def test_so_many_may_connect(running: Running) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(Hub(running.path)) for _ in range(CONNECTIONS_MOST)]
        assert all(each.ask("status") for each in many)
        with pytest.raises(ConnectionError):
            Hub(running.path).ask("status")


def test_whoever_watches_is_told_of_turns_through_every_door(running: Running, hub: Hub) -> None:
    running.model.more("say Good evening.", "say Of course.")
    with Hub(running.path) as page:
        watch = page.send("watch")
        page.ask("start", conversation="two")
        hub.ask("start", conversation="one")
        hub.ask("turn", conversation="one", text=TALK)
        hub.ask("turn", conversation="one", text="between you and me i took the last of the old cheese")
        running.parts.ears.type("what time is it")

        def records() -> list[dict[str, Any]]:
            return [each["record"] for each in page.told.get(watch, []) if each["event"] == "turn"]

        while len(records()) < 3:
            page.read()
        assert [each["heard"] for each in records()] == [TALK, "", "what time is it"]
        assert [each["channel"] for each in records()] == ["satellite", "satellite", "voice"]
        states = [each["state"] for each in page.told[watch] if each["event"] == "state"]
        assert "thinking" in states


def test_whoever_watches_is_told_no_words_of_a_turn_in_private_mode(running: Running, hub: Hub) -> None:
    watch = hub.send("watch")
    running.parts.private.begin()
    try:
        hub.ask("start", conversation="one")
        hub.ask("turn", conversation="one", text="what time is it")
        while not (records := [each["record"] for each in hub.told.get(watch, []) if each["event"] == "turn"]):
            hub.read()
    finally:
        running.parts.private.end()
    assert [(each["heard"], each["said"]) for each in records] == [("", "")]


def test_a_ring_is_told(running: Running, hub: Hub) -> None:
    watch = hub.send("watch")
    hub.ask("start", conversation="one")
    hub.ask("turn", conversation="one", text="set a timer for 1 second")
    while not any(each["event"] == "ring" and each["rings"] for each in hub.told.get(watch, [])):
        hub.read()


def test_silence_ends_a_ring_while_the_thread_that_thinks_is_busy(running: Running, hub: Hub) -> None:
    watch = hub.send("watch")
    hub.ask("start", conversation="one")
    hub.ask("turn", conversation="one", text="set a timer for 1 second")

    def rang(rings: bool) -> bool:
        return any(each["event"] == "ring" and each["rings"] is rings for each in hub.told.get(watch, []))

    while not rang(True):
        hub.read()
    free = running.busy()
    assert hub.ask("silence") == {}
    while not rang(False):
        hub.read()
    assert not free.is_set()
    free.set()
    assert hub.ask("command", skill="timers", may_act=False)["rows"] == []


def test_mute_and_volume_wait_for_no_turn(running: Running, hub: Hub) -> None:
    vars(running.parts)["_mute"] = running.service.mute  # as where a button was felt
    running.until(lambda: hub.ask("status")["status"]["microphone"] == "open")
    free = running.busy()
    commands = [hub.send("command", skill="timers", may_act=False) for _ in range(SLOW - 1)]
    assert hub.ask("choose", changes={"volume": 30})["values"]["volume"] == 30
    commands.append(hub.send("command", skill="timers", may_act=False))
    assert hub.ask("mute") == {}
    told = hub.ask("status")
    assert (told["state"], told["status"]["microphone"], free.is_set()) == ("muted", "closed", False)
    free.set()
    assert all("is" in hub.end(number) for number in commands)
    assert hub.ask("mute") == {}, "once more, and it stays closed"
    assert running.parts.mute.get(MUTED) == "yes"


def test_what_no_button_opens_again_is_not_muted_from_elsewhere(running: Running, hub: Hub) -> None:
    told = hub.end(hub.send("mute"))
    assert (told["kind"], "no button" in told["error"], "button" in told["remedy"]) == ("not_allowed", True, True)
    running.until(lambda: hub.ask("status")["status"]["microphone"] == "open")


def test_a_device_is_let_in_by_the_button_once_its_name_was_said(
    running: Running, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing.ButtonPairing.admit, "__defaults__", (0.0,))
    running.until(lambda: hub.ask("status")["state"] == "idle")
    told = hub.end(hub.send("admit", name="tablet"))
    assert (told["kind"], "hold it for 2 s" in told["remedy"]) == ("not_allowed", True)
    running.service.post(ev.PairingAsked())
    running.until(lambda: any("one new device may come in" in each for each in running.said))
    assert not any("tablet" in each for each in running.said)
    free = running.busy()
    assert hub.ask("admit", name="tablet") == {}
    assert any("This device comes in: tablet." in each for each in running.said)
    free.set()
    assert hub.end(hub.send("admit", name="tablet-2"))["kind"] == "not_allowed"


def test_nobody_comes_in_where_the_name_is_not_heard(running: Running, hub: Hub) -> None:
    running.until(lambda: hub.ask("status")["state"] == "idle")
    running.parts.volume.set(0)
    running.service.post(ev.PairingAsked())
    running.until(lambda: running.parts.pairing and running.parts.pairing.open)
    assert "error" in hub.end(hub.send("admit", name="tablet"))


def test_sound_becomes_text_and_text_sound(running: Running, hub: Hub) -> None:
    pcm = base64.b64encode(np.zeros(RATE_HZ, np.int16).tobytes()).decode()
    assert hub.ask("transcribe", pcm=pcm) == {"text": ""}
    number = hub.send("speak", text="Good evening. It is six.")
    assert hub.end(number)["is"] == {}
    pieces = hub.told[number]
    assert {each["event"] for each in pieces} == {"audio"}
    assert len(base64.b64decode(pieces[0]["pcm"])) > 100
    assert pieces[0]["rate"] >= 8_000


def test_at_the_socket_for_speech_words_are_written_down_and_spoken_and_nothing_else(running: Running) -> None:
    pcm = base64.b64encode(np.zeros(RATE_HZ, np.int16).tobytes()).decode()
    others: dict[str, dict[str, Any]] = {
        "start": {"conversation": "one"},
        "turn": {"conversation": "one", "text": TALK},
        "continue": {"conversation": "one", "answer": "yes"},
        "stop": {"conversation": "one"},
        "end": {"conversation": "one"},
        "command": {"skill": "lists", "words": ["add", "shopping", "milk"], "may_act": True},
        "status": {},
        "announce": {"text": "Dinner is ready"},
        "silence": {},
        "mute": {},
        "admit": {"name": "stranger"},
        "settings": {},
        "choose": {"changes": {"place": "Ulm"}},
        "skills": {},
        "switch": {"skill": "lists", "on": False},
        "restart": {},
        "examine": {},
        "satellite": {"name": "nobody"},  # of a box that is none
        "host": {"turn": 1, "what": "alive"},
    }
    assert others.keys() | {"transcribe", "speak", "watch"} == ARGUMENTS.keys()
    with Hub(running.path) as hub, Hub(running.path.with_name("speech.sock")) as speech:
        hub.ask("start", conversation="one")
        watch = speech.send("watch")
        for do, arguments in others.items():
            with pytest.raises(LookupError, match="not_allowed"):
                speech.ask(do, **arguments)
        hub.ask("turn", conversation="one", text="what time is it")
        assert speech.ask("transcribe", pcm=pcm) == {"text": ""}
        assert speech.ask("speak", text="Good evening.") == {}
        assert watch not in speech.told, "it is told of no turn"
        assert not [record for record in running.records if record.heard == TALK]


def test_an_announcement_is_said_on_the_box(running: Running, hub: Hub) -> None:
    running.until(lambda: hub.ask("status")["state"] == "idle")
    assert hub.ask("announce", text="Dinner is ready") == {}


def test_the_end_of_the_service_is_told_to_whoever_waits(running: Running, hub: Hub) -> None:
    free = running.busy()
    hub.send("start", conversation="one")
    second = hub.send("start", conversation="two")
    time.sleep(0.2)
    running.parts.turns.close()
    told = hub.end(second)
    assert (told["kind"], told["error"]) == ("failed", "the service is ending")
    free.set()
