"""Adding and deleting events: what is said back, and what then is on the disk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import icalendar
import pytest
from calendar_box import BERLIN, Box, at, event

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports.calls import WaitedCall, current_call
from appliance.skills.calendar.box import write_file


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def call() -> Iterator[WaitedCall]:
    waited = WaitedCall()
    token = current_call.set(waited)
    yield waited
    current_call.reset(token)


@pytest.mark.parametrize(
    ("what", "when", "said"),
    [
        ("dentist", "on Tuesday at three", "Added: Dentist, on Tuesday at 3 PM."),
        ("a dentist appointment", "tuesday at 3:30 pm", "Added: Dentist appointment, on Tuesday at 3:30 PM."),
        ("the choir", "tomorrow evening at seven", "Added: Choir, tomorrow at 7 PM."),
        ("breakfast with Ana", "tomorrow at eight", "Added: Breakfast with Ana, tomorrow at 8 AM."),
        ("flight", "on 3 May at 5:40 am", "Added: Flight, on 3 May at 5:40 AM."),
        ("call mum", "in half an hour", "Added: Call mum, at 10:30 AM."),
        ("Mia's birthday", "on 3 May", "Added: Mia's birthday, on 3 May, all day."),
        ("recycling", "tomorrow", "Added: Recycling, tomorrow, all day."),
        ("yoga", "every Monday at six pm", "Added: Yoga, every Monday at 6 PM, the first time on Monday at 6 PM."),
        ("dinner with Bob on Saturday at 7 pm", "", "Added: Dinner with Bob, on Saturday at 7 PM."),
        ("on Saturday a walk at nine", "", "Added: Walk, on Saturday at 9 AM."),
    ],
)
def test_what_was_added_is_said_back_and_is_there_after_a_restart(box: Box, what: str, when: str, said: str) -> None:
    assert box.tools.add_event(what, when) == said
    box.restart()
    title = said.removeprefix("Added: ").partition(",")[0]
    assert box.when(title).startswith(f"{title} is ")
    assert [str(each["SUMMARY"]) for each in box.diary.box.events()] == [title]


@pytest.mark.parametrize(
    ("what", "when", "asked"),
    [
        ("dentist", "", "When is it?"),
        ("", "tomorrow at three", "What shall I put in the calendar?"),
        ("party", "tomorrow evening", "At what time? Say the day as well."),
        ("party", "every evening", "At what time? Say the day as well."),
        ("party", "blurday", "I did not understand when that is. Say a day, and a time if it has one."),
        ("party", "yesterday", "That is over already: yesterday."),
        ("party", "on 31 june", "There is no 31 june."),
    ],
)
def test_what_is_missing_is_asked_for_and_nothing_is_written(box: Box, what: str, when: str, asked: str) -> None:
    with pytest.raises(BadArgument) as raised:
        box.tools.add_event(what, when)
    assert raised.value.what == asked
    assert not box.diary.box.path.exists()


def test_a_duplicate_is_told(box: Box) -> None:
    box.write("a.ics", event("Dentist", at("20261201T150000")), event("Fair", ";VALUE=DATE:20261128"))
    assert (
        box.tools.add_event("dentist", "tuesday at 3 pm") == "Dentist is in your calendar already, on Tuesday at 3 PM."
    )
    assert box.tools.add_event("fair", "on Saturday") == "Fair is in your calendar already, on Saturday."
    assert box.tools.add_event("dentist", "tuesday at 4 pm") == "Added: Dentist, on Tuesday at 4 PM."


def test_undo_takes_an_event_back(box: Box, call: WaitedCall) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    (back,) = call.reversals
    back()
    assert box.on("tomorrow") == "You have nothing tomorrow."


def test_undo_brings_a_deleted_event_again(box: Box, call: WaitedCall) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    assert box.tools.delete_event("my dentist appointment") == "Deleted: Dentist, tomorrow at 3 PM."
    assert box.on("tomorrow") == "You have nothing tomorrow."
    call.reversals[-1]()
    assert box.on("tomorrow") == "Tomorrow: Dentist at 3 PM."


def test_which_of_several_is_asked(box: Box) -> None:
    box.tools.add_event("call Ana", "tomorrow at three")
    box.tools.add_event("call Bob", "on Friday at three")
    with pytest.raises(
        BadArgument, match=r"There are 2: Call Ana tomorrow at 3 PM and Call Bob on Friday at 3 PM\. Which"
    ):
        box.tools.delete_event("call")
    assert box.tools.delete_event("call", "on friday") == "Deleted: Call Bob, on Friday at 3 PM."


def test_what_the_box_only_reads_it_does_not_delete(box: Box) -> None:
    box.write("work.ics", event("Standup", at("20261126T090000")))
    with pytest.raises(CannotBeDone, match="I only read the calendar that Standup is in"):
        box.tools.delete_event("standup")
    box.tools.add_event("yoga", "every monday at six pm")
    with pytest.raises(CannotBeDone, match="Yoga comes again and again"):
        box.tools.delete_event("yoga")
    with pytest.raises(CannotBeDone, match="I find nothing called opera"):
        box.tools.delete_event("opera")


def test_a_weekly_event_of_the_box_keeps_its_hour(box: Box) -> None:
    box.tools.add_event("yoga", "every Monday at six pm")
    box.clock.set(datetime(2027, 3, 28, 9, tzinfo=BERLIN))
    assert box.on("tomorrow") == "Tomorrow: Yoga at 6 PM."


def test_the_file_is_a_calendar_for_others_too(box: Box) -> None:
    box.tools.add_event('dentist; with, signs: \\ and "more"', "tomorrow at three")
    (written,) = icalendar.Calendar.from_ical(box.diary.box.path.read_bytes()).walk("VEVENT")
    assert written["SUMMARY"] == 'Dentist; with, signs: and "more"'
    assert written["DTSTART"].to_ical() == b"20261126T140000Z"
    assert written["DTEND"].to_ical() == b"20261126T150000Z"


def test_a_file_that_cannot_be_read_is_not_written_over(box: Box, caplog: pytest.LogCaptureFixture) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    damaged = box.diary.box.path.read_bytes()[:90]
    box.diary.box.path.write_bytes(damaged)
    with caplog.at_level(logging.ERROR), pytest.raises(CannotBeDone, match="I could not write that down"):
        box.tools.add_event("walk", "tomorrow at four")
    assert box.diary.box.path.read_bytes() == damaged
    assert "box.ics" in caplog.text


def test_a_full_card_is_told_and_the_old_file_stays(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.tools.add_event("dentist", "tomorrow at three")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(CannotBeDone, match="I could not write that down"):
            box.tools.add_event("walk", "tomorrow at four")
    assert box.on("tomorrow") == "Tomorrow: Dentist at 3 PM."


def test_whoever_reads_while_it_is_written_sees_one_whole_file(tmp_path: Path) -> None:
    path, contents = tmp_path / "box.ics", [bytes([sign]) * 2_000_000 for sign in b"ab"]
    write_file(path, contents[0])
    with ThreadPoolExecutor(max_workers=1) as pool:
        writing = [pool.submit(write_file, path, contents[turn % 2]) for turn in range(1, 40)]
        while not writing[-1].done():
            assert path.read_bytes() in contents


def test_a_factory_reset_erases_what_was_added_and_nothing_of_the_owners(box: Box) -> None:
    path = box.write("a.ics", event("Tea", at("20261126T160000")))
    box.tools.add_event("dentist", "tomorrow at three")
    box.diary.erase()
    box.diary.erase()
    assert path.exists()
    assert box.on("tomorrow") == "Tomorrow: Tea at 4 PM."


def told_in_german(box: Box) -> Iterator[tuple[Callable[[], str], str]]:
    yield (
        lambda: box.tools.add_event("Zahnarzt", "am Dienstag um drei"),
        "Eingetragen: Zahnarzt, am Dienstag um 15 Uhr.",
    )
    yield lambda: box.tools.add_event("ein Konzert", "morgen um 20 Uhr"), "Eingetragen: Konzert, morgen um 20 Uhr."
    yield lambda: box.on("morgen"), "Morgen: den ganzen Tag Messe und Konzert um 20 Uhr."
    yield lambda: box.on(""), "Als Nächstes: Messe morgen."
    yield lambda: box.on("am Wochenende"), "Du hast am Wochenende nichts vor."
    yield lambda: box.on("nächste Woche"), "Nächste Woche: Zahnarzt am Dienstag um 15 Uhr."
    yield lambda: box.on("heute"), "Du hast heute nichts mehr vor."
    yield lambda: box.when("mein Zahnarzttermin"), "Zahnarzt ist am Dienstag um 15 Uhr."
    yield lambda: box.tools.delete_event("Zahnarzt"), "Gelöscht: Zahnarzt, am Dienstag um 15 Uhr."


def test_all_of_it_in_german(tmp_path: Path) -> None:
    box = Box(tmp_path, language="de")
    box.write("a.ics", event("Messe", ";VALUE=DATE:20261126"))
    for ask, said in told_in_german(box):
        assert ask() == said
