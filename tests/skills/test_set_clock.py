"""The owner tells the time, and the clock is set to it: which of the times that fit is meant, and what is said."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from rig import Rig, lane_of_skills, outcomes

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import ClockSet
from appliance.settings import Settings, Words
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.clock import make
from appliance.skills.loader import load

BERLIN = ZoneInfo("Europe/Berlin")
SEVEN = datetime(2026, 3, 3, 7, 0, tzinfo=BERLIN)


def tell(clock: HandSetClock, language: str = "en", **told: str) -> str:
    settings = Settings(words=Words(language=language))
    skill = make(skill_context(clock=clock, set_clock=clock.set_by_owner, settings=settings))
    (set_clock,) = skill.commands
    return set_clock.call(dict(told))


@pytest.mark.parametrize(
    ("shown", "trusted", "told", "set_to"),
    [
        # One that nothing has set is late by as long as the power was off: the next such time.
        ("2026-03-03T07:00", False, {"time": "ten past three"}, "2026-03-03T15:10"),
        ("2026-03-03T14:00", False, {"time": "ten past three"}, "2026-03-03T15:10"),
        ("2026-03-03T23:00", False, {"time": "ten past three"}, "2026-03-04T03:10"),
        ("2026-03-03T15:12", False, {"time": "ten past three"}, "2026-03-03T15:10"),
        ("2026-03-03T07:00", False, {"time": "15:10"}, "2026-03-03T15:10"),
        ("2026-03-03T16:30", False, {"time": "15:10"}, "2026-03-04T15:10"),
        ("2026-03-03T07:00", False, {"day": "6 march"}, "2026-03-06T07:00"),
        ("2026-03-03T07:00", False, {"day": "2 march"}, "2027-03-02T07:00"),
        ("2026-03-03T07:00", False, {"time": "ten past three in the afternoon", "day": "6 march"}, "2026-03-06T15:10"),
        ("2026-03-03T07:00", False, {"time": "15:10", "day": "6 march 2027"}, "2027-03-06T15:10"),
        # One that was set may be fast or slow: the nearest.
        ("2026-03-03T15:12", True, {"time": "ten past three"}, "2026-03-03T15:10"),
        ("2026-03-03T15:08", True, {"time": "ten past three"}, "2026-03-03T15:10"),
        ("2026-03-03T17:00", True, {"time": "ten past three"}, "2026-03-03T15:10"),
        ("2026-03-03T00:10", True, {"time": "five to twelve"}, "2026-03-02T23:55"),
        ("2026-03-03T07:00", True, {"day": "2 march"}, "2026-03-02T07:00"),
        ("2026-01-02T07:00", True, {"day": "31 december"}, "2025-12-31T07:00"),
        # In the night when the clocks go back an hour comes twice.
        ("2026-10-25T01:00", False, {"time": "half past two"}, "2026-10-25T02:30"),
    ],
)
def test_the_time_that_is_meant(shown: str, trusted: bool, told: dict[str, str], set_to: str) -> None:
    clock = HandSetClock(datetime.fromisoformat(shown).replace(tzinfo=BERLIN), trusted)
    tell(clock, **told)
    assert clock.now() == datetime.fromisoformat(set_to).replace(tzinfo=BERLIN)
    assert clock.trusted


@pytest.mark.parametrize(
    ("language", "trusted", "told", "said"),
    [
        ("en", True, {"time": "quarter past seven"}, "It is 7:15 AM now."),
        ("en", False, {"time": "15:10"}, "It is 3:10 PM now, Tuesday, 3 March 2026."),
        ("en", True, {"day": "4 march"}, "It is 7 AM now, Wednesday, 4 March 2026."),
        ("de", True, {"time": "viertel nach sieben"}, "Es ist jetzt 7:15 Uhr."),
        ("de", True, {"day": "4. märz"}, "Es ist jetzt 7 Uhr, Mittwoch, 4. März 2026."),
    ],
)
def test_it_is_said_back(language: str, trusted: bool, told: dict[str, str], said: str) -> None:
    assert tell(HandSetClock(SEVEN, trusted), language, **told) == said


@pytest.mark.parametrize(
    ("language", "became", "said"),
    [
        ("en", ClockSet.NETWORK, "The network sets my clock. It shows 7 AM."),
        ("en", ClockSet.NOBODY, "Nothing here lets me set the clock."),
        ("en", ClockSet.REFUSED, "I cannot set my clock to that."),
        ("de", ClockSet.NETWORK, "Meine Uhr stellt das Netz. Sie zeigt 7 Uhr."),
        ("de", ClockSet.NOBODY, "Hier darf ich die Uhr nicht stellen."),
        ("de", ClockSet.REFUSED, "Darauf kann ich meine Uhr nicht stellen."),
    ],
)
def test_why_it_was_not_set_is_said(language: str, became: ClockSet, said: str) -> None:
    settings = Settings(words=Words(language=language))
    skill = make(skill_context(clock=HandSetClock(SEVEN), set_clock=lambda moment: became, settings=settings))
    with pytest.raises(CannotBeDone) as refused:
        skill.commands[0].call({"time": "15:10"})
    assert refused.value.what.startswith(said)


@pytest.mark.parametrize("told", [{}, {"time": "soon"}, {"day": "31 june"}, {"time": "noon", "day": "some day"}])
def test_what_is_no_time_sets_nothing(told: dict[str, str]) -> None:
    clock = HandSetClock(SEVEN, trusted=False)
    with pytest.raises(BadArgument):
        tell(clock, **told)
    assert (clock.now(), clock.trusted) == (SEVEN, False)


@pytest.fixture
def box() -> Callable[[bool], Rig]:
    """The skills of the board, in whole turns."""

    def make_box(helps: bool) -> Rig:
        rig = Rig("say I made this up.")
        clock = HandSetClock(SEVEN, trusted=False)
        setter = {"set_clock": clock.set_by_owner} if helps else {}
        skills = load(skill_context(clock=clock, **setter))
        parts = {"tools": skills.for_model(), "commands": skills.commands(), "clock": clock}
        parts |= {"lane": lane_of_skills(skills), "skill_of": skills.skill_of, "guests": skills.guests}
        rig = Rig("say I made this up.", parts=parts)
        rig.clock = clock
        return rig

    return make_box


def test_a_whole_turn_sets_it_and_the_doubt_is_gone(box: Callable[[bool], Rig]) -> None:
    rig = box(True)
    assert "my clock may be wrong" in rig.say("what time is it").said
    record = rig.say("It's ten past three.")
    assert (record.said, outcomes(record)) == ("It is 3:10 PM now, Tuesday, 3 March 2026.", [("set_clock", "ok")])
    assert rig.say("what time is it").said == "It is 3:10 PM."
    assert rig.canned.prompts == [], "no model is asked"


def test_a_question_sets_nothing(box: Callable[[bool], Rig]) -> None:
    rig = box(True)
    rig.say("It's ten past three?")
    assert not rig.clock.trusted


def test_a_guest_sets_nothing(box: Callable[[bool], Rig]) -> None:
    rig = box(True)
    rig.say("It's ten past three.", channel="guest")
    assert not rig.clock.trusted


def test_a_computer_without_the_helper_says_so(box: Callable[[bool], Rig]) -> None:
    assert "Nothing here lets me set the clock." in box(False).say("It's ten past three.").said
