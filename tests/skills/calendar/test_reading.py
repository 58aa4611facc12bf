"""What is told of a calendar, from files as other programs write them."""

from __future__ import annotations

import logging
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from calendar_box import BERLIN, NOW, Box, at, event, ics
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.errors import BadArgument
from appliance.skills.calendar import files
from appliance.skills.calendar.events import plain_title


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_a_day_is_told_in_order_and_all_day_events_first(box: Box) -> None:
    box.write(
        "family.ics",
        event("Choir", at("20261126T190000"), "DURATION:PT1H"),
        event("Dentist", ":20261126T140000Z", "DTEND:20261126T150000Z"),
        event("Recycling", ";VALUE=DATE:20261126"),
        event("Yesterday", at("20261124T190000")),
    )
    assert box.on("tomorrow") == "Tomorrow: all day Recycling, Dentist at 3 PM and Choir at 7 PM."
    assert box.on("thursday") == "Tomorrow: all day Recycling, Dentist at 3 PM and Choir at 7 PM."
    assert box.on("friday") == "You have nothing on Friday."
    assert box.on("today") == "You have nothing more today."


def test_at_most_five_are_told_and_how_many_more(box: Box) -> None:
    box.write("a.ics", *(event(f"Call {hour}", at(f"20261126T{hour:02}0000")) for hour in range(9, 17)))
    said = box.on("tomorrow")
    assert said.startswith("Tomorrow: Call 9 at 9 AM, Call 10 at 10 AM,")
    assert said.endswith("Call 13 at 1 PM and 3 more.")


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("this afternoon", "This afternoon: Lunch at 1 PM."),
        ("this morning", "You have nothing this morning."),
        ("tonight", "Tonight: Film at 8:30 PM."),
        ("tomorrow evening", "Tomorrow evening: Choir at 7 PM."),
        ("at one", "At 1 PM: Lunch at 1 PM."),
        ("this weekend", "This weekend: Fair on Saturday and Walk on Sunday at 9 AM."),
        ("next week", "Next week: Yoga on Monday at 6 PM."),
        ("on 30 November", "On Monday: Yoga at 6 PM."),
        ("in the afternoon on Saturday", "On Saturday afternoon: all day Fair."),
    ],
)
def test_parts_of_a_day_and_longer_times(box: Box, day: str, said: str) -> None:
    box.write(
        "a.ics",
        event("Lunch", at("20261125T130000"), "DURATION:PT1H"),
        event("Film", at("20261125T203000"), "DURATION:PT2H"),
        event("Choir", at("20261126T190000"), "DURATION:PT1H"),
        event("Fair", ";VALUE=DATE:20261128"),
        event("Walk", at("20261129T090000"), "DURATION:PT1H"),
        event("Yoga", at("20261130T180000"), "DURATION:PT1H"),
    )
    assert box.on(day) == said


def test_a_time_that_is_none_is_asked_about(box: Box) -> None:
    with pytest.raises(BadArgument, match=r"I do not understand when blurday is\."):
        box.on("blurday")


def test_what_is_next(box: Box) -> None:
    assert box.on("") == "You have nothing in the next 12 months."
    box.write(
        "a.ics",
        event("Running now", at("20261125T093000"), "DURATION:PT1H"),
        event("Dentist", at("20261127T150000")),
        event("Later", at("20270127T150000")),
    )
    assert box.on("") == "Next: Dentist on Friday at 3 PM."
    box.clock.pass_time(10 * 86_400)
    assert box.on("") == "Next: Later on 27 January at 3 PM."
    assert [each.title for each in box.diary.upcoming(timedelta(days=60))] == ["Later"]


def test_an_event_is_found_by_its_words(box: Box) -> None:
    box.write(
        "a.ics",
        event("Dentist, Dr. Okafor", at("20261201T150000")),
        event("Dentists' ball", at("20251201T150000")),
        event("Mia", ";VALUE=DATE:20190503", "RRULE:FREQ=YEARLY", "CATEGORIES:Birthday"),
        event("Birthday of Zoë", ";VALUE=DATE:20100711", "RRULE:FREQ=YEARLY"),
    )
    assert box.when("my dentist appointment") == "Dentist, Dr. Okafor is on Tuesday at 3 PM."
    assert box.when("Mia's birthday") == "Mia is on 3 May."
    assert box.when("zoe's birthday") == "Birthday of Zoë is on 11 July."
    assert box.when("birthdays") == "I found 2: Mia on 3 May and Birthday of Zoë on 11 July."
    assert box.when("the hairdresser") == "I find nothing called hairdresser in your calendar in the next 12 months."
    assert box.tools.read_calendar("tomorrow", "dentist") == "I find nothing called dentist in your calendar tomorrow."
    assert box.tools.read_calendar("next week", "dentist") == "Dentist, Dr. Okafor is on Tuesday at 3 PM."


