"""How fast and how large it is, part by part and as a whole, beside what issue 2 asks for: `make bench`.

Run it on a quiet machine. Exit code 0 when every target is met, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from appliance import settings
from appliance.audio import RATE_HZ, Speech, write_wav
from appliance.catalog import Catalog
from appliance.settings import Settings
from bench import components, exit_with, results
from bench.machine import CHECKOUT
from bench.results import Row
from bench.speakers import Speakers

VOICES = ("joe", "slt")
QUESTIONS = {
    "fast": (
        "What time is it in Buenos Aires?",
        "What's twenty six times nineteen?",
        "Please start a timer for twenty five minutes.",
        "How many centimetres are in three yards?",
        "What is fifteen percent of three hundred and sixty?",
        "How much time is left on my timer?",
        "Set the volume to forty five percent, please.",
        "What day of the week is it today?",
    ),
    "tool": (
        "My aunt just moved to Buenos Aires, is it late in the evening over there?",
        "I bought twenty six tickets at nineteen each, how much did I spend?",
        "The bread has to rise for three quarters of an hour, keep an eye on it for me.",
        "The carpet is three yards long, so what would that be in centimetres?",
        "The meal was three hundred and sixty, what should I leave if I tip fifteen percent?",
        "I have a headache, so could you talk a good deal more softly?",
        "Wake me from my nap on the sofa in twenty minutes, would you?",
        "I can't be bothered to work it out, what do I get for a dozen eggs at thirty cents?",
    ),
    "talk": (
        "Tell me something nice about rainy Sunday mornings.",
        "Why do people like sitting around a camp fire?",
        "What would you cook for a friend who is sad?",
        "Is it a good idea to keep a diary, do you think?",
        "What makes a good neighbour, in your opinion?",
        "I had a rather long and boring day at the office.",
        "Do you think that cats look down on people?",
        "What could I do with an afternoon all to myself?",
    ),
}
"""2 to 4 s each when spoken (issue 2); no prompt holds them. The sentences of `fast` are those that need no model."""
MEMORIES = ("Please remember that my bicycle lock is the green one with the scratch on it.",)
MEMORY_QUESTIONS = (
    "Which of the bicycle locks is mine, do you still know?",
    "Have I told you anything about my bicycle?",
    "What colour did I say that my lock has?",
)
LONG = (
    "I want your opinion on how we spent last weekend, so listen. On Saturday we drove out to the lake with the "
    "whole family, my brother brought his canoe, and the children built a raft out of driftwood that sank after "
    "about ten minutes, which they found hilarious. Later we grilled some trout that a neighbour had caught, and my"
    " mother told the story of how she once rowed across in the fog and landed at the wrong village, where a baker "
    "gave her breakfast and a lift home on his cart. On Sunday it rained without a break, so we stayed in, played "
    "cards, repaired the kitchen chair that has wobbled since spring, and in the evening we looked through a box of"
    " old photographs and argued about who was in them. Was that a good weekend?"
)
"""Some 160 tokens that no prefix holds: what a prompt costs to read."""

TARGETS: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("speech to text, tiny.en, s", ("rates", "stt_by_model_s", "whisper-tiny.en"), 0.35),
    ("speech to text, base, s", ("rates", "stt_by_model_s", "whisper-base"), 0.7),
    ("first audio of the fast lane, p50 ms", ("first_audio_ms", "fast", "p50"), 2_000),
    ("first audio of a tool turn, p50 ms", ("first_audio_ms", "tool", "p50"), 2_000),
    ("first audio of small talk, p50 ms", ("first_audio_ms", "talk", "p50"), 2_500),
    ("peak memory, MB", ("rss_mb", "peak"), 2_300),
)
"""What is measured, where it stands in the row, and the most it may be (issue 2, "Must show")."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.bench", description=__doc__)
    parser.add_argument("--profile", metavar="NAME")
    options = parser.parse_args(argv)
    chosen = settings.load(profile=options.profile)
    row = results.new(chosen)
    print(results.heading(row), end="\n\n", flush=True)
    row |= measure(chosen, Speakers(chosen))
    print(report(row))
    print(f"row: {results.save(row, '').relative_to(CHECKOUT)}")
    return 0 if all(met(row, path, most) for _, path, most in TARGETS) else 1


def measure(chosen: Settings, speakers: Speakers) -> Row:
    """The bench row of spec/interface.md; null where nothing is measured yet."""
    parts = components.measure(chosen, speakers)
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        _evict(chosen)
        cold = _process(state, chosen, {"spoken": [], "typed": []})
        warm = _process(state, chosen, {"spoken": _recordings(state, speakers), "typed": [*MEMORIES, *_TYPED, LONG]})
    row = of_turns(warm)
    row["rates"] |= parts
    row["ready_s"] = {"cold": cold["ready_s"], "warm": warm["ready_s"]}
    row["rss_mb"] = {"idle": warm["idle_mb"], "peak": warm["peak_mb"]}
    return row | {"profile": chosen.profile, "reference": None, "growth": None}


