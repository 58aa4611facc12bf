"""A secret that was taken out of a line is spoken of as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import Rig

from appliance.reply.discreet import PLACEHOLDER, Discreet
from appliance.reply.phrases import phrases
from appliance.tts.text import TextMouth

SAYS = phrases("en")


def told(*pieces: str) -> str:
    mouth = Discreet(TextMouth(), "something secret")
    for piece in pieces:
        mouth.say(piece)
    return mouth.finish()


@pytest.mark.parametrize("pieces", [("It is [password].",), ("It is [", "pass", "word", "]."), (*"It is [password].",)])
def test_placeholder_is_not_for_the_ear(pieces: tuple[str, ...]) -> None:
    assert told(*pieces) == "It is something secret."


@given(st.lists(st.sampled_from(["[", "]", "[A1]", "[no", " ", "ab", ". ", "[1, 2]", f"[{'x' * 40}]"]), max_size=8))
def test_nothing_else_is_changed(pieces: list[str]) -> None:
    plain, discreet = Pieces(), Pieces()
    mouth = Discreet(discreet, "something secret")
    for piece in pieces:
        mouth.say(piece)
        plain.say(piece)
    assert mouth.finish() == PLACEHOLDER.sub("something secret", plain.finish())


class Pieces:
    """A mouth that gives back all it was given."""

    def __init__(self) -> None:
        self._text = ""

    def say(self, text: str) -> None:
        self._text += text

    def finish(self) -> str:
        return self._text


def test_what_is_not_kept_is_not_claimed_to_be() -> None:
    rig = Rig('remember(fact="The user\'s wifi password is [password].")', "say [password].")
    assert rig.say("remember that my wifi password is Fish!Chips.2").said == f"I will remember that. {SAYS.unkept}"
    record = rig.say("so what do I type in for the network")
    assert "[" not in record.said
    assert SAYS.hidden in record.said


def test_other_brackets_hide_nothing() -> None:
    assert told("It is [chuckles ", "softly] late.") == "It is [chuckles softly] late."


def test_a_placeholder_with_a_hyphen_is_none_for_the_ear_either() -> None:
    assert told("Write to [e-mail addr", "ess] today.") == "Write to something secret today."
