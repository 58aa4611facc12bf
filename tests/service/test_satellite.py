"""The box as a satellite, at the core's socket: what its host is told and when, and what comes of its silence."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hub_socket import Hub
from satellite_box import PATIENCE_S, SatelliteBox, satellite_box

from appliance import events as ev
from appliance.audio import FRAME, Samples, of_text
from appliance.ports.satellite import ALIVE_S, SILENT_S
from appliance.service.states import State

TIME, TIME_SAID = "what time is it", "It is "
GONE = "Home Assistant does not answer, so I answer myself."
UNKNOWN = "Home Assistant has broken off, and I do not know whether it was done."
STEP_S = 1.5
"""Longest that anything else takes on a machine that does other things as well."""


class Host:
    """The end of the socket that thinks."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._number = hub.send("satellite", name="test")
        self._seen = 0

    def told(self, event: str) -> dict[str, Any]:
        """The next one of that kind; those before it are passed over."""
        ends_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_s:
            for each in self.hub.told.get(self._number, [])[self._seen :]:
                self._seen += 1
                if each["event"] == event:
                    return each
            self.hub.read()
        raise AssertionError(event)

    @property
    def sound(self) -> Samples:
        """All that it was sent."""
        pieces = [of_text(each["pcm"]) for each in self.hub.told.get(self._number, []) if each["event"] == "sound"]
        return np.concatenate([np.zeros(0, np.int16), *pieces])

    def says(self, turn: int, what: str, **more: Any) -> None:
        self.hub.ask("host", turn=turn, what=what, **more)

    def answers(self, turn: int, words: str, answer: str, sound: Samples) -> None:
        self.says(turn, "words", text=words)
        self.says(turn, "answer", text=answer)
        for piece in np.array_split(sound, 3):
            self.says(turn, "sound", pcm=base64.b64encode(piece.tobytes()).decode(), rate=22_050)
        self.says(turn, "end")

    def called(self) -> int:
        return int(self.told("called")["turn"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SatelliteBox]:
    with satellite_box(tmp_path_factory.mktemp("box")) as made:
        yield made


@pytest.fixture
def box(whole: SatelliteBox) -> SatelliteBox:
    whole.rest()
    return whole


@pytest.fixture
def host(box: SatelliteBox) -> Iterator[Host]:
    with Hub(box.path, PATIENCE_S) as hub:
        made = Host(hub)
        box.until(lambda: box.parts.host_now.there, "a host")
        yield made


TONE = np.full(22_050 // 2, 5_000, dtype=np.int16)
"""Half a second."""


def test_what_follows_the_wake_word_is_sent_and_its_answer_played(box: SatelliteBox, host: Host) -> None:
    woken = box.wake()
    called = host.told("called")
    assert called["word"] == "hey_jarvis"
    for _ in range(5):
        host.told("sound")
    box.says("put milk on the list")
    host.told("quiet")
    host.answers(called["turn"], "put milk on the list", "Added milk.", TONE)
    assert host.told("over")["answered"]
    box.reaches(State.IDLE)
    numbers = host.sound[::FRAME]
    assert (np.diff(numbers) == 1).all(), "no frame is lost or told twice"
    assert woken < numbers[0] <= woken + 2, "it begins right behind the wake word"
    assert box.played().tolist() == TONE.tolist()
    record = box.record()
    assert (record.heard, record.said, record.lane, record.outcome) == (
        "put milk on the list",
        "Added milk.",
        "host",
        "said",
    )
    assert record.ms.first_audio is not None
    assert box.said == [], "the box has said nothing itself"


def test_nothing_is_sent_but_in_a_turn(box: SatelliteBox, host: Host) -> None:
    begun = box.parts.counting.heard
    box.until(lambda: box.parts.counting.heard > begun + 10, "frames")
    assert len(host.sound) == 0
    box.wake()
    turn = host.called()
    host.told("sound")
    box.service.post(ev.NothingHeard(turn))
    assert not host.told("over")["answered"]
    sent = len(host.sound)
    begun = box.parts.counting.heard
    box.until(lambda: box.parts.counting.heard > begun + 10, "frames")
    host.says(turn, "alive")  # what was sent before is read by now
    assert len(host.sound) == sent


@pytest.mark.parametrize("event", [ev.MuteToggled(), ev.ButtonPressed()])
def test_mute_and_the_button_end_it_at_once(box: SatelliteBox, host: Host, event: ev.Event) -> None:
    box.wake()
    turn = host.called()
    host.told("sound")
    box.service.post(event)
    box.until(lambda: box.service.state is not State.LISTENING, "another state")
    last = box.parts.counting.heard
    assert not host.told("over")["answered"]
    assert host.sound[-1] <= last + 1, "the frame that was being read is the last one"
    host.answers(turn, "turn off", "Done.", TONE)
    assert len(box.played()) == 0, "what comes too late is not played"
    if isinstance(event, ev.MuteToggled):
        assert box.service.state is State.MUTED


def test_the_host_may_hear_the_end_first(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    host.told("sound")
    host.says(turn, "heard")
    box.reaches(State.THINKING)
    host.told("quiet")
    host.answers(turn, "hello", "Good evening.", TONE)
    assert host.told("over")["answered"]


def test_nobody_needs_to_hear_silence_twice(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says("mumble mumble mumble")
    host.says(turn, "nothing")
    box.reaches(State.IDLE)
    assert box.record().outcome == "silent"
    assert box.said == []


def test_a_host_that_dies_while_somebody_speaks_is_told_of_and_the_box_answers(box: SatelliteBox) -> None:
    with Hub(box.path, PATIENCE_S) as hub:
        host = Host(hub)
        box.until(lambda: box.parts.host_now.there, "a host")
        box.wake()
        host.called()
        host.told("sound")
    box.until(lambda: not box.parts.host_now.there, "no host")
    ended_s = time.monotonic()
    box.says(TIME)
    box.until(lambda: GONE in box.said, "the truth")
    assert time.monotonic() - ended_s < STEP_S
    assert TIME_SAID in box.record().said
    box.reaches(State.FOLLOW_UP)
    box.reaches(State.FOLLOW_UP)
    box.wake()
    box.says(TIME)
    assert TIME_SAID in box.record().said
    assert box.said.count(GONE) == 1, "it is said once"


def test_a_host_that_hangs_is_told_of_within_a_second_and_the_box_answers(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    host.says(turn, "alive")
    alive_s = time.monotonic()
    box.says(TIME)
    box.until(lambda: GONE in box.said, "the truth")
    assert SILENT_S / 2 < time.monotonic() - alive_s < SILENT_S + STEP_S
    assert TIME_SAID in box.record().said
    assert not host.told("over")["answered"]


def test_a_host_that_shows_life_may_take_its_time(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says(TIME)
    ends_s = time.monotonic() + 2 * SILENT_S
    while time.monotonic() < ends_s:
        host.says(turn, "alive")
        time.sleep(ALIVE_S)
    host.answers(turn, TIME, "It is noon.", TONE)
    assert host.told("over")["answered"]
    assert box.said == []


def test_what_a_lost_host_may_have_done_is_not_done_again(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says("put milk on the list")
    host.says(turn, "words", text="put milk on the list")
    box.until(lambda: UNKNOWN in box.said, "the truth")
    record = box.record()
    assert (record.lane, record.outcome, record.said) == ("host", "error", "")
    assert GONE not in box.said


def test_an_answer_that_breaks_off_is_told_of(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says("tell me a story")
    host.says(turn, "words", text="tell me a story")
    host.says(turn, "sound", pcm=base64.b64encode(TONE.tobytes()).decode(), rate=22_050)
    box.until(lambda: UNKNOWN in box.said, "the truth")
    assert len(box.played()) >= len(TONE), "what had come was heard"


def test_a_host_that_cannot_hear_leaves_it_to_the_box(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says(TIME)
    host.says(turn, "failed", text="no speech to text is set")
    assert TIME_SAID in box.record().said
    assert box.said[0] == GONE


def test_stop_and_a_new_call_cut_its_answer_short(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says("tell me a story")
    host.says(turn, "words", text="tell me a story")
    long = np.full(22_050 * 3, 5_000, dtype=np.int16)
    host.says(turn, "sound", pcm=base64.b64encode(long.tobytes()).decode(), rate=22_050)
    host.says(turn, "end")
    box.reaches(State.SPEAKING)
    box.service.post(ev.StopHeard(turn))
    box.reaches(State.IDLE)
    assert not host.told("over")["answered"]
    box.until(lambda: len(box.played()) > 0, "what was heard")
    assert len(box.played()) < len(long)
    assert box.record().outcome == "stopped"
    box.wake()
    assert host.called() > turn


def test_a_bare_stop_is_the_boxs_own(box: SatelliteBox, host: Host) -> None:
    box.wake()
    host.called()
    box.says("stop")
    assert not host.told("over")["answered"]
    box.reaches(State.IDLE)


def test_one_host_at_a_time(box: SatelliteBox, host: Host) -> None:
    with Hub(box.path, PATIENCE_S) as other:
        with pytest.raises(LookupError, match="busy"):
            other.ask("satellite", name="another")
        assert other.ask("host", turn=7, what="words", text="x") == {}, "nothing comes of what nobody has asked for"
    box.wake()
    host.called()


def test_timers_of_the_host_ring_as_the_boxs_own(box: SatelliteBox, host: Host) -> None:
    host.says(0, "timer", text="tea", seconds=300)
    box.reaches(State.RINGING)
    box.until(lambda: any("tea" in each for each in box.said), "its name")
    box.service.post(ev.StopHeard(box.turn))
    box.reaches(State.IDLE)


def test_own_timers_ring_while_the_host_speaks(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says("tell me a story")
    host.answers(turn, "tell me a story", "Once.", np.full(22_050, 5_000, dtype=np.int16))
    host.says(0, "timer", text="eggs", seconds=60)
    box.reaches(State.RINGING)
    assert any("eggs" in each for each in box.said)


def test_nonsense_is_refused_and_the_turn_goes_on(box: SatelliteBox, host: Host) -> None:
    box.wake()
    turn = host.called()
    box.says(TIME)
    for bad in ({"what": "sound", "pcm": "%%%"}, {"what": "dance"}, {"what": "sound", "pcm": "AA==", "rate": 1}):
        with pytest.raises(LookupError, match="bad_request"):
            host.hub.ask("host", turn=turn, **bad)
    host.answers(turn, TIME, "Noon.", TONE)
    assert host.told("over")["answered"]


def test_while_nothing_is_to_be_kept_nothing_leaves(box: SatelliteBox, host: Host) -> None:
    box.parts.private.begin()
    box.wake()
    box.says(TIME)
    assert TIME_SAID in box.record().said
    assert len(host.sound) == 0
    assert GONE not in box.said


def test_a_box_that_is_no_satellite_lets_nobody_hear(tmp_path: Path) -> None:
    with satellite_box(tmp_path, satellite_of="") as box, Hub(box.path, PATIENCE_S) as hub:
        for do, more in (("satellite", {"name": "x"}), ("host", {"turn": 0, "what": "timer"})):
            with pytest.raises(LookupError, match="not_allowed"):
                hub.ask(do, **more)
