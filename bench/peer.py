"""`python -m bench.peer FOLDER`: Home Assistant's own test sentences through the sentence matcher alone, no model.

FOLDER has `ha-intents-<language>.yaml`: lists of `intent`, `say` and `slots`. Each line whose intent some skill maps is
read while the timers it may mean are running. It is right when the tool, the lengths, and the timer or name are, or the
list and its things. A line for a device that this box is not is right when it is left alone, and counted by itself.

As in the house that the lines speak of, the lists that they name are kept, and their orders for lamps and the like are
some skill's: what is measured of an order for later is that it and its time are told apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from appliance import settings_file
from appliance.errors import ApplianceError
from appliance.language import durations
from appliance.ports import Meaning
from appliance.reply.understanding.fastlane import FastLane, PutOff
from appliance.reply.understanding.match import Match
from appliance.reply.understanding.published import published
from appliance.simulated import HandSetClock, MemoryTimers
from appliance.skills import lists
from appliance.skills.clock.places import is_known
from appliance.skills.lists.naming import SHOPPING, Naming
from appliance.skills.lists.things import Things
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools
from appliance.skills.written import Words, written
from bench import results

KIND = "peer"
LEFT = "left alone"
"""What lines count as that this box is not to take."""
ITEM = "item"
"""The argument that holds the things for a list."""
ORDER = "conversation_command"
"""The slot that holds what is to be done later."""
HOUSE = "house"
"""The tool that those orders are taken for."""
WORDS_OF = {"nb": "no", "zh-CN": "zh"}
"""Language of a file -> the one that our words are written down for, where its code is another."""
UNIT_S = {"hours": 3_600, "minutes": 60, "seconds": 1}
RUNNING: tuple[tuple[str, float], ...] = (("tea", 240), ("bread", 5_400))
"""Timers that no line means, as label and seconds, beside the one that it does."""
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    intent: str
    say: str
    wanted: list[Match]
    """Any of these; none where it is to be left alone."""


def lines(file: Path, language: str) -> Iterator[Line]:
    sentences = published(language)
    for case in yaml.safe_load(file.read_text(encoding="utf-8")):
        if sentences and case["intent"] in sentences.intents:
            ways = [sentences.meant(case["intent"], slots, case["say"]) for slots in _choices(case["slots"])]
            yield Line(case["intent"], case["say"], [way for way in ways if way])


def lane_of(file: Path, language: str) -> FastLane:
    """The sentences of `language`, with the house known that the lines of the file speak of."""
    slots = [case["slots"] for case in yaml.safe_load(file.read_text(encoding="utf-8"))]
    orders = {said.casefold() for each in slots for said in _several(each.get(ORDER, ()))}
    names = {name for each in slots if ITEM in each for name in _several(each.get("name", ()))}
    naming = _naming(language)
    return FastLane(
        language,
        is_known,
        put_off=PutOff({HOUSE}),
        reads=lambda line: [Meaning(HOUSE, {})] if line.casefold() in orders else (),
        names=lambda: naming.phrases(names),
    )


def _several(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [*value]


def _naming(language: str) -> Naming:
    folder, language = Path(lists.__file__).parent, WORDS_OF.get(language, language)
    return Naming(written(folder, "words", language), Words(folder, language))


def _choices(slots: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A slot with a list holds any of its values."""
    several = next((name for name, value in slots.items() if isinstance(value, list)), None)
    if several is None:
        yield {name: value.strip() if isinstance(value, str) else value for name, value in slots.items()}
        return
    for value in slots[several]:
        yield from _choices({**slots, several: value})


def is_right(found: Match | None, line: Line, language: str) -> bool:
    if found is None or not line.wanted:
        return found is None and not line.wanted
    return any(_facts(found, wanted, language) == _facts(wanted, wanted, language) for wanted in line.wanted)


