"""Prints the figures of appliance/reply/confidence.py: how likely an answer is right, by how unlikely its words are.

    python -m models.training.make_sure

The model answers the questions of `questions/` behind the head of the world, without an adapter. A logistic regression
is fitted on `first.yaml`; how it does on `second.yaml` is printed beside it. Some five minutes on 2 EPYC cores.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import build
from appliance.audio import never
from appliance.ports import Message, Usage
from appliance.reply import prompt
from appliance.reply.confidence import CERTAIN, GUESSED, log_odds
from appliance.reply.line import LineReader
from appliance.reply.select import ASKED
from appliance.reply.sentence import SentenceGrammar
from bench import command, evaluate, quiz
from models.training.lines import in_digits
from models.training.questions import FILES, questions

RIDGE = 0.1
"""Of the squared weights, so that few questions do not make them large."""
STEPS = 50
BINS = (0.0, GUESSED, CERTAIN, 1.0)
Row = tuple[str, bool, tuple[float, float, float]]
"""What can be known of a question, whether the answer was right, and what tells: 1, log-odds of unheard of, doubt."""


def rows(name: str, reader: LineReader, folder: Path) -> Iterator[Row]:
    """Of the questions that would be answered so."""
    chosen = evaluate.patient(command.settings_of(folder))
    chosen = chosen.model_copy(update={"thought": chosen.thought.model_copy(update={"taught": False})})
    with build.parts(chosen, build.clock(chosen)) as parts:
        parts.local_llm.pin([prompt.world_head()])
        for row in questions([name]):
            line, usage = reader.read(row.say), Usage()
            if line.world < ASKED:
                continue
            asked = [*prompt.world_head(), Message("user", row.say, turn_begins=True)]
            said = "".join(parts.local_llm.generate(asked, SentenceGrammar(), 96, usage, never))
            right = quiz.verdict(row, said).startswith("right")
            yield row.unknowable or "known", right, (1.0, log_odds(line.unheard_of), usage.doubt or 0.0)


def fitted(known: Sequence[Row]) -> NDArray[np.float64]:
    """The three weights, by Newton's method."""
    told, right = np.array([each[2] for each in known]), np.array([each[1] for each in known], float)
    weights, ridge = np.zeros(told.shape[1]), RIDGE * np.diag([0.0, 1.0, 1.0])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-told @ weights))
        slope = told.T @ (right - likely) - ridge @ weights
        weights += np.linalg.solve(told.T @ (told * (likely * (1 - likely))[:, None]) + ridge, slope)
    return weights


def main() -> None:
    reader, found = LineReader("en", partial(in_digits, language="en")), dict[str, list[Row]]()
    for name in FILES:
        with tempfile.TemporaryDirectory() as folder:
            found[name] = list(rows(name, reader, Path(folder)))
    weights = fitted(found[FILES[0]])
    print("BIAS, BY_UNHEARD_OF, BY_DOUBT =", ", ".join(f"{weight:.2f}" for weight in weights))
    for name, known in found.items():
        for least, most in pairwise(BINS):
            inside = [each for each in known if least <= 1 / (1 + math.exp(-np.dot(weights, each[2]))) < most]
            counts = Counter(f"{kind}, {'right' if right else 'not right'}" for kind, right, _ in inside)
            print(f"{name}, {least} to {most}: {dict(counts)}")


if __name__ == "__main__":
    main()
