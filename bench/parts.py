"""The parts of the bench that need the whole appliance, in processes of its own: starts, spoken turns, written ones.

What they give goes into the bench row.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle
from operator import itemgetter
from pathlib import Path
from statistics import median

from appliance.audio import RATE_HZ, Speech, write_wav
from appliance.models.registry import Catalog
from appliance.settings import Settings
from bench import results
from bench.machine import CHECKOUT
from bench.questions import LONG, MEMORIES, MEMORY_QUESTIONS, QUESTIONS
from bench.results import Row
from bench.speakers import Speakers
from bench.turns import clean

VOICES = ("joe", "slt")
TYPED = {**QUESTIONS, "memory": MEMORY_QUESTIONS}
FIRST = (*QUESTIONS["tool"][:3], QUESTIONS["tool"][0])
"""The first turn after a start, others, and the same line again, which must not be the one before it."""
WARM_STARTS = 3
"""Of half a second each, one first turn swings by as much as is asked about: 1.06 and 1.44 times in one hour."""
WRITTEN_LEAST = 6
"""Tokens of an answer that tells how fast it was written."""
Turn = tuple[str, Row]
"""Its kind, and its record."""


def starts(chosen: Settings) -> Row:
    """Cold: model files out of the kernel's cache, and no snapshot of the prompt's head. Warm: both are there."""
    with tempfile.TemporaryDirectory() as folder:
        _evict(chosen)
        cold = _process(Path(folder), chosen, load=True)
        warm, *more = (_process(Path(folder), chosen, load=True, typed=FIRST) for _ in range(WARM_STARTS))
    first_s, again_s = (median(each["typed"][place]["first_sentence_s"] for each in (warm, *more)) for place in (0, -1))
    return {
        "ready_s": {"cold": cold["ready_s"], "warm": warm["ready_s"]},
        "first_turn": {"first_s": first_s, "again_s": again_s, "ratio": round(first_s / again_s, 2)},
        "rss_mb": {"idle": warm["idle_mb"], "parts": warm["parts_mb"]},
    }


def spoken(chosen: Settings, speakers: Speakers, most: int | None = None) -> Row:
    """Whole turns from recordings, at the pace of a microphone. `most`: of each kind; for a try."""
    asked = [
        (kind, voice, text)
        for kind, texts in QUESTIONS.items()
        for text, voice in list(zip(texts, cycle(VOICES), strict=False))[:most]
    ]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.wav" for number in range(len(asked))]
        for path, (_, voice, text) in zip(paths, asked, strict=True):
            recording = speakers.ask(voice, text)
            write_wav(path, Speech(recording.samples, RATE_HZ))
            write_wav(clean(path), Speech(recording.clean, RATE_HZ))
        measured = _process(Path(folder), chosen, load=True, recordings=paths)
    turns = list(zip([kind for kind, _, _ in asked], measured["spoken"], strict=True))
    return of_spoken(turns) | {"rss_mb": {"peak": measured["peak_mb"]}}


def written(chosen: Settings, most: int | None = None) -> Row:
    """Turns in writing, each in a conversation of its own; then a long one, for the rates."""
    asked = [(kind, text) for kind, texts in TYPED.items() for text in texts[:most]]
    with tempfile.TemporaryDirectory() as folder:
        lines = [*MEMORIES, *(text for _, text in asked), LONG]
        measured = _process(Path(folder), chosen, typed=lines)["typed"]
    turns = list(zip([kind for kind, _ in asked], measured[len(MEMORIES) : -1], strict=True))
    return of_written(turns) | {"rates": model_rates(measured[-1], [record for _, record in turns])}


def of_spoken(turns: Sequence[Turn]) -> Row:
    """`spoken_reuse`: see `reuse`; what was read in the pause before the turn was certain is found there."""
    stages = ("endpoint", "stt", "plan", "tools", "first_audio", "total")
    each = {stage: by_kind([(kind, record["ms"]) for kind, record in turns], itemgetter(stage)) for stage in stages}
    return {
        "spoken_lanes": lanes(turns),
        "first_audio_ms": each.pop("first_audio"),
        "endpoint_ms": each.pop("endpoint"),
        "stage_ms": each,
        "spoken_reuse": reuse([record["model"] for _, record in turns]),
    }


def of_written(turns: Sequence[Turn]) -> Row:
    """`tokens`: of turns with a model call."""
    uses = [(kind, record["model"]) for kind, record in turns if record["model"]["calls"]]
    fresh = [use["fresh_tokens"] for _, use in uses]
    counts = {"prompt": "prompt_tokens", "fresh": "fresh_tokens", "generated": "generated_tokens"}
    return {
        "lanes": lanes(turns),
        "text_turn_s": by_kind(turns, lambda record: record["ms"]["total"] / 1000),
        "first_sentence_s": by_kind(turns, lambda record: record["first_sentence_s"]),
        "calls": by_kind(turns, lambda record: record["model"]["calls"]),
        "tokens": {name: by_kind(uses, itemgetter(key)) for name, key in counts.items()},
        "fresh_tokens": {"p50": results.percentile(fresh, 0.5), "p95": results.percentile(fresh, 0.95)},
        "reuse": reuse([use for _, use in uses]),
    }


def reuse(uses: Sequence[Row]) -> float | None:
    """Share of the prompt tokens that were found in the cache, 0 to 1; None where there was no prompt."""
    fresh, prompt = (sum(use[name] for use in uses) for name in ("fresh_tokens", "prompt_tokens"))
    return round(1 - fresh / prompt, 3) if prompt else None


def lanes(turns: Iterable[Turn]) -> Row:
    """Kind -> lane -> turns: not every question goes where it was meant to."""
    counts: dict[str, Counter[str]] = {}
    for kind, record in turns:
        counts.setdefault(kind, Counter())[record["lane"]] += 1
    return {kind: dict(count) for kind, count in counts.items()}


def by_kind(turns: Sequence[Turn], value: Callable[[Row], float | None]) -> Row:
    """Kind -> spread. `n` counts the turns that have the value: one that was not heard has none."""
    found = [(kind, number) for kind, record in turns if (number := value(record)) is not None]
    kinds = dict.fromkeys(kind for kind, _ in turns)
    return {kind: results.spread([number for of, number in found if of == kind]) for kind in kinds}


def model_rates(long: Row, turns: Sequence[Row]) -> Row:
    """Tokens a second: read, of the one turn whose line is long; written, the median of `turns`; all in one pass."""
    first_s = (long["ms"]["first_token"] or 0) / 1000 if long["model"]["calls"] == 1 else 0
    rates = [rate for record in turns if (rate := _writing_tps(record))]
    return {
        "prefill_tps": round(long["model"]["fresh_tokens"] / first_s, 1) if first_s else None,
        "decode_tps": round(median(rates), 1) if rates else None,
    }


def _writing_tps(record: Row) -> float | None:
    """None of a turn that wrote too little to tell, or in more than one pass."""
    use, ms = record["model"], record["ms"]
    written_s = (ms["total"] - (ms["first_token"] or ms["total"])) / 1000
    long = use["calls"] == 1 and use["generated_tokens"] >= WRITTEN_LEAST
    return (use["generated_tokens"] - 1) / written_s if long and written_s > 0 else None


def _process(
    state: Path,
    chosen: Settings,
    *,
    load: bool = False,
    recordings: Sequence[Path] = (),
    typed: Sequence[str] = (),
) -> Row:
    """The turns of a plan, taken in a fresh process. Its progress goes to stderr."""
    plan = {"load": load, "spoken": [str(path) for path in recordings], "typed": list(typed)}
    command = [sys.executable, "-m", "bench.turns", "--state", str(state)]
    command += ["--profile", chosen.profile, "--model", chosen.thought.model]
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
