"""What is a yes to "Shall I unlock the front door?", and what only sounds like one."""

from __future__ import annotations

from typing import Any

import pytest
from rig import SENDER, Rig


def asked() -> Rig:
    rig = Rig('unlock_door(door="front door")', *["say Fine."] * 3)
    assert rig.say("unlock the front door").said == "Shall I unlock the front door?"
    return rig


def done(line: str) -> list[tuple[str, Any]]:
    """What it leads to that somebody says `line` then."""
    rig = asked()
    rig.say(line)
    return rig.home.did


@pytest.mark.parametrize(
    "line",
    [
        "yes, ta",
        "oh god yes",
        "yes if you'd be so kind",
        "aye go on then",
        "ta, yes",
        "yeah cheers mate",
        "if you wouldn't mind",
        "that'd be grand",
        "lovely, yes",
        "spot on, love",
        "hell yes",
        "yes i would",
        "just do it",
        "yes he's outside in the rain",
        "right, unlock it please",
    ],
)
def test_yes(line: str) -> None:
    assert done(line) == [("unlock_door", "front door")]


@pytest.mark.parametrize(
    "line",
    [
        "okay that'll do",
        "right would you",
        "obviously she's home",
        "righto, I'm off",
        "okay ta",
        "okay cheers mate",
        "oh brilliant",
        "well I would",
        "okay darling come here",
        "right, that's it, bed time",
        "great, that's dinner ruined",
        "lovely but no",
        "not that, the back door",
        "hang on",
        "let's see",
    ],
)
def test_no_yes(line: str) -> None:
    assert not done(line)


@pytest.mark.parametrize(
    "line", ["god no", "hell no", "no ta, love", "not a chance", "yeah no ta", "best not", "later"]
)
def test_no(line: str) -> None:
    assert asked().say(line).said == "All right, I will leave it."


@pytest.mark.parametrize("words", ["that'd be lovely", "brilliant, thanks mate", "later", "righto"])
def test_what_to_say_is_no_answer(words: str) -> None:
    rig = Rig('send_message(to="Gwen")', "say Fine.", more_tools=[SENDER])
    assert rig.say("send gwen a message").said == "What should it say?"
    assert words in rig.say(words).said.lower()
