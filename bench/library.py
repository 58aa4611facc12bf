"""`python -m bench.library`: what the encyclopedia finds, how fast, and how it grows. No language model is asked.

Of the questions of `models/training/questions/`: for how many the answer is in the first summary, among ten, and in
what the model would read; and for how many of those that nobody can answer something is handed over all the same. Then
a lookup in the summaries, and in ZIM files of 10,000 and of more articles, which are written for it: 200,000 take
some eight minutes of one core (`--articles 50000` fewer). The row goes to `bench/results/`.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from libzim.reader import set_cluster_cache_max_size

from appliance import build, settings_file
from appliance.errors import CannotBeDone
from appliance.settings import Encyclopedia, Settings
from appliance.simulated import skill_context
from appliance.skills.encyclopedia.passages import Article
from appliance.skills.encyclopedia.reading import Question as Asked
from appliance.skills.encyclopedia.summaries import Summaries, articles_of
from appliance.skills.encyclopedia.zim import Zim
from appliance.skills.loader import load
from appliance.skills.written import written
from bench import exit_with, results, zim_file
from models.training.questions import FILES, Question, questions

SMALL = 10_000
LARGE = 200_000
FLAT = 1.5
"""Most that a lookup in the larger file may take, in those of the smaller one."""
AMONG = 10
LANGUAGE = "en"
ROUNDS = 5
UNPACKED_BYTES = 1_000_000


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("bench.library", description=__doc__)
    parser.add_argument("--articles", type=int, default=LARGE, help="of the larger ZIM file; 0: no ZIM files")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        chosen = settings_file.load(None).model_copy(update={"state": Path(folder), "encyclopedia": Encyclopedia()})
        row = results.head() | {"summaries": summaries(chosen), "quiz": quiz(chosen)}
        print(row["summaries"], row["quiz"], sep="\n", flush=True)
        if options.articles:
            row["zim"] = growth(Path(folder), chosen, options.articles)
            print(row["zim"])
    print(results.kept(row, "library"))
    return 0


def opened(chosen: Settings) -> Summaries:
    models = build.catalog(chosen)
    return Summaries(lambda: models.path(f"encyclopedia/{LANGUAGE}"), chosen.state / "encyclopedia", LANGUAGE)


def asked(text: str) -> Asked:
    folder = Path(load.__code__.co_filename).with_name("encyclopedia")
    return Asked(text, LANGUAGE, written(folder, "phrases", LANGUAGE)["asides"])


def summaries(chosen: Settings) -> results.Row:
    """Seconds to make the index and to open it, its size, and milliseconds of a lookup."""
    made_s = _seconds(opened(chosen).prepare)
    again = opened(chosen)
    opened_s = _seconds(again.prepare)
    size = sum(path.stat().st_size for path in (chosen.state / "encyclopedia").iterdir())
    lines = [question.say for question in questions(FILES)]
    took = [_seconds(lambda line=line: again.best(asked(line).telling)) * 1_000 for line in lines]  # type: ignore[misc]
    return {"made_s": made_s, "opened_s": opened_s, "bytes": size, "lookup_ms": results.spread(took)}


def quiz(chosen: Settings) -> results.Row:
    """How many of the questions with an answer find it, and how many of the others are handed something."""
    found, lookup, texts = (
        opened(chosen),
        _lookup(chosen),
        {each.title: f"{each.title}. {each.about}. {each.text}" for each in _articles(chosen)},
    )
    rows = [row for row in questions(FILES) if row.key]
    first, ten, read, handed = 0, 0, 0, 0
    for row in rows:
        titles = [*dict.fromkeys(passage.title for passage in found.best(asked(row.say).telling))][:AMONG]
        hits = [_answers(row, texts[title]) for title in titles]
        text = lookup(row.say)
        first, ten = first + any(hits[:1]), ten + any(hits)
        read, handed = read + _answers(row, text), handed + bool(text)
    others = {kind: [row for row in questions(FILES) if row.unknowable == kind] for kind in ("unheard_of", "changes")}
    told = {kind: [sum(bool(lookup(row.say)) for row in rows), len(rows)] for kind, rows in others.items()}
    return {"n": len(rows), "first": first, "ten": ten, "read": read, "handed": handed, "unknowable": told}


def _answers(row: Question, text: str) -> bool:
    return bool(re.search(row.key, text.casefold()))


def _articles(chosen: Settings) -> list[Article]:
    content = build.catalog(chosen).path(f"encyclopedia/{LANGUAGE}").read_bytes()
    return [*articles_of(content).values()]


def _lookup(chosen: Settings) -> Callable[[str], str]:
    """The tool itself: what it hands over, empty for nothing."""
    skills = load(skill_context(settings=chosen, model_file=build.catalog(chosen).path))
    tool = next(tool for tool in skills.for_model() if tool.name == "lookup")

    def call(line: str) -> str:
        try:
            return tool.call({"topic": line})
        except CannotBeDone:
            return ""

    return call


def growth(folder: Path, chosen: Settings, articles: int) -> results.Row:
    """Milliseconds of a lookup in a file of SMALL articles and in one of more, by the same questions.

    A small file would be unpacked whole into libzim's memory, a large one never is: both have room for one cluster.
    """
    set_cluster_cache_max_size(UNPACKED_BYTES)
    known = _articles(chosen)
    row: results.Row = {}
    for count in (SMALL, articles):
        path = folder / f"{count}.zim"
        wrote_s = _seconds(lambda path=path, count=count: zim_file.write(path, _made_up(known, count)))  # type: ignore[misc]
        zim = Zim(path)
        first, *others = [_round(zim) for _ in range(ROUNDS)]
        again = [took for each in others for took in each]
        measured = {"first_lookup_ms": results.spread(first), "lookup_ms": results.spread(again)}
        row[str(count)] = {"wrote_s": wrote_s, "bytes": path.stat().st_size} | measured
    ratio = row[str(articles)]["lookup_ms"]["p50"] / row[str(SMALL)]["lookup_ms"]["p50"]
    return row | {"times": round(ratio, 2), "flat": ratio <= FLAT}


def _round(zim: Zim) -> list[float]:
    return [_seconds(lambda line=line: zim.best(asked(line), LANGUAGE)) * 1_000 for line in _lines()]  # type: ignore[misc]


def _lines() -> list[str]:
    return [question.say for question in questions(FILES) if question.key][::6]


def _made_up(known: Sequence[Article], count: int) -> Iterator[tuple[str, str]]:
    """Title and text of the known articles, then of mixtures of two, in which words are as common as in those."""
    yield from ((each.title, each.text) for each in known[:count])
    dice = random.Random(43)
    for number in range(len(known), count):
        one, other = dice.choices(known, k=2)
        yield f"{one.title} {number}", f"{one.text[:200]} {other.text[:300]}"


def _seconds(work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    work()
    return round(time.perf_counter() - began_s, 5)


if __name__ == "__main__":
    exit_with(main)
