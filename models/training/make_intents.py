"""Writes appliance/reply/intents/: which tools a line calls for, learnt from the offers of the skills (lines.py), and
whether it asks of the world at large, learnt from `world.tsv`.

    pip install scikit-learn==1.7.2 && python -m models.training.make_intents

Prints how good they are: `unseen.<language>.tsv` was written by somebody who saw none of the other lines, `questions/`
by two strangers; all are only measured on. Nothing is drawn by lot, so there is no seed. The library is needed for this
alone, so it is no requirement of the box or of the tests.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from appliance.reply.line import ELSEWHERE, WORLD
from appliance.reply.select import ASKED
from appliance.reply.understanding.intents import BUCKETS, NONE, Intents, features
from appliance.skills.loader import on_board
from appliance.skills.written import Offers
from models.training.lines import LANGUAGES, WORLDLY, Line, file, in_digits, known, of_the_world, rows, taught
from models.training.questions import FILES, questions

TARGET = Path(__file__).parents[2] / "appliance" / "reply" / "intents"
ON_BOARD = {tool for folder, _ in on_board() for tool in Offers(folder, LANGUAGES[0])}
NO_TOOL = {NONE, ELSEWHERE, *(folder.name for folder, _ in on_board())}
"""Labels beside those of the tools and of what the box lacks."""
CALLED_FOR = 0.25
"""How likely a tool must be to be one, here where the likeliest is counted."""
STRENGTH = 25.0
"""Inverse of the regularisation: the likeliest was right in 95.5 % of the unseen lines, 94.5 with 10, 95.0 with 60
(2026-11-23)."""


def matrix(said: list[str], known: NDArray[np.bool_]) -> csr_matrix:
    each = [features(line, known) for line in said]
    places = [row for row, found in enumerate(each) for _ in found]
    columns = [bucket for found in each for bucket in found]
    values = [weight for found in each for weight in found.values()]
    return csr_matrix((values, (places, columns)), shape=(len(each), BUCKETS))


def teach(lines: list[Line]) -> Intents:
    tools = sorted({tool for each, _ in lines for tool in each}, key=lambda tool: (tool == NONE, tool))
    said = [line for _, line in lines]
    words = known(lines)
    wanted = np.array([[tool in each for tool in tools] for each, _ in lines], int)
    model = OneVsRestClassifier(LogisticRegression(C=STRENGTH, max_iter=1_000))
    model.fit(matrix(said, words), wanted)
    weights = np.vstack([each.coef_[0] for each in model.estimators_])
    scale = np.abs(weights).max(axis=1) / 127
    bias = np.array([each.intercept_[0] for each in model.estimators_], np.float32)
    rounded = np.round(weights / scale[:, None]).astype(np.int8)
    return Intents(tuple(tools), rounded, scale.astype(np.float32), bias, words)


def main() -> None:
    for language in LANGUAGES:
        made = teach(taught(language))
        keep(made, language)
        told(made, language)
    world = teach(of_the_world())
    keep(world, f"{WORLDLY}.{WORLD}")
    for kind, said in unseen_questions().items():
        found = [world.read(in_digits(line, WORLDLY))[WORLD] >= ASKED for line in said]
        print(f"of the world: {sum(found)} of {len(found)} questions, {kind}")


def told(made: Intents, language: str) -> None:
    """Print how many of the unseen lines are taken rightly. Those for what no skill does call for no tool."""
    unseen = [({*tools} & ON_BOARD, said) for tools, said in rows(file("unseen", language))]
    unseen = [(tools, in_digits(said, language)) for tools, said in unseen]
    ours = [likeliest(made, said) in tools for tools, said in unseen if tools]
    others = [likeliest(made, said) not in ON_BOARD for tools, said in unseen if not tools]
    print(f"{language}: of {len(ON_BOARD)} tools the right one for {sum(ours)} of {len(ours)} unseen lines,", end=" ")
    print(f"none for {sum(others)} of {len(others)} others")


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
    found = {name: score for name, score in made.read(said).items() if name not in NO_TOOL}
    best = max(found, key=found.__getitem__)
    return best if found[best] > CALLED_FOR else NONE


if __name__ == "__main__":
    main()