def test_a_name_that_was_misheard_is_found_by_its_sound(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.tools._sound_of = lambda word: word.replace("ph", "f")
    box.write("a.ics", event("Stephen visits", at("20261201T150000")))
    assert box.when("stefen") == "Stephen visits is on Tuesday at 3 PM."


def test_a_weekly_event_keeps_its_hour_when_the_clocks_change(box: Box) -> None:
    """In Berlin they go back on 25 October 2026 and forward on 28 March 2027."""
    box.write(
        "a.ics",
        event("Yoga", at("20260105T180000"), "DTEND;TZID=Europe/Berlin:20260105T190000", "RRULE:FREQ=WEEKLY"),
        event("Call", ":20260105T170000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"),
    )
    for now, said in (
        (datetime(2026, 10, 18, 9, tzinfo=BERLIN), "Tomorrow: Yoga at 6 PM and Call at 7 PM."),
        (datetime(2026, 10, 25, 9, tzinfo=BERLIN), "Tomorrow: Yoga at 6 PM and Call at 6 PM."),
        (datetime(2027, 3, 28, 9, tzinfo=BERLIN), "Tomorrow: Yoga at 6 PM and Call at 7 PM."),
    ):
        box.clock.set(now)
        assert box.on("tomorrow") == said


def test_a_day_on_which_the_clocks_change_is_whole(box: Box) -> None:
    box.write(
        "a.ics",
        event("Late", at("20261025T233000"), "DURATION:PT20M"),
        event("Early", at("20261025T003000"), "DURATION:PT20M"),
        event("All of it", ";VALUE=DATE:20261025"),
        event("Before", ";VALUE=DATE:20261024"),
        event("Behind", ";VALUE=DATE:20261026"),
    )
    box.clock.set(datetime(2026, 10, 24, 9, tzinfo=BERLIN))
    assert box.on("tomorrow") == "Tomorrow: all day All of it, Early at 12:30 AM and Late at 11:30 PM."


def test_exceptions_of_a_series(box: Box) -> None:
    series = event("Yoga", at("20261102T180000"), "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=8", uid="yoga")
    box.write(
        "a.ics",
        f"{series}\nEXDATE;TZID=Europe/Berlin:20261130T180000",
        event(
            "Yoga at the lake", at("20261208T190000"), "RECURRENCE-ID;TZID=Europe/Berlin:20261207T180000", uid="yoga"
        ),
        event(
            "Yoga",
            at("20261214T180000"),
            "RECURRENCE-ID;TZID=Europe/Berlin:20261214T180000",
            "STATUS:CANCELLED",
            uid="yoga",
        ),
    )
    assert box.on("30 november") == "You have nothing on Monday."
    assert box.on("7 december") == "You have nothing on 7 December."
    assert box.on("8 december") == "On 8 December: Yoga at the lake at 7 PM."
    assert box.on("14 december") == "You have nothing on 14 December."
    assert box.on("21 december") == "On 21 December: Yoga at 6 PM."
    assert box.when("lake") == "Yoga at the lake is on 8 December at 7 PM."


def test_events_over_several_days(box: Box) -> None:
    box.write(
        "a.ics",
        event("Holiday", ";VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261128"),
        event("Night shift", at("20261125T220000"), "DTEND;TZID=Europe/Berlin:20261126T060000"),
    )
    assert box.on("tomorrow") == "Tomorrow: all day Holiday and Night shift until 6 AM."
    assert box.on("saturday") == "You have nothing on Saturday."
    assert box.on("tonight") == "Tonight: all day Holiday and Night shift at 10 PM."


def test_tonight_has_no_all_day_event_of_tomorrow(box: Box) -> None:
    box.write("a.ics", event("Fair", ";VALUE=DATE:20261126"))
    assert box.on("tonight") == "You have nothing tonight."


def test_a_time_without_a_zone_is_one_of_the_box(box: Box) -> None:
    box.write(
        "a.ics", event("Breakfast", ":20261126T080000"), event("New York", ";TZID=America/New_York:20261126T080000")
    )
    assert box.on("tomorrow") == "Tomorrow: Breakfast at 8 AM and New York at 2 PM."


def test_a_file_is_read_again_when_it_has_changed(box: Box) -> None:
    path = box.write("a.ics", event("Tea", at("20261126T160000")))
    assert box.on("tomorrow") == "Tomorrow: Tea at 4 PM."
    box.write("a.ics", event("Bee", at("20261126T160000")))
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1_000_000))
    assert box.on("tomorrow") == "Tomorrow: Bee at 4 PM."
    path.unlink()
    assert box.on("tomorrow") == "You have nothing tomorrow."


