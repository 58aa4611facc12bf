"""What takes, refuses and ends a call, and what must not take one."""

from __future__ import annotations

import pytest

from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.in_call import in_call
from appliance.wording import said

LANES = {language: FastLane(language, name="Jarvis") for language in ("en", "de")}
SAID: dict[tuple[str, str | None], list[str]] = {
    ("en", "take"): ["Yes.", "yes please", "Answer.", "answer the call", "take it", "pick up", "Jarvis, answer it"],
    ("en", "refuse"): ["no", "No thanks.", "not now", "decline the call", "don't answer"],
    ("en", "end"): ["stop", "Hang up.", "hang up please", "end the call", "Jarvis, stop the call"],
    ("en", None): [
        "okay",
        "sure",
        "right",
        "yes I told you so",
        "the answer is no good",
        "hang up your coat",
    ],
    ("de", "take"): ["Ja.", "ja bitte", "annehmen", "nimm an", "nimm den Anruf an", "geh ran", "heb ab"],
    ("de", "refuse"): ["nein", "jetzt nicht", "ablehnen", "geh nicht ran"],
    ("de", "end"): ["stopp", "auflegen", "leg auf", "beende das Gespräch", "Jarvis, leg auf"],
    ("de", None): ["okay", "klar", "genau", "ja das habe ich gesagt", "leg das Buch auf den Tisch"],
}


@pytest.mark.parametrize(
    ("language", "meant", "line"), [(*key, line) for key, lines in SAID.items() for line in lines], ids=str
)
def test_a_line_is_to_a_call_what_it_says(language: str, meant: str | None, line: str) -> None:
    assert in_call(LANES[language], line) == meant


@pytest.mark.parametrize("language", LANES)
def test_no_part_of_what_the_box_says_as_it_rings_takes_the_call(language: str) -> None:
    """There is no echo cancellation: it may hear any part of itself."""
    words = said("call_came", language).format(box="living room").split()
    parts = [" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
    assert {part: in_call(LANES[language], part) for part in parts} == dict.fromkeys(parts)
