"""Which words sound alike, by the pronunciation that comes with the voice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.stt.soundclass import SoundClasses

SOUND_OF = SoundClasses("en")


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ("flower", "flour"),
        ("meters", "metres"),
        ("council", "cancel"),
        ("barley", "barely"),
        ("pawn", "barn"),
        ("past a", "pasta"),
        ("FLOWER", "flower"),
    ],
)
def test_what_may_be_taken_for_each_other_is_one_sound(heard: str, said: str) -> None:
    assert SOUND_OF(heard) == SOUND_OF(said)


@pytest.mark.parametrize(("one", "other"), [("egg", "bread"), ("rice", "soup"), ("time", "timer"), ("ring", "in")])
def test_what_is_told_apart_differs(one: str, other: str) -> None:
    assert SOUND_OF(one) != SOUND_OF(other)


def test_a_language_has_its_own_pronunciation() -> None:
    assert SoundClasses("de")("Zeit") != SOUND_OF("Zeit")


def test_in_a_language_without_pronunciation_no_two_words_sound_alike(caplog: pytest.LogCaptureFixture) -> None:
    sound_of = SoundClasses("xx")
    assert (sound_of("Meters"), sound_of("metres")) == ("meters", "metres")
    assert "nothing is known to sound alike" in caplog.text


@given(st.text(max_size=30))
def test_no_text_breaks_it(text: str) -> None:
    assert set(SOUND_OF(text)) <= set("PTSKMNLRWJHV")