def test_a_broken_file_is_told_once_and_keeps_no_other_from_being_read(
    box: Box, caplog: pytest.LogCaptureFixture
) -> None:
    (box.folder / "bad.ics").write_bytes(b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY")
    (box.folder / "binary.ics").write_bytes(bytes(range(256)) * 40)
    box.write(
        "good.ics",
        event("Tea", at("20261126T160000")),
        event("No such day", ";VALUE=DATE:20261399"),
        "UID:1\nSUMMARY:No begin",
        event("No such rule", at("20261126T100000"), "RRULE:FREQ=SOMETIMES"),
        event("Backwards", at("20261126T100000"), "DTEND;TZID=Europe/Berlin:20261126T090000", "RRULE:FREQ=DAILY"),
    )
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            assert "Tea at 4 PM" in box.on("tomorrow")
    told = [record.getMessage() for record in caplog.records]
    assert sum("bad.ics is left out" in line for line in told) == 1
    assert sum("binary.ics is left out" in line for line in told) == 1
    assert all("\n" not in line for line in told)


WHOLE = ics(
    event("Dentist", at("20261126T150000"), "DTEND;TZID=Europe/Berlin:20261126T160000", "CATEGORIES:Health,Work"),
    event("Yoga", at("20261105T180000"), "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=9", "EXDATE:20261112T170000Z"),
    event("Yoga late", at("20261126T190000"), "RECURRENCE-ID;TZID=Europe/Berlin:20261126T180000", uid="Yoga"),
    event("Mia", ";VALUE=DATE:20190503", "RRULE:FREQ=YEARLY;UNTIL=20400101"),
)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    st.integers(0, len(WHOLE) - 1), st.integers(0, 12), st.sampled_from(["", "9", "X", ":", ";", "=", "\r\n", "Z", "-"])
)
def test_a_damaged_file_never_keeps_another_from_being_read(begin: int, length: int, instead: str) -> None:
    with TemporaryDirectory() as home:
        box = Box(Path(home))
        box.write("z.ics", event("Tea", at("20261126T160000"), uid="tea"))
        (box.folder / "a.ics").write_text(WHOLE[:begin] + instead + WHOLE[begin + length :], newline="")
        assert "Tea at 4 PM" in box.on("tomorrow")
        box.when("yoga")


def test_a_rule_of_seconds_does_not_keep_the_box_busy(box: Box, caplog: pytest.LogCaptureFixture) -> None:
    endless = event("Tick", ":19700101T000000Z", "RRULE:FREQ=SECONDLY")
    box.write("a.ics", endless, event("Tea", at("20261126T160000")))
    assert box.on("tomorrow") == "Tomorrow: Tea at 4 PM."
    assert "a.ics: 1 events are left out" in caplog.text


def test_a_folder_that_is_not_there_is_told(box: Box) -> None:
    assert box.tools.missing() == ""
    box.folder.rmdir()
    assert box.tools.missing() == "The folder of my calendar is not there."


def test_a_call_that_comes_while_a_file_is_being_read_waits_for_it(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.write("a.ics", event("Tea", at("20261126T160000")))
    begun, go_on = threading.Event(), threading.Event()
    read = files._read

    def slow(path: Path, size: int) -> object:
        begun.set()
        go_on.wait(10)
        return read(path, size)

    monkeypatch.setattr(files, "_read", slow)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(box.on, "tomorrow")
        begun.wait(10)
        second = pool.submit(box.on, "tomorrow")
        time.sleep(0.1)
        go_on.set()
        assert first.result() == second.result() == "Tomorrow: Tea at 4 PM."


def test_an_event_in_two_files_counts_once(box: Box) -> None:
    box.write("a.ics", event("Tea", at("20261126T160000"), uid="1"))
    box.write("b.ics", event("Tea with Bob", at("20261126T160000"), uid="1"))
    assert box.on("tomorrow") == "Tomorrow: Tea at 4 PM."


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Tea <b>now</b> <script>x</script>", "Tea now x"),
        ("**Tea** `rm` [link](x) {y} | z", "Tea rm link (x) y z"),
        ("Tea\x07\u202e\ue000\u200b time", "Tea time"),
        ("word " * 40, ("word " * 16).strip()),
        ("x" * 200, "x" * 80),
        ("", ""),
    ],
)
def test_a_title_from_outside_is_plain_and_short(written: str, told: str) -> None:
    assert plain_title(written) == told


def test_an_event_without_a_title_is_told(box: Box) -> None:
    box.write("a.ics", event("", at("20261126T160000"), uid="1"))
    assert box.on("tomorrow") == "Tomorrow: something without a name at 4 PM."


def test_zone_of_the_calendar_itself(box: Box) -> None:
    box.write("a.ics", event("Call", ":20261126T080000"), head="X-WR-TIMEZONE:America/New_York\n")
    assert NOW.tzinfo == BERLIN
    assert box.when("call") in ("Call is tomorrow at 8 AM.", "Call is tomorrow at 2 PM.")
