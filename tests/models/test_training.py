"""What was learnt and ships was learnt from the lines that are here today, but for a few."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.reply.line import WORLD
from appliance.reply.understanding.intents import intents
from models.training import make_trigrams
from models.training.lines import LANGUAGE, Line, known, of_the_world, taught

OTHER = 0.02
"""The share of words that may be others before something has to be made again."""
REMEDY = "make it again: the command is in models/artefacts.toml"


def words(file: bytes) -> set[str]:
    return set(file.decode().split("\n"))


@pytest.mark.parametrize(
    ("name", "lines"), [(LANGUAGE, taught()), (f"{LANGUAGE}.{WORLD}", of_the_world())], ids=["tools", "world"]
)
def test_the_classifier_knows_the_words_and_labels_of_its_lines(name: str, lines: list[Line]) -> None:
    ships, today = intents(name), known(lines)
    assert ships
    assert set(ships.tools) == {label for labels, _ in lines for label in labels}, REMEDY
    assert np.sum(ships.known != today) < OTHER * np.sum(today), REMEDY


def test_the_word_model_knows_the_words_of_its_lines() -> None:
    today = words(make_trigrams.counted(make_trigrams.lines(LANGUAGE))["words"].tobytes())
    with np.load(make_trigrams.TARGET / f"{LANGUAGE}.npz") as ships:
        assert len(words(ships["words"].tobytes()) ^ today) < OTHER * len(today), REMEDY
