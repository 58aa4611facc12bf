"""A reminder says what is to be done without the mark of "remind me to"."""

from __future__ import annotations

import pytest

from appliance.language.infinitives import bare_infinitive


@pytest.mark.parametrize(
    ("said", "told"),
    [
        *[("Mama anzurufen", "Mama anrufen"), ("die Miete zu zahlen", "die Miete zahlen"), ("zu trinken", "trinken")],
        *[("die Tür zuzumachen", "die Tür zumachen"), ("zum Arzt zu gehen", "zum Arzt gehen")],
        *[("den Besuch zu Ostern", "den Besuch zu Ostern"), ("das Zubehör", "das Zubehör"), ("Anzug", "Anzug")],
    ],
)
def test_german(said: str, told: str) -> None:
    assert bare_infinitive(said, "de") == told


def test_english_has_none() -> None:
    assert bare_infinitive("go to sleep", "en") == "go to sleep"
