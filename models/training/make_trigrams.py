"""Writes appliance/stt/household/: how people talk to a box in the house, counted in the lines of lines.py.

    python -m models.training.make_trigrams

The lines are written as a recogniser writes: numbers in digits, a sign at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.reply.understanding.templates import templates
from appliance.stt.trigrams import EDGE, ORDER, WORD, numbered
from models.training.lines import LANGUAGE, taught

TARGET = Path(__file__).parents[2] / "appliance" / "stt" / "household"
AMERICAN = {"metre": "meter", "litre": "liter", "colour": "color", "favour": "favor", "neighbour": "neighbor"}
"""Most of the lines are British, and a recogniser spells either way: what can be spelt so is counted so as well."""
QUESTION = re.compile(r"(what|how|who|where|when|which|why|is|are|do|does|did|can|could|will|would)\b")


def lines(language: str) -> list[list[str]]:
    said = [line for _, line in taught()]
    respelt = [other for line, other in zip(said, map(american, said), strict=True) if other != line]
    return [written(line, language) for line in [*said, *respelt]]


def american(line: str) -> str:
    for british, spelling in AMERICAN.items():
        line = line.replace(british, spelling)
    return line


def written(said: str, language: str) -> list[str]:
    """The words and signs of a line."""
    words = templates(language)
    assert words, f"numbers in {language} are not known"
    line = words.in_digits(said.strip()).casefold().replace("’", "'")
    if line[-1] not in ".?!":
        line += "?" if QUESTION.match(line) else "."
    return WORD.findall(line)


def counted(said: Sequence[Sequence[str]]) -> dict[str, NDArray[Any]]:
    """What the file holds: the words, sorted, and how often each run of one, two and three of them was said."""
    words = sorted({EDGE, *(word for line in said for word in line)})
    index = {word: place for place, word in enumerate(words)}
    arrays: dict[str, NDArray[Any]] = {"words": np.frombuffer("\n".join(words).encode(), np.uint8)}
    for length in range(1, ORDER + 1):
        counts = Counter[int]()
        for line in said:
            run = [index[word] for word in [*[EDGE] * (ORDER - 1), *line, EDGE]]
            counts.update(numbered(run[end - length : end], len(words)) for end in range(ORDER, len(run) + 1))
        arrays[f"runs{length}"] = np.array(sorted(counts), np.int64)
        arrays[f"counts{length}"] = np.array([counts[run] for run in sorted(counts)], np.int64)
    return arrays


def main() -> None:
    said = lines(LANGUAGE)
    made = counted(said)
    np.savez_compressed(TARGET / f"{LANGUAGE}.npz", allow_pickle=False, **made)
    print(f"{LANGUAGE}: {len(said)} lines, {len(made['runs1'])} words, {len(made['runs3'])} runs of three")


if __name__ == "__main__":
    main()
