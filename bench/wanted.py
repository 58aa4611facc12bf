"""What an everyday case wants of a call, by tool and argument: held against the call by what it means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from appliance.errors import BadArgument
from appliance.language.durations import parse_duration
from appliance.language.numbers import parse_ordinal
from appliance.skills.lists import naming, things
from appliance.skills.written import Words, written
from bench import times_wanted as times
from bench.alike import names, says
from bench.meaning import Arguments, comes_to, lasts, measures, near
from bench.times_wanted import Check, Where

ALL = {"all", "every", "everything", "both", "each", "alle", "alles", "allen", "beide"}
HOLDS = 0.6
"""Share of the words of a delayed order that must be there: "clear the list" is "empty the list"."""


def holds(tool: str, wanted: Mapping[str, Any], given: Arguments, where: Where) -> bool:
    """Whether a call has what is wanted of such a tool; what only another tool takes is not compared."""
    if tool == "convert_units" and "amount" in wanted:
        wanted = {"asks": [wanted["amount"], wanted["from"], wanted["to"]]}
    try:
        return all(CHECKS[tool, key](given, value, where) for key, value in wanted.items() if (tool, key) in CHECKS)
    except (BadArgument, TypeError, ValueError):  # the tool could not read it either
        return False


def _text(*arguments: str) -> Check:
    return lambda given, wanted, where: says(wanted, _of(given, arguments), where.language)


def _named(*arguments: str) -> Check:
    return lambda given, wanted, where: names(wanted, _of(given, arguments), where.language)


def _of(given: Arguments, arguments: Sequence[str]) -> str:
    return " ".join(str(given[name]) for name in arguments if given.get(name))


def _order(given: Arguments, wanted: str, where: Where) -> bool:
    parts = wanted.split()
    held = [names(part, _of(given, ("order", "what")), where.language) for part in parts]
    return sum(held) >= HOLDS * len(parts)


def _all(argument: str) -> Check:
    return lambda given, wanted, where: bool(ALL & set(_words(_of(given, (argument,))))) == wanted


def _nth(argument: str) -> Check:
    def check(given: Arguments, wanted: int, where: Where) -> bool:
        return any(parse_ordinal(word, where.language) == wanted for word in _words(_of(given, (argument,))))

    return check


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _lasts(given: Arguments, wanted: float, where: Where) -> bool:
    return lasts(given, wanted)


def _changes(given: Arguments, wanted: float, where: Where) -> bool:
    """What is set anew is right by no change that is known here."""
    direction = "add" if wanted > 0 else "subtract"
    return (given.get("direction") or "add") == direction and lasts(given, abs(wanted))


def _named_by_length(given: Arguments, wanted: float, where: Where) -> bool:
    length = parse_duration(_of(given, ("label",)), where.language)
    return length is not None and near(length, wanted)


def _items(given: Arguments, wanted: Sequence[str], where: Where) -> bool:
    """All of them are there, and none besides; "fish and chips" may be one or two."""
    whole, language = _of(given, ("item",)), where.language

    def is_wanted(thing: str) -> bool:
        return any(names(each, thing, language) or names(thing, each, language) for each in wanted)

    _, kept = _naming(language)
    return names(" ".join(wanted), whole, language) and all(map(is_wanted, kept.each(whole)))


def _list(given: Arguments, wanted: str, where: Where) -> bool:
    """Without one it is the shopping list, or that of what is to be done, as the tool takes it."""
    known, kept = _naming(where.language)
    if said := _of(given, ("list",)):
        return known.key(known.named(said)) == known.key(known.named(wanted))
    default = naming.TO_DO if kept.is_task(_of(given, ("item",))) else naming.SHOPPING
    return known.named(wanted) == default


@cache
def _naming(language: str) -> tuple[naming.Naming, things.Things]:
    folder = Path(naming.__file__).parent
    said = written(folder, "words", language)
    return naming.Naming(said, Words(folder, language)), things.Things(said)


def _result(given: Arguments, wanted: float, where: Where) -> bool:
    return comes_to(given, wanted, where.language)


def _measures(given: Arguments, wanted: tuple[float, str, str], where: Where) -> bool:
    return measures(given, *wanted, where.language)


def _change(given: Arguments, wanted: str, where: Where) -> bool:
    by = given.get("by") or 0
    return (given.get("direction") or {by > 0: "up", by < 0: "down"}.get(True)) == wanted


def _level(given: Arguments, wanted: float, where: Where) -> bool:
    return given.get("level") is not None and near(float(given["level"]), wanted)


def _on(given: Arguments, wanted: bool, where: Where) -> bool:
    return bool(given.get("on", True)) == wanted


_ABOUT_TIMERS = {"label": _named("label"), "all": _all("label"), "which": _nth("label"), "seconds": _named_by_length}
_KEYS: Mapping[str, Mapping[str, Check]] = {
    "get_time": {"place": _named("place")},
    "days_until": {"date": times.day},
    "set_timer": {"seconds": _lasts, "label": _named("label")},
    "adjust_timer": {"seconds": _changes, "label": _named("label")},
    **dict.fromkeys(("list_timers", "pause_timer", "resume_timer", "cancel_timer"), _ABOUT_TIMERS),
    "set_alarm": {
        "when": times.when(times.ALARMS),
        "rrule": times.rule(times.ALARMS),
        "time": times.time_of_day(times.ALARMS),
        "label": times.label,
    },
    "cancel_alarm": {"time": times.at_time, "label": _named("which"), "all": _all("which")},
    "snooze": {"seconds": _lasts},
    "add_reminder": {
        "what": _text("what"),
        "when": times.when(times.REMINDERS),
        "after_s": times.after(times.REMINDERS),
        "rrule": times.rule(times.REMINDERS),
        "time": times.time_of_day(times.REMINDERS),
    },
    "list_reminders": {"day": times.day_of_reminders},
    "cancel_reminder": {"about": _named("which")},
    "add_to_list": {"items": _items, "list": _list},
    "read_list": {"list": _list},
    "remove_from_list": {"items": _items, "which": _nth("item"), "list": _list},
    "complete_item": {"item": _text("item"), "items": _items, "list": _list},
    "create_list": {"list": _list},
    "clear_list": {"list": _list},
    "add_note": {"text": _text("text")},
    "read_notes": {"day": times.day_of_notes, "about": _named("about")},
    "delete_note": {"about": _named("about")},
    "calculate": {"result": _result},
    "convert_units": {"asks": _measures},
    "set_volume": {"change": _change, "level": _level},
    "set_music_volume": {"change": _change, "level": _level},
    "mute": {"on": _on},
    "private_mode": {"on": _on},
    "remember": {"fact": _text("fact"), "value": _named("fact")},
    "update_memory": {"fact": _text("fact")},
    "recall": {"about": _named("topic")},
    "forget": {"about": _named("what")},
    "set_preference": {"value": _named("rule")},
    "announce": {"text": _text("text"), "where": _named("where", "room")},
    "do_later": {
        "order": _order,
        "when": times.when(times.REMINDERS),
        "after_s": times.after(times.REMINDERS),
    },
    "play_music": {"query": _named("what")},
    "read_calendar": {"day": times.day_of_calendar, "about": _named("what")},
    "add_event": {"title": _text("what"), "when": times.event_at},
}
CHECKS: Mapping[tuple[str, str], Check] = {
    (tool, key): check for tool, keys in _KEYS.items() for key, check in keys.items()
}
"""Tool of a case and key of its arguments -> how a call is held against the value. `about` of update_memory is not
compared: the box names a fact by its number."""
