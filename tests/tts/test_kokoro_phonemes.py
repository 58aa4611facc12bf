"""What Kokoro reads: misaki's phonemes, in pieces that fit, whatever comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.tts.espeak import shared
from appliance.tts.kokoro_phonemes import AMERICAN, BRITISH, NUMBERS, PIECE_TOKENS, misaki, pieces


@pytest.mark.parametrize(
    ("text", "accent", "written"),
    [
        ("the judge", AMERICAN, "ðə ʤˈʌʤ."),
        ("button", AMERICAN, "bˈʌtᵊn."),
        ("go now, boy", AMERICAN, "ɡˌO nˈW, bˈY."),
        ("go", BRITISH, "ɡˈQ."),
        ("there", BRITISH, "ðˈɛː."),
        ("fire!", AMERICAN, "fˈIəɹ!"),
    ],
)
def test_sounds_are_written_as_the_model_was_taught_them(text: str, accent: str, written: str) -> None:
    assert misaki(shared().phonemes(text, accent), accent) == written


def test_every_sign_has_one_number() -> None:
    assert len(set(NUMBERS.values())) == len(NUMBERS) == 114
    assert (NUMBERS[";"], NUMBERS["A"], NUMBERS["ᵻ"]) == (1, 24, 177)


@given(st.text(st.sampled_from([*NUMBERS, " ", " ", "\N{SNOWMAN}"]), max_size=700))
def test_no_piece_is_too_long_and_none_is_lost(phonemes: str) -> None:
    found = pieces(phonemes)
    assert all(0 < len(piece) <= PIECE_TOKENS for piece in found)
    letters = [NUMBERS[sign] for sign in phonemes if sign.isalpha() and sign in NUMBERS]
    of_letters = {NUMBERS[sign] for sign in NUMBERS if sign.isalpha()}
    assert [number for piece in found for number in piece if number in of_letters] == letters


def test_it_is_cut_behind_a_mark_where_there_is_one() -> None:
    found = pieces("ab cd, " * 20 + "ef gh " * 10)
    assert [piece[-1] for piece in found[:-1]] == [NUMBERS[","]]
