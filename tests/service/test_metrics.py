"""What is exported, read as Prometheus reads it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from appliance import build
from appliance import events as ev
from appliance.audio import FRAME, RATE_HZ, Frame, silence
from appliance.build.parts import Parts
from appliance.doors import client, health
from appliance.records import AudioFacts, HeadName, Lane, Milliseconds, ModelUse, Step, TurnRecord
from appliance.service.metrics import Metrics
from appliance.service.states import State
from appliance.service.turn import Moments, Publish
from appliance.service.vitals import Vitals
from appliance.service.watcher import Watcher
from appliance.settings import Settings
from appliance.terminal.chat import quiet

Labels = dict[str, str]


class Clock:
    trusted, last_seen = True, None


class Box:
    def __init__(self, folder: Path) -> None:
        self.vitals, self.clock, self.sys = Vitals(), Clock(), folder / "sys"
        self.settings = Settings(state=folder)
        self.ends = {"watchdog": 2, "power": 1}
        self.metrics = Metrics(self.vitals, self.settings, self.clock, self.ends, self.sys)

    def value(self, name: str, **labels: str) -> float | None:
        found = [value for each, given, value in self.samples() if each == name and given == labels]
        return found[0] if found else None

    def samples(self) -> list[tuple[str, Labels, float]]:
        families = text_string_to_metric_families(self.metrics.text())
        return [(sample.name, sample.labels, sample.value) for family in families for sample in family.samples]

    def happen(self, *events: ev.Event) -> None:
        for event in events:
            self.metrics.watch(event, State.IDLE)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_ways_that_a_turn_took_are_counted_by_name(box: Box) -> None:
    for branches in (["facts", "left_out"], ["facts"], []):
        box.metrics.take(TurnRecord.model_validate({"turn": 1, "conversation": "c", "branches": branches}))
    assert box.value("va_branches_total", branch="facts") == 2
    assert box.value("va_branches_total", branch="left_out") == 1


@pytest.mark.parametrize(
    ("lane", "head", "label"),
    [
        ("fast", "", "sentence"),
        ("fast", "plan", "sentence"),
        ("plan", "plan", "plan"),
        ("plan", "talk", "talk"),
        ("plan", "world", "general"),
        ("plan", "", "plan"),
        ("loop", "plan", "loop"),
        ("none", "", "none"),
    ],
)
def test_stages_are_timed_by_lane(box: Box, lane: Lane, head: HeadName, label: str) -> None:
    box.metrics.take(TurnRecord(turn=1, conversation="c", lane=lane, head=head, ms=Milliseconds(first_audio=650)))
    assert box.value("va_stage_seconds_sum", stage="first_audio", lane=label) == 0.65
    assert box.value("va_stage_seconds_bucket", stage="first_audio", lane=label, le="0.4") == 0
    assert box.value("va_stage_seconds_bucket", stage="first_audio", lane=label, le="0.7") == 1
    assert box.value("va_stage_seconds_count", stage="stt", lane=label) is None, "a stage that did not run has no time"
    assert box.value("va_turns_total", lane=label, outcome="silent") == 1


def test_passes_and_tokens_are_counted_over_turns(box: Box) -> None:
    for _ in range(2):
        use = ModelUse(calls=2, prompt_tokens=900, fresh_tokens=40, generated_tokens=7)
        box.metrics.take(TurnRecord(turn=1, conversation="c", lane="plan", head="plan", model=use))
    assert box.value("va_model_passes_total") == 4
    assert box.value("va_model_fresh_tokens_total") == 80
    assert box.value("va_model_generated_tokens_total") == 14


WAKE, NOTHING = ev.WakeHeard(word="hey_jarvis"), ev.NothingHeard()
SAID, PRESSED = ev.UtteranceEnded(), ev.ButtonPressed()


@pytest.mark.parametrize(
    ("events", "false_starts"),
    [
        ([WAKE, NOTHING], 1),
        ([WAKE, NOTHING, WAKE, NOTHING], 2),
        ([WAKE, SAID, NOTHING], 0),  # nobody had more to say after the answer
        ([PRESSED, NOTHING], 0),
        ([WAKE, PRESSED, NOTHING], 0),
        ([WAKE, WAKE, NOTHING], 1),
    ],
)
def test_wake_word_after_which_nothing_was_said_is_a_false_start(
    box: Box, events: list[ev.Event], false_starts: int
) -> None:
    box.happen(*events)
    assert box.value("va_wakes_total") == events.count(WAKE)
    assert box.value("va_false_starts_total") == false_starts


def test_near_misses_are_counted_by_word_and_are_no_wakes(box: Box) -> None:
    box.happen(ev.WakeMissed(word="alexa", score=0.4), ev.WakeMissed(word="alexa", score=0.6))
    assert box.value("va_near_misses_total", word="alexa") == 2
    assert box.value("va_wakes_total") == 0


@pytest.mark.parametrize(
    ("wake_score", "heard", "false_starts"), [(0.7, "", 1), (None, "", 0), (0.7, "what time is it", 0)]
)
def test_so_is_one_behind_which_there_was_only_noise(
    box: Box, wake_score: float | None, heard: str, false_starts: int
) -> None:
    box.happen(WAKE, SAID)
    box.metrics.take(TurnRecord(turn=1, conversation="", heard=heard, audio=AudioFacts(wake_score=wake_score)))
    assert box.value("va_false_starts_total") == false_starts


def test_sound_that_was_lost_is_counted_and_a_microphone_that_opens_is_not(box: Box) -> None:
    hearing, at_s = box.vitals.hearing, 100.0
    for lost_s in (0.0, 0.0, 0.05, 0.5, 0.0, 2.0):
        at_s += FRAME / RATE_HZ + lost_s
        hearing.follow(Frame(silence(FRAME / RATE_HZ), at_s))
    assert box.value("va_audio_gaps_total") == 2
    assert box.value("va_wakes_left_total") == 0
    hearing.begin()
    hearing.follow(Frame(silence(FRAME / RATE_HZ), at_s + 60))
    assert box.value("va_audio_gaps_total") == 2


def test_restarts_bear_their_causes(box: Box) -> None:
    assert box.value("va_restarts_total", cause="watchdog") == 2
    assert box.value("va_restarts_total", cause="power") == 1


def test_what_is_known_is_looked_at_each_time(box: Box) -> None:
    assert (box.value("va_ready"), box.value("va_clock_trusted"), box.value("va_database_bytes")) == (0, 1, None)
    assert box.value("va_store_state", va_store_state="open") is None
    box.settings.database.write_bytes(b"x" * 4_096)
    box.settings.database.with_name("appliance.db-wal").write_bytes(b"x" * 100)
    box.vitals.microphone, box.vitals.timers = "open", 3
    box.vitals.store = {"open": False, "memory_only": True}
    box.clock.trusted = False
    assert (box.value("va_ready"), box.value("va_clock_trusted")) == (1, 0)
    assert (box.value("va_microphone_open"), box.value("va_muted"), box.value("va_timers")) == (1, 0, 3)
    assert (box.value("va_database_bytes"), box.value("va_wal_bytes")) == (4_096, 100)
    assert (box.value("va_disk_free_bytes") or 0) > 0
    assert box.value("va_store_state", va_store_state="memory_only") == 1
    assert box.value("va_store_state", va_store_state="open") == 0
    box.vitals.microphone = "closed"
    assert (box.value("va_microphone_open"), box.value("va_muted")) == (0, 1)


def test_heat_and_throttling_are_told_where_the_board_tells_them(box: Box) -> None:
    names = {name for name, _, _ in box.samples()}
    assert not names & {"va_temperature_celsius", "va_throttled"}
    zone = box.sys / "class/thermal/thermal_zone0/temp"
    flags = box.sys / "devices/platform/soc/soc:firmware/get_throttled"
    for file, text in ((zone, "61500\n"), (flags, "50004\n")):
        file.parent.mkdir(parents=True)
        file.write_text(text)
    assert box.value("va_temperature_celsius") == 61.5
    told = {
        (labels["reason"], labels["when"]) for name, labels, value in box.samples() if name == "va_throttled" and value
    }
    assert told == {("throttled", "now"), ("under_voltage", "since_start"), ("throttled", "since_start")}


def test_nobodys_words_are_among_them(box: Box) -> None:
    step = Step(kind="tool", tool="set_timer", arguments={"label": "canary"})
    box.metrics.take(
        TurnRecord(turn=1, conversation="canary", heard="canary", said="canary", steps=[step], lane="fast")
    )
    box.vitals.devices, box.vitals.missing = lambda: {"microphone": "canary"}, "canary"
    assert "canary" not in box.metrics.text()


def test_what_the_service_tells_reaches_them_and_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of a service that needs every model, one that has just had a turn."""
    published = list[TurnRecord]()

    @contextmanager
    def turned(
        parts: Parts, publish: Publish, vitals: Vitals, each_round: object, unmute: bool, watch: Watcher
    ) -> Iterator[None]:
        watch(WAKE, State.LISTENING)
        publish(TurnRecord(turn=1, conversation="c", lane="fast"), Moments())
        yield

    path = tmp_path / "api.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        monkeypatch.setattr(health, "passed_by_name", lambda environment: [("", listener.dup())])
        monkeypatch.setattr(Parts, "service", turned)
        with build.service(Settings(state=tmp_path), None, quiet, lambda record, moments: published.append(record)):
            told = (client.read("/metrics", path) or "").splitlines()
    assert {"va_wakes_total 1.0", 'va_turns_total{lane="sentence",outcome="silent"} 1.0'} <= {*told}
    assert len(published) == 1
