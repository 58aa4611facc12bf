"""What was learnt and ships was learnt from the lines that are here today, but for a few."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.reply.line import WORLD
from appliance.reply.understanding.intents import intents
from models.training.lines import LANGUAGES, WORLDLY, Line, known, of_the_world, taught

OTHER = 0.02
"""The share of words that may be others before something has to be made again."""
REMEDY = "make it again: the command is in models/artefacts.toml"


@pytest.mark.parametrize(
    ("name", "lines"),
    [*((language, taught(language)) for language in LANGUAGES), (f"{WORLDLY}.{WORLD}", of_the_world())],
    ids=[*LANGUAGES, "world"],
)
def test_the_classifier_knows_the_words_and_labels_of_its_lines(name: str, lines: list[Line]) -> None:
    ships, today = intents(name), known(lines)
    assert ships
    assert set(ships.tools) == {label for labels, _ in lines for label in labels}, REMEDY
    assert np.sum(ships.known != today) < OTHER * np.sum(today), REMEDY