_SPOKEN = [
    (kind, voice, text) for kind, texts in QUESTIONS.items() for text, voice in zip(texts, cycle(VOICES), strict=False)
]
_TYPED_BY_KIND = {**QUESTIONS, "memory": MEMORY_QUESTIONS}
_TYPED = [text for texts in _TYPED_BY_KIND.values() for text in texts]
KINDS = tuple(_TYPED_BY_KIND)
_SPOKEN_KINDS = [kind for kind, _, _ in _SPOKEN]
_TYPED_KINDS = [kind for kind, texts in _TYPED_BY_KIND.items() for _ in texts]


def of_turns(measured: Row) -> Row:
    """What the turns of one process say: those of `_SPOKEN`, then those of `_TYPED` and the long one."""
    spoken = list(zip(_SPOKEN_KINDS, measured["spoken"], strict=True))
    typed = list(zip(_TYPED_KINDS, measured["typed"][len(MEMORIES) : -1], strict=True))
    uses = [record["model"] for _, record in spoken + typed if record["model"]["calls"]]
    fresh, prompt = [use["fresh_tokens"] for use in uses], sum(use["prompt_tokens"] for use in uses)
    return {
        "lanes": {kind: dict(Counter(record["lane"] for of, record in spoken + typed if of == kind)) for kind in KINDS},
        "first_audio_ms": _by_kind(spoken, lambda record: record["ms"]["first_audio"]),
        "endpoint_ms": _by_kind(spoken, lambda record: record["ms"]["endpoint"]),
        "text_turn_s": _by_kind(typed, lambda record: record["ms"]["total"] / 1000),
        "calls": _by_kind(typed, lambda record: record["model"]["calls"]),
        "fresh_tokens": {"p50": results.percentile(fresh, 0.5), "p95": results.percentile(fresh, 0.95)},
        "reuse": round(1 - sum(fresh) / prompt, 3) if prompt else None,
        "rates": _model_rates(measured["typed"][-1]) | {"grammar_ms_per_token": None},
    }


def _by_kind(turns: list[tuple[str, Row]], value: Callable[[Row], float | None]) -> Row:
    """Kind -> spread. `n` counts the turns that have the value: one that was not heard has none."""
    found = [(kind, number) for kind, record in turns if (number := value(record)) is not None]
    kinds = dict.fromkeys(kind for kind, _ in turns)
    return {kind: results.spread([number for of, number in found if of == kind]) for kind in kinds}


def _model_rates(record: Row) -> Row:
    """Tokens a second, from the one turn whose prompt and answer are long."""
    use, first_s, total_s = record["model"], (record["ms"]["first_token"] or 0) / 1000, record["ms"]["total"] / 1000
    return {
        "prefill_tps": round(use["fresh_tokens"] / first_s, 1) if first_s else None,
        "decode_tps": round(use["generated_tokens"] / (total_s - first_s), 1) if total_s > first_s else None,
    }


def report(row: Row) -> str:
    """Every figure of the issue beside its target, then the rest."""
    lines = [
        f"{what:38}{_value(row, path)!s:>8}   at most {most:5g}   {'ok' if met(row, path, most) else 'missed'}"
        for what, path, most in TARGETS
    ]
    rest = (
        "lanes",
        "first_audio_ms",
        "endpoint_ms",
        "text_turn_s",
        "fresh_tokens",
        "reuse",
        "rates",
        "ready_s",
        "rss_mb",
    )
    return "\n".join([*lines, "", *(f"{key:16}{json.dumps(row[key])}" for key in rest)])


def met(row: Row, path: tuple[str, ...], most: float) -> bool:
    value = _value(row, path)
    return value is not None and value <= most


def _value(row: Row, path: tuple[str, ...]) -> float | None:
    found: Any = row
    for key in path:
        found = found.get(key) if found else None
    return found  # type: ignore[no-any-return]


def _recordings(folder: Path, speakers: Speakers) -> list[str]:
    paths = [folder / f"{number}.wav" for number in range(len(_SPOKEN))]
    for path, (_, voice, text) in zip(paths, _SPOKEN, strict=True):
        write_wav(path, Speech(speakers.ask(voice, text).samples, RATE_HZ))
    return [str(path) for path in paths]


def _process(state: Path, chosen: Settings, plan: Row) -> Row:
    """The turns of `plan`, taken in a fresh process. Its progress goes to stderr."""
    command = [sys.executable, "-m", "bench.turns", "--state", str(state), "--profile", chosen.profile]
    done = subprocess.run(command, input=json.dumps(plan), stdout=subprocess.PIPE, text=True, check=True, cwd=CHECKOUT)
    measured: Row = json.loads(done.stdout.splitlines()[-1])
    return measured


def _evict(chosen: Settings) -> None:
    """Have the kernel forget the model files, as after a boot."""
    catalog = Catalog(chosen.models)
    for name in catalog.wanted(chosen):
        for file in catalog.model(name).files:
            with catalog.path(name, file.key).open("rb") as handle:
                os.posix_fadvise(handle.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    exit_with(main)
