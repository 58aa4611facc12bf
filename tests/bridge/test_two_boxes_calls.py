"""Two whole services in one house, each with its bridge: one calls the other, and each is heard there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from test_boxes import House
from typed_service import Running, running

from appliance import events as ev
from appliance.build.typed import TypedParts
from appliance.ports import SoundCard
from appliance.service import call_turns, calls
from appliance.service.states import IN_CALL, State
from appliance.simulated import RecordingSpeaker

NAMES = ("attic", "bath")


class Home:
    """Two boxes, and the loudspeaker of each."""

    def __init__(self, folder: Path, stack: ExitStack, speakers: dict[str, RecordingSpeaker]) -> None:
        self.house, self._speakers = House(folder, NAMES, stack), speakers
        self.boxes = dict[str, Running]()
        for name in NAMES:
            self.house.start(name)
            (state := folder / name).mkdir()
            tables = {"boxes": self.house.settings(name), "bridge": {"socket": folder / f"{name}.sock"}}
            self.boxes[name] = stack.enter_context(running(state, **tables))
        self.attic, self.bath = self.boxes["attic"], self.boxes["bath"]
        for box in self.boxes.values():
            others = box.parts.others
            assert others
            assert box.comes(lambda others=others: others.present)  # type: ignore[misc]
            assert self.rests(box)

    def heard(self, name: str) -> list[str]:
        """The words whose sound its loudspeaker has played: letters, as `simulated.typed.as_sound` has them."""
        played = [speech.samples for _, speech in list(self._speakers[name].played)]
        return ["".join(map(chr, samples)) for samples in played if len(samples) and min(samples) >= ord(" ")]

    def forget(self) -> None:
        for name, box in self.boxes.items():
            assert self.rests(box)
            box.said.clear()
            self._speakers[name].played.clear()

    def hears(self, name: str, words: str) -> bool:
        return self.boxes[name].comes(lambda: words in self.heard(name))

    def is_in(self, box: Running, *states: State) -> bool:
        return box.comes(lambda: box.vitals.state in states)

    def rests(self, box: Running) -> bool:
        return self.is_in(box, State.IDLE)

    def ring(self) -> None:
        self.attic.type("call the bath")
        assert self.bath.says("Attic is calling. Shall I put it through?")
        assert self.attic.says("I am calling bath.")
        assert self.is_in(self.attic, State.CALLING)

    def talk(self) -> None:
        self.ring()
        self.bath.type("yes")
        for box, other in ((self.attic, "Bath"), (self.bath, "Attic")):
            assert box.says(f"{other} hears you now.")
            assert self.is_in(box, State.TALKING)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    speakers = dict[str, RecordingSpeaker]()

    def sound_card(parts: TypedParts) -> SoundCard:
        return SoundCard(parts.microphone, speakers.setdefault(parts.settings.boxes.own, RecordingSpeaker()), dict)

    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TypedParts, "sound_card", sound_card)
        yield Home(tmp_path_factory.mktemp("home"), stack, speakers)


@pytest.fixture
def home(made: Home) -> Iterator[Home]:
    """At rest, with nothing said yet."""
    made.forget()
    yield made
    for box in made.boxes.values():
        calls_of(box).end()


def test_what_is_said_at_either_box_is_heard_at_the_other_until_one_hangs_up(home: Home) -> None:
    home.talk()
    home.attic.type("dinner is ready and it gets cold")
    assert home.hears("bath", "dinner is ready and it gets cold")
    assert home.is_in(home.bath, State.TALKING)
    home.bath.type("i am coming")
    assert home.hears("attic", "i am coming")
    assert home.is_in(home.attic, State.TALKING)
    home.bath.type("hang up")
    assert home.bath.says("I have hung up.")
    assert home.attic.says("Bath has hung up.")
    assert home.rests(home.attic)
    assert home.rests(home.bath)
    assert home.heard("attic")[:1] == ["i am coming"], "and nothing else but perhaps the last words"
    assert not {*home.heard("attic")} - {"i am coming", "hang up"}
    assert home.heard("bath") == ["dinner is ready and it gets cold"]


@pytest.mark.parametrize("answer", ["no", "hang up", "not now"])
def test_who_refuses_is_never_heard(home: Home, answer: str) -> None:
    home.ring()
    home.bath.type(answer)
    assert home.attic.says("Bath does not take the call.")
    assert home.bath.says("I have told attic that you do not take the call.")
    assert home.rests(home.attic)
    assert home.heard("attic") == home.heard("bath") == []


def test_what_is_no_answer_takes_no_call_and_nobody_there_is_heard(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_turns, "ANSWER_S", 0.2)
    monkeypatch.setattr(calls, "RING_S", 4.0)
    home.ring()
    home.bath.type("what is 17 times 23")
    assert home.bath.comes(lambda: home.bath.said.count("Attic is calling. Shall I put it through?\n") > 1)
    assert home.attic.says("Nobody answers on bath.")
    assert home.bath.says("Attic called, and nobody answered.")
    assert home.rests(home.bath)
    assert home.heard("attic") == home.heard("bath") == []
    assert "391" not in " ".join(home.bath.said)


def test_the_button_takes_a_call_and_ends_it(home: Home) -> None:
    home.ring()
    press(home.bath)
    assert home.attic.says("Bath hears you now.")
    assert home.is_in(home.attic, State.TALKING)
    press(home.attic)
    assert home.bath.says("Attic has hung up.")
    assert home.rests(home.bath)
    assert home.rests(home.attic)


def test_who_calls_may_change_their_mind(home: Home) -> None:
    home.ring()
    home.attic.type("hang up")
    assert home.bath.says("Attic has hung up.")
    assert home.rests(home.bath)


def test_a_wake_word_in_a_call_is_for_the_box_and_the_call_goes_on(home: Home) -> None:
    home.talk()
    service_of(home.attic).post(ev.WakeHeard(word="typed", score=1.0))
    assert home.is_in(home.attic, State.LISTENING)
    home.attic.type("what is 17 times 23")
    assert home.attic.says("391")
    assert home.is_in(home.attic, State.TALKING)
    home.attic.type("are you there")
    assert home.hears("bath", "are you there")
    assert home.heard("bath") == ["are you there"], "what was said to the box stays here"


def test_a_box_that_is_muted_does_not_ring_and_one_that_mutes_ends_the_call(home: Home) -> None:
    home.talk()
    service_of(home.bath).post(ev.MuteAsked())
    assert home.attic.says("Bath has closed its microphone, so the call is over.")
    assert home.bath.says("The call with attic is over.")
    assert home.rests(home.attic)
    home.attic.type("call the bath")
    assert home.attic.says("Bath has its microphone closed, so nobody can answer there.")
    assert home.bath.vitals.state is State.MUTED
    service_of(home.bath).post(ev.MuteToggled())
    assert home.rests(home.bath)


def test_a_box_that_is_busy_or_cannot_ring_says_so(home: Home) -> None:
    home.talk()
    assert calls_of(home.bath).take("0" * 32, "cellar") == "busy"
    home.bath.type("stop")
    assert home.rests(home.bath)
    assert home.rests(home.attic)
    home.bath.parts.volume.set(0)
    home.attic.type("call the bath")
    assert home.attic.says("Bath cannot ring now.")
    home.bath.parts.volume.set(50)


def test_silence_ends_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_turns, "SILENT_S", 1.0)
    home.talk()
    for box in home.boxes.values():
        assert box.says("Nobody has said anything for a minute")
        assert home.rests(box)


def test_who_is_not_at_the_box_opens_no_microphone(home: Home) -> None:
    told = home.attic.parts.console.ask("call the bath")
    assert told.said == "Only somebody who speaks to this box can call bath."
    assert home.bath.vitals.state not in IN_CALL


def test_a_link_that_is_lost_ends_the_call_at_both_and_a_box_that_is_away_is_told_of(home: Home) -> None:
    home.talk()
    home.house.bridges["attic"].stop()
    assert home.bath.says("The connection to attic is lost, so the call is over.")
    assert home.attic.says("The connection to bath is lost, so the call is over.")
    assert home.rests(home.bath)
    assert home.rests(home.attic)
    others = home.bath.parts.others
    assert others
    assert home.bath.comes(lambda: not others.present), "until then it may give way to the wake word of that box"
    home.bath.type("call the attic")
    assert home.bath.says("Attic could not be reached.")


def press(box: Running) -> None:
    service_of(box).post(ev.ButtonPressed())


def service_of(box: Running) -> calls.Calls:
    """What posts an event to its service."""
    return calls_of(box)


def calls_of(box: Running) -> calls.Calls:
    found = box.parts.house_calls
    assert found
    return found
