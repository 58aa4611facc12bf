"""`python -m bench.times`: 300 phrasings of times and repetitions, by whole sentences alone, no model.

Each line is said to a box whose clock shows the time of the case; what is then set is held against what ought to be. A
line that no sentence takes goes to the model in a real box, and counts as left. `what`: the time is right, and the
words of a reminder are others. --half unseen: those that nobody looked at while anything was built.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Literal

import yaml
from dateutil.rrule import rrulestr

from appliance.errors import ToolError
from appliance.reply.understanding.fastlane import FastLane
from appliance.settings import Settings, Words
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.entries import Entry
from appliance.skills.loader import load, sentences_on_board
from appliance.skills.skillset import Skills
from bench import cases, exit_with, results

KIND = "times"
CASES = Path(__file__).with_name("cases") / "times.yaml"
SKILL = {"alarm": "alarms", "reminder": "reminders", "timer": "timers"}
"""Kind of case -> the skill that ought to keep it. Delayed orders and calendar entries are of skills to come."""
ALSO = {("timer", "alarms"), ("alarm", "timers"), ("reminder", "timers")}
"""As good: who asks for a timer at a clock time has an alarm, and an alarm in ten minutes is a timer."""
OCCURRENCES = 5
FILLER = {"the", "a", "an", "to", "about", "that", "your", "my", "die", "der", "das", "den", "zu"}

Outcome = Literal["right", "what", "asked", "left", "wrong"]


@dataclass(frozen=True)
class Set:
    """What a line set, in UTC; `rule` of one that repeats, `next` its first occurrences on the wall."""

    skill: str
    at: datetime
    rule: str
    text: str
    next: tuple[datetime, ...]


def judged(case: dict[str, Any], lanes: dict[str, FastLane]) -> tuple[Outcome, str]:
    """How it came out, and what was said."""
    now, language = cases.zoned(case["now"]), case["language"]
    zone = now.tzinfo or UTC
    settings = Settings(words=Words(language=language))
    skills = load(skill_context(clock=HandSetClock(now), settings=settings))
    tools = {tool.name: tool for tool in (*skills.for_model(), *skills.commands())}
    found = lanes[language].matches(case["say"])
    if not found:
        return "left", ""
    asks = "ask" in case["when"]
    try:
        said = " ".join(tools[match.intent].call(match.arguments) for match in found)
    except ToolError as error:
        return "right" if asks else "asked", error.what
    kept = list(_set(skills, now, zone))
    if (asks and not case.get("also")) or len(kept) != 1:
        return "wrong", said
    return _held(case, kept[0], now), said


def _set(skills: Skills, now: datetime, zone: tzinfo) -> Iterator[Set]:
    for skill in skills.on:
        for each in skill.rings.alarms.all() if skill.rings else ():
            if isinstance(each, Entry):
                occurrences = tuple(_occurrences(each, zone))
                at = each.due.moment(zone).astimezone(UTC)
                yield Set(skill.name, at, each.due.rule, each.text, occurrences)
            else:
                yield Set(skill.name, now.astimezone(UTC) + timedelta(seconds=each.seconds), "", each.label, ())


def _occurrences(entry: Entry, zone: tzinfo) -> Iterator[datetime]:
    due = entry.due
    for _ in range(OCCURRENCES):
        moment = due.moment(zone)
        yield moment.replace(tzinfo=None, fold=0)
        after = due.after(moment)
        if after is None:
            return
        due = after


def _held(case: dict[str, Any], kept: Set, now: datetime) -> Outcome:
    wanted = case["when"]
    if kept.skill != SKILL[case["kind"]] and (case["kind"], kept.skill) not in ALSO:
        return "wrong"
    if "rrule" in wanted:
        first = datetime.fromisoformat(wanted["first"])
        days = [first, *rrulestr(wanted["rrule"], dtstart=first).xafter(first, count=OCCURRENCES - 1)]
        right = len(kept.next) > 1 and list(kept.next) == days[: len(kept.next)]
    elif "after_s" in wanted:
        right = not kept.rule and abs((kept.at - now.astimezone(UTC)).total_seconds() - wanted["after_s"]) < 1
    else:
        others = [each if isinstance(each, str) else each.get("at") for each in case.get("also", [])]
        moments = [datetime.fromisoformat(each) for each in [wanted.get("at"), *others] if each]
        right = not kept.rule and kept.at.astimezone(now.tzinfo).replace(tzinfo=None) in moments
    if right and kept.skill == "reminders" and _plain(kept.text) != _plain(case.get("what", kept.text)):
        return "what"
    return "right" if right else "wrong"


def _plain(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in FILLER]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.times", description=__doc__)
    parser.add_argument("--half", choices=["work", "unseen"], help="one of the two")
    parser.add_argument("--show", nargs="*", default=[], metavar="OUTCOME", help="print the lines that came out so")
    parser.add_argument("--write", action="store_true", help="keep the row in bench/results")
    options = parser.parse_args()
    lanes = {language: FastLane(language, sentences=sentences_on_board()) for language in ("en", "de")}
    outcomes = Counter[tuple[str, str, str]]()
    for case in yaml.safe_load(CASES.read_text(encoding="utf-8")):
        if case["kind"] in SKILL and options.half in (None, case["half"]):
            outcome, said = judged(case, lanes)
            outcomes[case["half"], case["language"], outcome] += 1
            if outcome in options.show:
                print(f"  {case['name']}: {case['say']!r} at {case['now']} wants {case['when']}: {said!r}")
    for key, count in sorted(outcomes.items()):
        print(f"{' '.join(key):<22} {count:4}")
    if options.write:
        row = results.head() | {"outcomes": {" ".join(key): count for key, count in sorted(outcomes.items())}}
        print(results.save(row, KIND))
    return 1 if any(outcome == "wrong" for _, _, outcome in outcomes) else 0


if __name__ == "__main__":
    exit_with(main)
