"""A line of several requests is cut before the model reads it; whatever is no request of its own stays where it is."""

from __future__ import annotations

import pytest

from appliance.reply.understanding.apart import Apart
from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.signs import SignReader
from appliance.skills.clock.places import is_known

SIGNS = SignReader("en", is_known)
APART = Apart(FastLane("en", is_known), SIGNS, {"send_message", "unlock_door"})


def texts(line: str) -> list[str]:
    return [piece.text for piece in APART.pieces(line, SIGNS.read(line))]


@pytest.mark.parametrize(
    "parts",
    [
        ("Turn the hall light off", " and ", "put oats on the shopping list"),
        ("switch the fan on", " and ", "the desk lamp off"),
        ("What's the forecast for Sunday", "? And ", "what's on the packing list?"),
        ("hall lamp off", ", ", "20 minutes for the buns"),
        ("turn the hall light off", " and ", "be quiet"),
        ("remember the sweep wants 40 pounds in cash", " and ", "do me 5 minutes for the soft eggs"),
        ("remember the roofer comes on Monday", " and ", "um go down to 30 percent"),
        ("my hands are wet so give me 10 minutes for the buns", " and ", "put oats on the shopping list"),
        ("put oats on the shopping list", " and ", "20 minutes on the clock for the soup"),
    ],
)
def test_requests_are_parted(parts: tuple[str, str, str]) -> None:
    assert texts("".join(parts)) == [*parts[::2]]


def test_what_a_sum_is_for_is_no_request() -> None:
    assert texts("what's 7 times 12, it's for her maths") == ["what's 7 times 12"]
    assert texts("turn it up, it's for her maths") != ["turn it up"]


def test_what_is_asked_about_comes_last() -> None:
    message, oven = "text Nils that the bus is late", "turn the oven off"
    assert texts(f"{message} and {oven}") == [oven, message]


@pytest.mark.parametrize(
    "line",
    [
        "put oats and rye flour on the shopping list",
        "set a timer for an hour and ten minutes",
        "I've put the rice on, give me a shout in eighteen minutes",  # why, and no request
        "turn the lamp on and dim it to thirty",  # it is the lamp
        "look up how high Snowdon is and convert that to feet",
        "text Nils that the bus is late and that I am hungry",
        "message Nils the kids are asleep, keep it down",
        "tell Odile to come in and be quiet",
        "text Nils hello and message Ada goodbye",  # one yes would be for which
        "if it rains, close the window and send Ada a message",
    ],
)
def test_one_request_is_left_whole(line: str) -> None:
    assert len(texts(line)) < 2


def test_a_question_tag_is_nothing_by_itself() -> None:
    (piece,) = APART.pieces("Cancel the bread timer, would you?", SIGNS.read("Cancel the bread timer, would you?"))
    assert [match.intent for match in piece.matches] == ["cancel_timer"]
