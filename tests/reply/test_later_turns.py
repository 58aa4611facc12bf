"""Orders for later through whole turns: what is put off, what has a time of its own, and what is never done at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from rig import Evening, outcomes

from appliance.reply.delayed import TooEarly, put_off
from appliance.reply.line import LineReader
from appliance.reply.plan import Call
from appliance.reply.select import Selection, Selector
from appliance.reply.understanding.fastlane import FastLane, PutOff
from appliance.settings import Calendar, Settings
from appliance.simulated import skill_context
from appliance.skills.loader import load, sentences_on_board

MUSIC = ("play_music", "pause_music", "resume_music", "next_track", "set_music_volume")
LANES = {
    language: FastLane(
        language,
        sentences=sentences_on_board(),
        put_off=PutOff({*MUSIC, "set_volume", "announce", "add_to_list", "clear_list"}, {"announce", "add_to_list"}),
    )
    for language in ("en", "de")
}


def later(language: str, line: str) -> tuple[str, str] | None:
    """The order and when it is due, where that is what all of the line is."""
    [*found] = LANES[language].matches(line)
    if [each.intent for each in found] != ["do_later"]:
        return None
    return found[0].arguments["order"], found[0].arguments["when"]


@pytest.mark.parametrize(
    ("line", "order", "when"),
    [
        ("turn the volume down in ten minutes", "turn the volume down", "in ten minutes"),
        ("stop the music at ten", "stop the music", "at ten"),
        ("in half an hour set the volume to twenty", "set the volume to twenty", "in half an hour"),
        ("set the volume to twenty in half an hour", "set the volume to twenty", "in half an hour"),
        ("Could you turn the music off in an hour and a half, please?", "turn the music off", "in an hour and a half"),
        ("play the tractor song at ten to nine", "play the tractor song", "at ten to nine"),
        ("play some jazz in ten minutes", "play some jazz", "in ten minutes"),
        ("in ten minutes stop the music and turn it down", "stop the music and turn it down", "in ten minutes"),
        ("on Friday at nine play the radio", "play the radio", "on Friday at nine"),
        ("announce in ten minutes that we're leaving", "announce that we're leaving", "in ten minutes"),
        ("at half past six tell everyone dinner's ready", "tell everyone dinner's ready", "at half past six"),
        ("set the volume to twenty percent at nine", "set the volume to twenty percent", "at nine"),
        ("set the volume to twenty at nine", "set the volume to twenty", "at nine"),
    ],
)
def test_an_order_and_its_time(line: str, order: str, when: str) -> None:
    assert later("en", line) == (order, when)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Mach in zehn Minuten die Musik aus", "Mach die Musik aus"),
        ("Um neun Uhr mach die Musik aus", "mach die Musik aus"),
        ("Stell in einer halben Stunde die Lautstärke auf zwanzig", "Stell die Lautstärke auf zwanzig"),
        ("Stell die Lautstärke in einer halben Stunde auf zwanzig", "Stell die Lautstärke auf zwanzig"),
        ("Sag in zehn Minuten allen, dass das Essen fertig ist", "Sag allen dass das Essen fertig ist"),
    ],
)
def test_a_german_order_and_its_time(line: str, order: str) -> None:
    found = later("de", line)
    assert found
    assert found[0].replace(",", "") == order


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("remind me in ten minutes to turn the volume down", "add_reminder"),
        ("in ten minutes remind me to stop the music", "add_reminder"),
        ("set a timer for ten minutes", "set_timer"),
        ("set a timer at ten", "set_alarm"),
        ("wake me at six", "set_alarm"),
        ("cancel the alarm at seven", "cancel_alarm"),
        ("tell everyone that we're leaving in five minutes", "announce"),
        ("announce that the bus comes at ten", "announce"),
        ("take a note that the plumber comes at ten", "add_note"),
        ("set the volume to ten", "set_volume"),
        ("set the volume at ten", "set_volume"),
        ("turn it up", "set_volume"),
        ("what's the time in ten minutes", ""),
        ("undo that in ten minutes", ""),
        ("pause the timer in ten minutes", ""),
        ("close the blinds in 20 minutes", ""),
        ("close the blinds at ten", ""),
        ("skip Sunday", ""),
    ],
)
def test_what_has_a_time_of_its_own_or_cannot_wait_is_no_order_for_later(line: str, tool: str) -> None:
    assert [each.intent for each in LANES["en"].matches(line)] == ([tool] if tool else [])


def test_said_back_done_once_and_taken_back() -> None:
    box = Evening()
    before = box.volume.level
    assert box.say("Turn the volume down in ten minutes.").said == "I will do this at 6:40 PM: Turn the volume down."
    assert box.volume.level == before
    assert box.wait(minutes=9) == ""
    assert box.wait(minutes=1) == "As you wanted at 6:40 PM: Volume 40 percent."
    assert box.wait(days=2) == ""
    assert box.volume.level == 40
    assert box.say("undo that").outcome == "said"
    assert box.volume.level == before


def test_an_order_that_was_put_off_can_be_taken_back_and_so_can_its_end() -> None:
    box = Evening()
    box.say("Turn the volume down in ten minutes.")
    box.say("undo that")
    assert box.say("what orders are there").said == "No orders wait for their time."
    box.say("Turn the volume down in ten minutes.")
    box.say("cancel the delayed order")
    box.say("undo that")
    assert "Turn the volume down" in box.say("what orders are there").said
    assert "Volume 40 percent" in box.wait(minutes=10)


def test_what_cannot_be_undone_is_asked_about_again_and_a_yes_does_it() -> None:
    box = Evening()
    box.say("add milk to the shopping list")
    assert box.say("clear the shopping list in ten minutes").said.startswith("I will do this at 6:40 PM")
    assert box.wait(minutes=10).endswith("Shall I clear the shopping list, one item?")
    assert "milk" in box.say("what is on the shopping list").said, "another line drops the question"
    box.say("clear the shopping list in ten minutes")
    box.wait(minutes=10)
    assert box.say("yes").said == "The shopping list is cleared."


def test_an_old_question_is_not_answered_by_a_yes() -> None:
    box = Evening()
    box.say("add milk to the shopping list")
    box.say("clear the shopping list in ten minutes")
    box.wait(minutes=10)
    box.clock.pass_time(3_600)
    box.say("yes")
    assert "milk" in box.say("what is on the shopping list").said


def test_an_announcement_for_later_is_made_then() -> None:
    box = Evening()
    box.say("In ten minutes tell everyone that dinner is ready.")
    assert box.announced == []
    box.wait(minutes=10)
    assert box.announced == ["Dinner is ready."]


@pytest.mark.parametrize(
    "line",
    [
        "hush the box a touch in ten minutes",
        "in ten minutes hush the box a touch and turn it down",
        "at nine would you make yourself a bit less loud than this",
        "the baby sleeps at seven tonight so be a bit less loud from seven tonight",
        "we should have you less loud tomorrow",
        "make yourself less loud at nine or ten",
        "have yourself at nine to twenty",
        "be rather less loud from ten o'clock tonight",
        "at eight, have it less loud than that for us",
    ],
)
def test_what_the_model_would_do_at_once_is_refused(line: str) -> None:
    box = Evening('set_volume(direction="down")', 'set_volume(direction="down")')
    before = box.volume.level
    record = box.say(line)
    assert outcomes(record) == []
    assert record.said.startswith("I did not do that, nor will I")
    assert box.volume.level == before


@pytest.mark.parametrize(
    "line",
    [
        "the neighbours come at seven, so make yourself a bit less loud for us",
        "we get up at six tomorrow. have yourself a bit less loud please now",
        "this is too loud for the baby now",
        "have yourself a bit less loud, at forty percent say",
    ],
)
def test_a_time_of_something_else_keeps_nothing_from_being_done(line: str) -> None:
    box = Evening('set_volume(direction="down")', 'set_volume(direction="down")')
    assert box.say(line).steps, line
    assert box.volume.level == 40


@pytest.mark.parametrize("line", ["have your mike all shut in ten minutes", "have your mike all shut"])
def test_a_command_that_is_called_without_the_model_is_not_called_early(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = list[bool]()
    box = Evening(close_microphone=lambda: closed.append(True))
    monkeypatch.setattr(Selector, "select", lambda *given: Selection(direct="mute"))
    box.say(line)
    assert closed == ([] if "in ten minutes" in line else [True])


def test_a_german_hour_between_is_no_level() -> None:
    box = Evening("set_volume(level=20)", language="de")
    before = box.volume.level
    assert box.say("Bring deine Stimme um neun auf zwanzig").said.startswith("Das habe ich nicht getan")
    assert box.volume.level == before


def test_the_answer_to_a_question_is_no_time_for_later() -> None:
    box = Evening()
    assert box.say("announce something").outcome == "asked"
    box.say("the bus comes at ten")
    assert box.announced == ["The bus comes at ten."]


def test_an_order_in_the_language_that_it_was_given_in() -> None:
    box = Evening(language="de")
    assert box.say("Mach dich in zehn Minuten leiser").said == "Das mache ich um 18:40 Uhr: Mach dich leiser."
    assert "Lautstärke 40 Prozent" in box.wait(minutes=10)


def test_what_the_classifier_takes_for_an_order_for_later_is_not_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lane, scores = FastLane(put_off=PutOff({"turn_off"})), {"put_off": 0.9, "turn_off": 0.5}
    early = TooEarly("en", lane, LineReader("en", lane.in_digits), {"put_off"})
    call, text = Call("turn_off", {}), "turn it off once the guests have gone"
    assert not early.holds(call, text)
    monkeypatch.setattr(early, "_score", lambda text, tool: scores[tool])
    assert early.holds(call, text)


def test_every_tool_that_takes_words_for_when_keeps_its_own_time() -> None:
    skills = load(skill_context(settings=Settings(calendar=Calendar(folder=Path("/nowhere")))))
    tools = {tool.name: tool for skill in skills.on for tool in skill.all_tools}
    waits = put_off(tools.values(), skills.at_once, skills.verbatim)
    own = {"add_event", "delete_event", "set_alarm", "add_reminder", "do_later", "set_timer", "cancel_alarm", "undo"}
    assert not own & {*waits.tools}
    assert {"set_volume", "mute", "add_to_list", "clear_list", "announce"} <= {*waits.tools}
    assert not {name for name, tool in tools.items() if tool.effect == "read"} & {*waits.tools}


def test_a_tool_that_takes_the_time_itself_gets_it() -> None:
    lane = FastLane(put_off=PutOff({"book_table"}))
    early = TooEarly("en", lane, LineReader("en", lane.in_digits))
    assert early.holds(Call("book_table", {"people": 4}), "book a table at nine")
    assert not early.holds(Call("book_table", {"people": 4, "at": "nine"}), "book a table at nine")
