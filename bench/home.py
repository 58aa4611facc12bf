"""The public sets of homes: each sentence to a house of its own, and what it changed: `python -m bench.home FOLDER`.

FOLDER has a folder a home, as allenporter/home-assistant-datasets lays them out: `_fixtures.yaml`, and files of tests
with `sentences`, `setup`, `expect_changes` or `expect_response`. The real engine and the real model; the house does
what it is told (bench/house.py). Where the box asks first it gets a yes, and that is counted. Exit code 1 where
something changed that was not to.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from appliance import build
from appliance.settings import Settings
from bench import command, exit_with
from bench.house import EffectBridge, States, changed


@dataclass(frozen=True)
class Task:
    home: Path
    kind: str
    say: str
    room: str
    setup: Mapping[str, Any]
    changes: Mapping[str, Any]
    answers: Sequence[str]


@dataclass(frozen=True)
class Result:
    task: Task
    right: bool
    wrong: Sequence[str]
    """Things that were changed, and were not to be."""
    lane: str
    asked: bool
    said: str
    took_s: float


def tasks(folder: Path) -> Iterator[Task]:
    for home in sorted(each for each in folder.iterdir() if (each / "_fixtures.yaml").is_file()):
        house = EffectBridge(home)
        for file in sorted(each for each in home.glob("*.yaml") if not each.name.startswith("_")):
            for test in yaml.safe_load(file.read_text())["tests"]:
                room = house.room_of(test.get("context_device", ""))
                for say in test["sentences"]:
                    wanted = (
                        test.get("setup") or {},
                        test.get("expect_changes") or {},
                        test.get("expect_response") or [],
                    )
                    yield Task(home, file.stem, say, room, *wanted)


def tried(wanted: Sequence[Task], chosen: Settings) -> Iterator[Result]:
    for home, room in dict.fromkeys((task.home, task.room) for task in wanted):
        home_assistant = {"url": "http://127.0.0.1:8123", "room": room, "use_lists": True}
        there = Settings.model_validate(chosen.model_dump() | {"home_assistant": home_assistant})
        with build.parts(there, build.clock(there)) as parts:
            parts.bridge = house = EffectBridge(home)
            for task in (each for each in wanted if (each.home, each.room) == (home, room)):
                parts.console.new_conversation()
                house.put_back(task.setup)
                yield _tried(task, parts, house)


def _tried(task: Task, parts: build.Parts, house: EffectBridge) -> Result:
    before, since_s = copy.deepcopy(house.states), time.monotonic()
    record = parts.console.ask(task.say)
    took_s = time.monotonic() - since_s
    said, asked = record.said, any(step.outcome == "unconfirmed" for step in record.steps)
    if asked:
        said += " " + parts.console.ask("yes").said
    wrong = [id for id in changed(before, house.states) if id not in task.changes]
    right = not wrong and _reached(task, house.states) and _answered(task, said)
    return Result(task, right, wrong, record.lane, asked, said, took_s)


def _reached(task: Task, states: States) -> bool:
    for id, wanted in task.changes.items():
        now = states[id]
        if "state" in wanted and str(wanted["state"]).casefold() != now["state"].casefold():
            return False
        attributes = wanted.get("attributes") or {}
        if any(now["attributes"].get(key) != value for key, value in attributes.items()):
            return False
    return True


def _answered(task: Task, said: str) -> bool:
    return not task.answers or any(str(each).casefold() in said.casefold() for each in task.answers)


def main(argv: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m bench.home", description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--model", metavar="NAME", help="another language model")
    options.add_argument("--only", default="", metavar="TEXT", help="homes whose name has it")
    chosen = options.parse_args(argv)
    wanted = [task for task in tasks(chosen.folder) if chosen.only in task.home.name]
    results = list[Result]()
    with tempfile.TemporaryDirectory() as state:
        for result in tried(wanted, command.settings_of(Path(state), model=chosen.model)):
            results.append(result)
            mark = "right" if result.right else "WRONG" if result.wrong else "missed"
            task = result.task
            print(f"{mark:6} {result.took_s:5.2f} s {result.lane:5} {task.home.name} {task.say!r}: {result.said}")
    right, fast = sum(each.right for each in results), [each for each in results if each.lane == "fast"]
    wrong = sum(bool(each.wrong) for each in results)
    print(
        f"{right} of {len(results)} right ({right / len(results):.1%}), {wrong} changed what they were not to,"
        f" {len(fast)} without the model, median {statistics.median(each.took_s for each in results):.2f} s,"
        f" {sum(each.asked for each in results)} asked first"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    exit_with(main)
