"""Writes appliance/reply/intents/: which tools a line calls for, learnt from intents/*.tsv; prints how good it is.

    pip install scikit-learn==1.7.2 && python models/make_intents.py

A line of a `.tsv`: tools, a tab, what was said. Two that are called for are joined with +, two that would do with |;
`none` is a line that calls for none. `<language>.unseen.tsv` was written by somebody who saw none of the others, and is
only measured on. The library is needed for this alone, so it is no requirement of the box or of the tests.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from appliance.reply.understanding.intents import BUCKETS, NONE, Intents, buckets, features, tokens
from appliance.reply.understanding.world import ASKED, WORLD
from bench import quiz

HERE = Path(__file__).parent / "intents"
TARGET = HERE.parent.parent / "appliance" / "reply" / "intents"
CALLED_FOR = 0.25
"""How likely a tool must be to be one, here where the likeliest is counted."""
KNOWN_LEAST = 2
"""Lines that a word is known from: what was said in one alone is as strange as what the box will hear."""
STRENGTH = 25.0
"""Inverse of the regularisation: the likeliest was right in 95.5 % of the unseen lines, 94.5 with 10, 95.0 with 60
(2026-11-23)."""


def lines(path: Path) -> list[tuple[list[str], str]]:
    """The tools of each line, and the line."""
    rows = (row.partition("\t") for row in path.read_text("utf-8").splitlines() if row.strip())
    return [(re.split(r"[+|]", tools), said) for tools, _, said in rows]


def matrix(said: list[str], known: NDArray[np.bool_]) -> csr_matrix:
    rows = [features(line, known) for line in said]
    places = [row for row, found in enumerate(rows) for _ in found]
    columns = [bucket for found in rows for bucket in found]
    values = [weight for found in rows for weight in found.values()]
    return csr_matrix((values, (places, columns)), shape=(len(rows), BUCKETS))


def teach(taught: list[tuple[list[str], str]]) -> Intents:
    tools = sorted({tool for each, _ in taught for tool in each}, key=lambda tool: (tool == NONE, tool))
    said = [line for _, line in taught]
    lines_with = Counter(word for line in said for word in set(tokens(line)))
    known = buckets(word for word, count in lines_with.items() if count >= KNOWN_LEAST)
    wanted = np.array([[tool in each for tool in tools] for each, _ in taught], int)
    model = OneVsRestClassifier(LogisticRegression(C=STRENGTH, max_iter=1_000))
    model.fit(matrix(said, known), wanted)
    weights = np.vstack([each.coef_[0] for each in model.estimators_])
    scale = np.abs(weights).max(axis=1) / 127
    bias = np.array([each.intercept_[0] for each in model.estimators_], np.float32)
    rounded = np.round(weights / scale[:, None]).astype(np.int8)
    return Intents(tuple(tools), rounded, scale.astype(np.float32), bias, known)


def asks_of_the_world(asked: list[tuple[list[str], str]], all_else: list[tuple[list[str], str]]) -> Intents:
    """all_else: lines of every kind; those that are not among `asked` do not ask of it."""
    listed = {line.casefold() for _, line in asked}
    return teach([*asked, *(([NONE], line) for _, line in all_else if line.casefold() not in listed)])


def main() -> None:
    for path in sorted(HERE.glob("*.unseen.tsv")):
        language = path.name.partition(".")[0]
        taught = lines(HERE / f"{language}.tsv")
        made = teach(taught)
        keep(made, language)
        right = [likeliest(made, said) in tools for tools, said in lines(path)]
        print(f"{language}: {len(made.tools) - 1} tools; right of {len(right)} unseen lines: {np.mean(right):.1%}")
        world = asks_of_the_world(lines(HERE / f"{language}.{WORLD}.tsv"), taught)
        keep(world, f"{language}.{WORLD}")
        for kind, said in unseen_questions().items():
            told = [world.read(line)[WORLD] >= ASKED for line in said]
            print(f"{language}: of the world: {sum(told)} of {len(told)} questions, {kind}")


def keep(made: Intents, name: str) -> None:
    arrays = {"weights": made.weights, "scale": made.scale, "bias": made.bias, "known": np.packbits(made.known)}
    np.savez_compressed(TARGET / f"{name}.npz", tools=np.array(made.tools), **arrays)


def unseen_questions() -> dict[str, list[str]]:
    """Of `bench/quiz/`, by what can be known of them."""
    found = defaultdict[str, list[str]](list)
    for row in quiz.questions(quiz.FILES):
        found[row.unknowable or "known"].append(row.say)
    return found


def likeliest(made: Intents, said: str) -> str:
    found = made.read(said)
    del found[NONE]
    best = max(found, key=found.__getitem__)
    return best if found[best] > CALLED_FOR else NONE


if __name__ == "__main__":
    main()
