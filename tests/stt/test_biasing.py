"""Known names in a transcript: how they are written, and what becomes likelier."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.stt.biasing import BEGUN, BEGUN_PER_LETTER, GOES_ON, Bias, Vocabulary

PAIRS = [b" m", b"oc", b"och", b" r", b" ro", b"as", b"ast", b" M", b" d", b" da", b"rk", b"ha"]
"""In the order in which they are merged."""
TEXTS = [*(bytes([byte]) for byte in range(256)), *PAIRS]
VOCABULARY = Vocabulary(TEXTS)


def number(text: bytes) -> int:
    return TEXTS.index(text)


def gains(names: list[str], *written: bytes) -> dict[bytes, float]:
    """What each token gains that gains anything."""
    logits = np.zeros(len(TEXTS), np.float32)
    Bias(VOCABULARY, names).favour([number(text) for text in written], logits)
    return {TEXTS[token]: float(logits[token]) for token in np.flatnonzero(logits)}


def split(name: str) -> list[bytes]:
    return [TEXTS[token] for token in VOCABULARY.split(name)]


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("mocha", [b" m", b"och", b"a"]),
        ("dark roast", [b" da", b"rk", b" ro", b"ast"]),
        ("ro2", [b" ro", b"2"]),
        ("ü", [b" ", b"\xc3", b"\xbc"]),
        ("", []),
    ],
)
def test_a_name_is_split_as_its_pairs_are_merged(name: str, tokens: list[bytes]) -> None:
    assert split(name) == tokens


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_nothing_of_a_name_is_lost(name: str) -> None:
    assert b"".join(split(name)).split() == "".join(f" {word}" for word in name.split()).encode().split()


def test_what_begins_a_name_gains_by_its_letters_and_what_goes_on_gains_most() -> None:
    assert gains(["mocha"]) == {b" m": BEGUN_PER_LETTER, b" M": BEGUN_PER_LETTER}
    assert gains(["mocha"], b" m")[b"och"] == GOES_ON
    assert gains(["mocha"], b"x", b" m", b"och")[b"a"] == GOES_ON


def test_a_name_that_was_not_gone_on_with_is_over() -> None:
    begun = {b" M": BEGUN_PER_LETTER}
    assert gains(["mocha"], b" m", b"x") == begun
    assert gains(["mocha"], b" m", b"och", b"a") == begun


def test_within_a_name_another_may_begin() -> None:
    assert gains(["dark roast", "roast"], b" da", b"rk")[b" ro"] == GOES_ON
    assert gains(["dark roast", "roast"], b" da", b"rk", b" ro") == gains(["roast"], b" ro")


@given(st.lists(st.text("amocharkst ", max_size=12)), st.lists(st.sampled_from(TEXTS), max_size=8))
def test_nothing_gains_twice_and_nothing_loses(names: list[str], written: list[bytes]) -> None:
    assert all(0 < gain <= max(BEGUN, GOES_ON) for gain in gains(names, *written).values())


def test_what_began_a_name_does_not_gain_again() -> None:
    assert b" m" not in gains(["mocha"], b" m", b"och", b"a", b"x")


def test_of_no_names_nothing_gains() -> None:
    assert gains([], b" m") == {}
