"""A fault of an own skill stays its own: whatever it is asked beside its tools, the turns of all others go on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from rig import Board

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Pausable, Skill
from appliance.service.orders import DueOrders
from appliance.service.ringing import Ringing
from appliance.settings import Settings, Words
from appliance.settings import Skills as Chosen
from appliance.simulated import SlowVoice, skill_context
from appliance.skills.loader import load
from appliance.skills.skillset import Skills

BEGIN = '''\
from appliance.errors import BadArgument, CannotBeDone, StoreUnusable
from appliance.ports import Pausable, Rings, Skill, Spoken
from appliance.skills.schema import tool


def fail(*values, **named):
    raise RuntimeError("boom")


class Failing:
    """Whatever it is asked, it breaks."""

    sounding = property(fail)

    def __getattr__(self, name):
        return fail


def radio() -> Spoken:
    """Tell what is on the radio."""
    return Spoken("A concert.")


def make(context):
    return Skill("radio", "play the radio", tools=[tool(radio, "read"%s)], %s)
'''
FAULTS = {
    "expected": "expected=fail",
    "expected, no text": "expected=lambda: 5",
    "expected, no function": 'expected="radio"',
    "known": "known=fail",
    "known, no list": "known=lambda: 5",
    "missing": 'needs="an antenna", missing=fail',
    "rings": "rings=Rings(Failing(), Failing(), running=fail, plays=fail)",
    "rings, nothing given": "rings=Rings(Failing(), Failing(), running=lambda: None)",
    "orders": "orders=Failing()",
    "wakes": "wakes=Failing()",
    "pausable": 'pausable=Pausable("the radio", fail, fail, fail, fail)',
    "pausable without a name": 'pausable=Pausable("", lambda: True, fail, fail, fail)',
    "duck": "duck=fail",
    "reads": "reads=fail",
    "reads, nothing given": "reads=lambda line: None",
    "reads, no list": "reads=lambda line: 5",
    "ready": None,
}


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str, str], Settings]:
    def written(fields: str, of_the_tool: str = "") -> Settings:
        (tmp_path / "radio").mkdir()
        (tmp_path / "radio" / "__init__.py").write_text(BEGIN % (of_the_tool, fields))
        return Settings(state=tmp_path / "state", skills=Chosen(own=tmp_path), words=Words())

    return written


Own = Callable[..., Settings]


def loaded(settings: Settings) -> Skills:
    skills = load(skill_context(settings=settings))
    assert "radio" in {skill.name for skill in (*skills.on, *skills.absent)}
    return skills


def radio_of(skills: Skills) -> Skill:
    return next(skill for skill in (*skills.on, *skills.absent) if skill.name == "radio")


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_of_it_fails_the_turns_of_others_go_on(own: Own, fault: str) -> None:
    settings = own(FAULTS[fault] or "", "" if FAULTS[fault] else ", ready=fail")
    box = Board("say Good evening.", settings=settings)
    box.skills.expected()  # asked before every transcript, as `known` is
    box.skills.known()
    assert box.say("set a timer for five minutes").said == "5 minutes, starting now."
    assert "timer" in box.say("what can you do").said
    assert box.say("good evening to you, old friend").said == "Good evening."
    assert box.say("pause the timer").said.startswith("The 5 minute timer is paused")
    assert box.say("snooze").said == "Nothing is ringing."
    for duck in box.skills.ducks:
        duck(True)


def test_what_rings_of_others_rings(own: Own) -> None:
    box = Board(settings=own(FAULTS["rings"]))
    rings, voice = box.skills.rings, SlowVoice(0)
    ringing = Ringing(rings.alarms, rings.telling, voice, 120, rings.plays, box.skills.wakes)
    box.say("set a timer for five minutes")
    assert ringing.next_s() == pytest.approx(300, abs=1)
    box.clock.pass_time(301)
    assert ringing.has_new()
    ringing.ring()
    ringing.look()
    assert ringing.on
    ringing.dismiss()
    assert rings.alarms.missed() == []
    assert list(rings.running()) == []
    assert rings.telling.missed(rings.alarms.all()) == ""


def test_one_that_rings_and_has_no_words_for_it_rings_nevertheless(own: Own) -> None:
    skills = loaded(own(FAULTS["rings"]))
    [rings] = [skill.rings for skill in skills.on if skill.name == "radio"]
    assert rings
    assert rings.telling.sentence(object()) == "Something of my radio skill is due."
    assert rings.plays(object()) == ""


def test_its_orders_are_none_that_are_due(own: Own) -> None:
    skills = loaded(own(FAULTS["orders"]))
    due = DueOrders(skills.orders, lambda work: None, "en")
    due.each_round()
    due.told()
    assert due.sentence() == ""
    assert not skills.orders[-1].begin(object())  # type: ignore[arg-type]


def test_one_that_cannot_tell_whether_it_works_says_that_it_does_not(own: Own) -> None:
    skills = loaded(own(FAULTS["missing"]))
    assert radio_of(skills) in skills.absent
    tool = next(tool for tool in skills.commands() if tool.name == "radio")
    with pytest.raises(CannotBeDone, match="My radio skill does not work"):
        tool.call({})


def test_one_that_gives_nothing_where_a_text_is_wanted_works(own: Own) -> None:
    skills = loaded(own('needs="an antenna", missing=lambda: None'))
    assert radio_of(skills) in skills.on
    assert radio_of(skills).missing() == ""


def test_what_plays_of_it_is_told_as_not_to_be_had(own: Own) -> None:
    wakes = loaded(own(FAULTS["wakes"])).wakes
    assert wakes
    with pytest.raises(CannotBeDone, match="My radio skill does not work"):
        wakes.named("jazz")
    wakes.start("jazz")
    assert not wakes.sounding
    wakes.stop()


def pausable_of(skills: Skills) -> Pausable:
    pausable = radio_of(skills).pausable
    assert pausable
    return pausable


def test_one_that_cannot_pause_says_so_and_others_pause(own: Own) -> None:
    box = Board(settings=own('rank=1, pausable=Pausable("the radio", lambda: True, lambda: False, fail, fail)'))
    box.say("set a timer for five minutes")
    assert box.say("pause").said == "The radio or the timer?"
    said = box.say("both").said
    assert "My radio skill does not work." in said
    assert "timer is paused" in said


def test_what_it_says_on_purpose_passes(own: Own) -> None:
    def refusing(kind: str) -> str:
        return f"lambda what: (_ for _ in ()).throw({kind}('Which one?'))"

    pause, resume = refusing("BadArgument"), refusing("CannotBeDone")
    skills = loaded(own(f'pausable=Pausable("the radio", lambda: 1, lambda: 0, {pause}, {resume})'))
    assert pausable_of(skills).runs() is True
    with pytest.raises(BadArgument, match="Which one"):
        pausable_of(skills).pause("")
    with pytest.raises(CannotBeDone, match="Which one"):
        pausable_of(skills).resume("")


def test_a_fault_is_logged_once_with_what_to_do_until_it_works_again(
    own: Own, caplog: pytest.LogCaptureFixture
) -> None:
    skills = loaded(own("expected=lambda: 1 / len(hits)").model_copy())
    for _ in range(20):
        skills.expected()
    [record] = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert "the skill radio" in record.getMessage()
    assert "skills.off" in record.getMessage()
    assert record.exc_info


def test_its_tools_are_as_they_were(own: Own) -> None:
    box = Board("radio()", settings=own(""))
    tool = next(tool for tool in box.skills.for_model() if tool.name == "radio")
    assert tool.ready()
    assert tool.call({}) == "A concert."
