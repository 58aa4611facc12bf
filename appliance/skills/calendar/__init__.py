"""Calendar: what is on, what is next, when something is, and what is to be added; from ICS files, and a CalDAV server.

The server is reached by `appliance calendar sync` alone, which keeps a file of what it has: the box needs no network.
Calendars of Home Assistant are read through the bridge, where the owner wants that.
"""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.calendar.diary import Diary
from appliance.skills.calendar.house import HouseCalendars
from appliance.skills.calendar.tools import CalendarTools
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    diary = Diary(context.settings, context.clock)
    calendar = CalendarTools(diary, context.clock, context.sound_of, context.settings.words.language)
    house = None
    if diary.has_house and context.bridge:
        house = HouseCalendars(context.bridge, *diary.house_files(), context.clock)
    return Skill(
        "calendar",
        "tell what is in the calendar and add to it",
        tools=[
            tool(calendar.read_calendar, "read", untrusted=True),
            tool(calendar.add_event, "act"),
            tool(calendar.delete_event, "act"),
        ],
        needs="a calendar: calendar.folder, calendar.url or home_assistant.use_calendars in the settings",
        missing=calendar.missing,
        chore=house.chore if house else None,
        erase=diary.erase,
        rank=80,
    )
