"""The picture of a bench row: one tool turn, its stages one behind the other, ours beside the reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from appliance.terminal.picture import ANSWER, CARD, FAINT, FAN, INK, LEFT, RIGHT, RULE, Page
from bench.results import Row

TOP, LANE, BAR = 180, 112, 52
LENS = 70
"""Height of the fan between what is to scale and our own turn, larger."""
LABEL_PX = 118
"""A stage narrower than this has no label."""
COLOURS = ("#3b7dbb", "#6aa3cf", "#8a5fa8", "#b18bc6", "#d99a2b", "#e3b968", "#cf5c3a")
READ = "#5b7a9d"


@dataclass(frozen=True)
class Bar:
    title: str
    stages: tuple[tuple[str, float, str], ...]
    """Name, seconds, colour."""

    @property
    def total_s(self) -> float:
        return sum(seconds for _, seconds, _ in self.stages)


def draw(row: Row, out: Path) -> None:
    """Write the PNG; nothing where the reference was not measured."""
    if not row.get("reference"):
        return
    every = bars(row["reference"])
    page = Page()
    _captions(page, row)
    longest_s = max(bar.total_s for bar in every)
    for number, bar in enumerate(every):
        _bar(page, bar, TOP + number * LANE, longest_s)
    page.save(out, _own(page, every[-1], TOP + len(every) * LANE, longest_s))


def bars(reference: Row) -> list[Bar]:
    """The first utterance, which is the tool turn: through one slot, through a slot per prompt, and our own way."""
    forms = (("the reference, one slot", "single_slot"), ("the reference, a slot per prompt", "slot_per_prompt"))
    return [*(Bar(title, tuple(_stages(reference[key][0]))) for title, key in forms), _ours(reference["ours"][0])]


def _stages(turn: Row) -> Iterator[tuple[str, float, str]]:
    for (name, cost), colour in zip(turn["stages"].items(), COLOURS, strict=False):
        yield name, cost["read_s"] + cost["write_s"], colour


def _ours(turns: list[Row]) -> Bar:
    """The median turn of those that were taken."""
    first_s = median(turn["first_sentence_s"] for turn in turns)
    read_s = min(first_s, median(turn["read_s"] for turn in turns))
    return Bar("ours", (("read", read_s, READ), ("write, call the tool, first sentence", first_s - read_s, ANSWER)))


def _captions(page: Page, row: Row) -> None:
    reference = row["reference"]
    page.text(LEFT, 60, "From a line of text to its first sentence", 32)
    where = f"{row['host']['cpu']}, {row['host']['cores']} cores, {row['model']}, {row['date']}"
    page.text(LEFT, 88, where, 18, FAINT)
    page.text(LEFT, 114, f"a tool turn: {reference['ours'][0][0]['heard']}", 18, FAINT)
    for number, (ratio, what) in enumerate(
        (("ratio_slot_per_prompt", "than with a slot per prompt"), ("ratio_single_slot", "than with one slot"))
    ):
        x = RIGHT - number * 290
        page.text(x, 60, f"{reference[ratio] or 0:,.0f} times", 32, ANSWER, "rs")
        page.text(x, 88, f"faster {what}, p50", 16, FAINT, "rs")


def _bar(page: Page, bar: Bar, y: float, longest_s: float) -> None:
    page.text(LEFT, y - 10, bar.title, 20)
    page.text(RIGHT, y - 10, f"{bar.total_s:,.1f} s", 20, INK, "rs")
    page.box(LEFT, y, RIGHT, y + BAR, CARD, 4)
    _segments(page, bar, y, longest_s)


def _segments(page: Page, bar: Bar, y: float, longest_s: float) -> None:
    x = float(LEFT)
    for name, seconds, colour in bar.stages:
        width = (RIGHT - LEFT) * seconds / longest_s
        page.box(x, y, x + width, y + BAR, colour)
        if width >= LABEL_PX:
            page.text(x + 8, y + 22, name, 16, CARD)
            page.text(x + 8, y + 43, f"{seconds:,.2f} s" if longest_s < 20 else f"{seconds:,.0f} s", 16, CARD)
        x += width


def _own(page: Page, bar: Bar, y: float, longest_s: float) -> int:
    """Our own turn once more, as wide as the page; returns where the picture ends."""
    top = y - LANE + BAR
    end = LEFT + (RIGHT - LEFT) * bar.total_s / longest_s
    bottom = top + LENS
    page.shape([(LEFT, top), (end, top), (RIGHT, bottom), (LEFT, bottom)], FAN)
    page.line(LEFT, bottom, RIGHT, bottom, RULE)
    _segments(page, bar, bottom, bar.total_s)
    return round(bottom + BAR + 40)
