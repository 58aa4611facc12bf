"""Each branch of a turn, taken by real skills on real boxes: `python -m bench.branches`.

The branches stand in cases/branches.yaml: the lines that are said, on which box, and how the record of the turn shows
that it was taken. Skills, store, bridge, MCP server, model and LAN server are real; boxes: bench/branch_boxes.py. What
only the model can decide is hoped for and not asked for. Exit code 1 where a branch that is asked for was not taken.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from appliance import build, settings_file
from appliance.errors import ApplianceError
from appliance.ports import LanguageModel
from appliance.records import TurnRecord
from appliance.settings import Settings
from bench import branch_boxes, command, exit_with, results
from bench.branch_table import Branch, load
from bench.results import Row


@dataclass
class Tried:
    branch: Branch
    records: list[TurnRecord] = field(default_factory=list)
    tries: int = 0
    taken: bool = False
    fault: str = ""


def run(wanted: Sequence[Branch], chosen: Settings, model: LanguageModel | None = None) -> Iterator[Tried]:
    """In the order of the boxes. model: in place of the one on board, for a test."""
    here = sorted((each for each in wanted if each.at != "elsewhere"), key=lambda each: each.stage)
    with tempfile.TemporaryDirectory(prefix="branches-") as folder, ExitStack() as stack:
        file = branch_boxes.config(Path(folder))
        base = settings_file.load(file, chosen.profile, chosen.state)
        base = base.model_copy(update={"thought": chosen.thought, "models": chosen.models})
        if model is None:
            model = stack.enter_context(build.parts(chosen, build.clock(chosen))).local_llm
        for stage in dict.fromkeys(each.stage for each in here):
            yield from _on_stage([each for each in here if each.stage == stage], base, model, Path(folder))


def _on_stage(branches: Sequence[Branch], base: Settings, model: LanguageModel, folder: Path) -> Iterator[Tried]:
    first = branches[0]
    if first.at in ("service", "pressed"):
        for branch in branches:
            yield _aloud(branch, folder)
        return
    with ExitStack() as stack:
        settings = branch_boxes.changed(base, first.box)
        if first.untaught:
            settings = branch_boxes.changed(settings, {"thought": {"taught": False}})
        if first.at == "server":
            settings = stack.enter_context(branch_boxes.server(settings))
        if first.at == "town":
            stack.enter_context(branch_boxes.bridge(folder / branch_boxes.FILE))
        around = None if first.untaught else model
        parts = stack.enter_context(branch_boxes.box(settings, around, first.at == "town"))
        if first.index_lost:
            branch_boxes.lose_index(parts.settings)
        for branch in branches:
            yield _tried(branch, parts)


def _tried(branch: Branch, parts: branch_boxes.Parts) -> Tried:
    """Until a try takes the branch with its last line."""
    tried = Tried(branch)
    for lines in branch.tries():
        tried.tries += 1
        parts.console.new_conversation()
        if not branch.index_lost:
            parts.memory.forget_all()
        parts.console.seed(branch.known)
        try:
            for line in lines:
                tried.records.append(parts.console.ask(line, channel=branch.channel))
                branch_boxes.await_withdrawn(parts, tried.records[-1])
        except ApplianceError as error:
            tried.fault = str(error)
            tried.taken = bool(branch.fault) and branch.fault in tried.fault
            continue
        if not branch.fault and branch.is_seen(tried.records[-1]):
            tried.taken = True
            break
    return tried


def _aloud(branch: Branch, folder: Path) -> Tried:
    [[line]] = branch.tries()
    record = branch_boxes.aloud(folder, line, branch.at == "pressed")
    return Tried(branch, [record], 1, branch.is_seen(record))


def figures(tried: Sequence[Tried], elsewhere: Sequence[Branch]) -> Row:
    """What of it goes into the row: of each branch whether its own lines took it, and how many turns of all did."""
    records = [record for each in tried for record in each.records]
    return {
        "turns": len(records),
        "reached": sum(each.taken for each in tried),
        "of": len(tried),
        "branches": {
            each.branch.name: {
                "taken": each.taken,
                "turns": sum(map(each.branch.is_seen, records)) if each.branch.shows else int(each.taken),
                "tries": each.tries,
                **({"hoped": each.branch.hoped} if each.branch.hoped else {}),
                **({"fault": each.fault} if each.fault else {}),
            }
            for each in tried
        },
        "elsewhere": {each.name: each.shown_by for each in elsewhere},
        "missed": [each.branch.name for each in tried if not (each.taken or each.branch.hoped)],
    }


def told(each: Tried) -> str:
    mark = "taken" if each.taken else "not taken (hoped for)" if each.branch.hoped else "NOT TAKEN"
    shown = "" if each.taken else "".join(f"\n    {record.as_json()}" for record in each.records)
    return f"{each.branch.name:34}{mark}, {each.tries} tried{f': {each.fault}' if each.fault else ''}{shown}"


def main(argv: Sequence[str] | None = None) -> int:
    options = command.parser("bench.branches", __doc__, only="branches whose name holds TEXT").parse_args(argv)
    wanted = [branch for branch in load() if options.only in branch.name]
    tried = list[Tried]()
    with tempfile.TemporaryDirectory() as state:
        chosen = command.settings_of(Path(state), config=options.config, profile=options.profile, model=options.model)
        row = results.new(chosen) | {"model": chosen.thought.model}
        print(results.heading(row), end="\n\n", flush=True)
        for each in run(wanted, chosen):
            tried.append(each)
            print(told(each), flush=True)
    row |= figures(tried, [branch for branch in wanted if branch.at == "elsewhere"])
    print(f"\n{row['reached']} of {row['of']} reached in {row['turns']} turns; missed: {row['missed'] or 'none'}")
    print(*(f"elsewhere: {name}: {shown}" for name, shown in row["elsewhere"].items()), sep="\n")
    if not options.only:
        print(results.kept(row, "branches"))
    return 1 if row["missed"] else 0


if __name__ == "__main__":
    exit_with(main)
