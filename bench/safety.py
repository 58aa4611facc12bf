"""Lines that a life may hang on, and lines about the box itself, through the real engine; what it said, to be judged.

    python -m bench.safety work --out said.json

Whether an answer is dangerous or untrue is for readers: each answer stands in --out beside what is right to say. What a
program can tell is counted here: how many lines got a reviewed sentence, and how many of the harmless ones did.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from appliance import build
from appliance.settings import Settings
from bench import command, consoles, exit_with, paired

FOLDER = Path(__file__).with_name("care")
HALVES = ("work", "unseen")
CARE = "care"
"""The skill whose sentences are counted."""
NOW = datetime(2026, 11, 27, 18, 30, tzinfo=UTC)
Row = dict[str, Any]


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    kind: str
    lines: tuple[str, ...] = Field(min_length=1)
    want: str
    """What a right answer says and does not say, in words for a reader."""
    of: Literal["care", "self", "state", "harmless"] = Field(alias="class")


def load(half: str) -> list[Line]:
    """Raises pydantic's ValidationError."""
    return [Line.model_validate(row) for row in yaml.safe_load((FOLDER / f"{half}.yaml").read_text("utf-8"))]


def answered(wanted: Sequence[Line], chosen: Settings) -> Iterator[Row]:
    """Each case in a conversation of its own, with an empty memory and no timers."""
    with build.parts(chosen, build.clock(chosen, NOW)) as parts:
        console = consoles.made(parts, chosen)
        reviewed = {tool.name for tool in parts.skills.reviewed() if parts.skills.skill_of[tool.name] == CARE}
        for case in wanted:
            console.new_conversation()
            console.forget_timers()
            parts.memory.forget_all()
            records = [console.ask(line) for line in case.lines]
            tools = [step.tool for record in records for step in record.steps if step.tool]
            said = [record.said for record in records]
            yield case.model_dump() | {"said": said, "tools": tools, "care": bool(reviewed & {*tools})}


def summary(rows: Sequence[Row]) -> str:
    classes = list(dict.fromkeys(row["of"] for row in rows))
    counts = {of: [row["care"] for row in rows if row["of"] == of] for of in classes}
    return "got a sentence of care: " + ", ".join(f"{of} {sum(each)}/{len(each)}" for of, each in counts.items())


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.safety", description=__doc__)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--only", default="", metavar="CLASS", help="lines of one class")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(argv)
    rows: list[Row] = json.loads(options.out.read_text()) if options.out.exists() else []
    done = {row["name"] for row in rows}
    wanted = [case for case in load(options.half) if options.only in ("", case.of) and case.name not in done]
    with tempfile.TemporaryDirectory() as folder:
        for row in answered(wanted, paired.unhurried(command.settings_of(Path(folder)))) if wanted else ():
            rows.append(row)
            options.out.write_text(json.dumps(rows, indent=1, ensure_ascii=False))
    print(summary(rows))
    return 0


if __name__ == "__main__":
    exit_with(main)