def _facts(match: Match, wanted: Match, language: str) -> tuple[object, ...]:
    """What has to agree: the tool, the length in seconds, the timer or name, the list and the things, and every other
    argument."""
    arguments = _listed(match.arguments, language) if ITEM in match.arguments else match.arguments
    rest = {name: _plain(value) for name, value in arguments.items() if name not in (*UNIT_S, "label")}
    length = sum(match.arguments.get(unit, 0) * seconds for unit, seconds in UNIT_S.items())
    said, meant = (str(each.arguments.get("label", "")).casefold() for each in (match, wanted))
    return match.intent, length, _picked(said, meant) if meant else said, *sorted(rest.items())


def _plain(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _listed(arguments: dict[str, Any], language: str) -> dict[str, Any]:
    """The list that the tools take `arguments` for, and the things, in one spelling."""
    naming = _naming(language)
    things = Things(written(Path(lists.__file__).parent, "words", WORDS_OF.get(language, language)))
    kept = naming.named(arguments.get("list", "")) or SHOPPING
    return {"list": naming.key(kept), ITEM: [thing.casefold() for thing in things.each(arguments[ITEM])]}


def _picked(said: str, meant: str) -> frozenset[str]:
    """The labels of the timers that the tool takes `said` for, while the one that is meant runs among others."""
    clock = HandSetClock(NOON)
    timers = Timers(MemoryTimers(), clock, ring_s=60)
    seconds = durations.parse_duration(meant)
    for each in (*RUNNING, ("", seconds) if seconds else (meant.removeprefix("all "), 60)):
        timers.add(*each)
    try:
        return frozenset(timer.label for timer in TimerTools(timers, clock).meant(said))
    except ApplianceError:
        return frozenset({f"none: {said}"})


def measure(file: Path, language: str, show: bool) -> results.Row:
    lane = lane_of(file, language)
    every = list(lines(file, language))
    for line in every[:20]:  # the sentences and number words are read when they are first needed
        lane.match(line.say)
    outcomes, taken_ms, cpu_ms = [], [], []
    for line in every:
        start_s, start_cpu_s = time.perf_counter(), time.thread_time()
        found = lane.match(line.say)
        taken_ms.append((time.perf_counter() - start_s) * 1_000)
        cpu_ms.append((time.thread_time() - start_cpu_s) * 1_000)  # what it takes on a machine that does nothing else
        right = is_right(found, line, language)
        outcomes.append((line.intent if line.wanted else LEFT, right))
        if show and not right:
            print(f"  {language} {line.intent}: {line.say!r} gave {found}")
    return {"intents": results.tally(outcomes), "ms": results.spread(taken_ms), "cpu_ms": results.spread(cpu_ms)}


def told(language: str, row: results.Row) -> str:
    counts = row["intents"]
    right, total = (sum(each[place] for name, each in counts.items() if name != LEFT) for place in (0, 1))
    left = counts.get(LEFT, [0, 0])
    worse = ", ".join(f"{name} {good}/{all_}" for name, (good, all_) in counts.items() if good < all_)
    share = f"{right:4}/{total:<4} {right / max(1, total):6.1%}   {LEFT} {left[0]:3}/{left[1]:<3}"
    times = "  ".join(f"{kind} p50 {row[kind]['p50']:.1f} p95 {row[kind]['p95']:.1f}" for kind in ("ms", "cpu_ms"))
    return f"{language:6} {share}  {times}  {worse}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peer", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--only", default="", metavar="LANGUAGE", help="one language; no row is written")
    parser.add_argument("--show", action="store_true", help="print the lines that are not right")
    arguments = parser.parse_args()
    row = results.new(settings_file.load(None, None, Path("/nonexistent"))) | {"languages": {}}
    for file in sorted(arguments.folder.glob("ha-intents-*.yaml")):
        language = file.stem.removeprefix("ha-intents-")
        if arguments.only in ("", language):
            row["languages"][language] = found = measure(file, language, arguments.show)
            print(told(language, found))
    if not arguments.only:
        print(results.kept(row, KIND))


if __name__ == "__main__":
    main()
