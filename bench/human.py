"""`python -m bench.human FOLDER`: what the box hears of real people, as the settings have it; no language model.

Wake words (`bench/human_wake.py`): FOLDER has a folder of recordings for each word, and `noise/kitchen.flac`.

Speech to text: FOLDER has `orders/labels.json`: the name of a recording beside it -> its `slots` by name. Nobody wrote
the orders down word by word, so what counts are the words of the slots ("dark roast", "twelve ounce"), all of which
have to be heard. Each is heard with the names that the settings have (`words.names`), and, in turn, with those of the
menu beside them: what the slots of all orders are called, without how much of it. Reads with sox; some seven minutes on
2 idle EPYC cores.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from appliance import build
from appliance.audio import Samples, Utterance, never
from appliance.ports import Transcriber
from appliance.reply.understanding.templates import templates
from bench import command, exit_with, human_wake, results
from bench.paired import mcnemar
from bench.recorded import recording
from bench.results import Row

KIND = "human"
_WORD = re.compile(r"[a-z0-9]+")
_HOW_MUCH = re.compile(r"^(a (little )?bit of|a lot of|lots of|some) ")


@dataclass(frozen=True)
class Order:
    name: str
    slots: tuple[str, ...]
    samples: Samples


@dataclass(frozen=True)
class Heard:
    name: str
    text: str
    labelled: int
    """Words of the slots."""
    missed: int
    """Of them, those that the text does not have."""
    took_s: float


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory() as state:
        chosen = command.settings_of(Path(state), config=options.config)
        row = results.new(chosen) | {"stt": chosen.words.model}
        print(results.heading(row), end="\n\n", flush=True)
        if options.part != "words":
            row["wake"] = human_wake.measure(chosen, options.folder)
        if options.part != "wake":
            with build.parts(chosen, build.clock(chosen)) as parts:
                hearing = Hearing(parts.transcriber, worded(chosen.words.language), tuple(chosen.words.names))
                row |= measure(hearing, options.folder / "orders", options.first, options.show)
            print(told(row))
    if options.first is None and options.part is None:
        print(results.kept(row, KIND))
    return 0


@dataclass(frozen=True)
class Hearing:
    transcriber: Transcriber
    words: Callable[[str], Counter[str]]
    """Counts those of a text."""
    names: tuple[str, ...] = ()
    """Those that the settings have."""

    def hear(self, order: Order, more: tuple[str, ...] = ()) -> Heard:
        """more: names that are known as well."""
        began_s = time.perf_counter()
        text = self.transcriber.transcribe(Utterance(order.samples), never, "", (*self.names, *more)).text
        took_s = time.perf_counter() - began_s
        labelled = sum(map(self.words, order.slots), Counter[str]())
        return Heard(order.name, text, labelled.total(), (labelled - self.words(text)).total(), took_s)


def measure(hearing: Hearing, folder: Path, first: int | None, show: bool) -> Row:
    """Each order both ways, in turn: a busy machine slows both alike."""
    ways: dict[str, tuple[str, ...]] = {"orders": (), "orders_menu": menu(folder)}
    found: dict[str, list[Heard]] = {way: [] for way in ways}
    for place, order in enumerate(islice(orders(folder), first)):
        for way in sorted(ways, reverse=bool(place % 2)):
            found[way].append(_shown(hearing.hear(order, ways[way]), show))
    return {way: summary(lines) for way, lines in found.items()}


def menu(folder: Path) -> tuple[str, ...]:
    """What the slots of all orders are called, without how much of it."""
    labels = json.loads((folder / "labels.json").read_text()).values()
    return tuple(sorted({_HOW_MUCH.sub("", slot.strip()) for label in labels for slot in label["slots"].values()}))


def told(row: Row) -> str:
    lines, menu = row["orders"], row["orders_menu"]
    won, lost = (
        sum(one["outcomes"][name] == "ok" != other["outcomes"][name] for name in one["outcomes"])
        for one, other in ((menu, lines), (lines, menu))
    )
    only = f"right only with the menu {won}, only without it {lost}, p = {mcnemar(lost, won):.2g}"
    return "\n".join([_told("as it is", lines), _told("the menu known", menu), only])


def _told(way: str, row: Row) -> str:
    share = row["words_missed"] / max(1, row["words"])
    return (
        f"{way:15} {row['right']} of {row['n']} lines right, {row['words_missed']} of {row['words']} words missed "
        f"({share:.1%}), {row['s']['p50']} s a line (p95 {row['s']['p95']})"
    )


def orders(folder: Path) -> Iterator[Order]:
    for name, label in json.loads((folder / "labels.json").read_text()).items():
        yield Order(name, tuple(label["slots"].values()), recording(folder / name))


def worded(language: str) -> Callable[[str], Counter[str]]:
    """Counts the words of a text, numbers in digits."""
    known = templates(language)
    assert known, f"numbers in {language} are not known"
    return lambda text: Counter(_WORD.findall(known.in_digits(text).casefold()))


def _shown(line: Heard, show: bool) -> Heard:
    if show:
        print(f"{line.name} {line.missed} of {line.labelled} missed  {line.text}", flush=True)
    return line


def summary(lines: Sequence[Heard]) -> Row:
    return {
        "n": len(lines),
        "right": sum(not line.missed for line in lines),
        "words": sum(line.labelled for line in lines),
        "words_missed": sum(line.missed for line in lines),
        "s": results.spread([round(line.took_s, 2) for line in lines]),
        "outcomes": {line.name: "missed" if line.missed else "ok" for line in lines},
    }


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.human", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--first", type=int, metavar="N", help="only so many orders; no row is written")
    parser.add_argument("--part", choices=("wake", "words"), help="one of them alone; no row is written")
    parser.add_argument("--show", action="store_true", help="what was heard")
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
