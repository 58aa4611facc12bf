"""espeak-ng speaks any language that has no other voice, beside the phonemes of Piper and of words that sound alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from piper.phonemize_espeak import EspeakPhonemizer

from appliance.audio import joined
from appliance.errors import PartMissing
from appliance.tts.espeak import EspeakVoice, shared
from appliance.tts.loudness import LEVEL


@pytest.mark.parametrize("language", ["de", "fr", "es", "nl", "sw"])
def test_a_sentence_is_loud_and_not_cut(language: str) -> None:
    speech = joined(EspeakVoice(language).synthesize("Radio Berlin, Hotel Lima, Taxi Paris."))
    assert 1 < speech.seconds < 6
    level = float(np.sqrt(np.mean((speech.samples / 32_768) ** 2)))
    assert 0.6 * LEVEL < level < 1.5 * LEVEL
    assert np.abs(speech.samples.astype(np.int32)).max() < 32_767


def test_languages_are_pronounced_differently() -> None:
    assert shared().phonemes("die Zeit", "de") == "diː t^sˈa^ɪt."
    assert shared().phonemes("die Zeit", "en") != "diː t^sˈa^ɪt."


def test_a_clause_without_a_sound_is_empty() -> None:
    assert list(EspeakVoice("de").synthesize("?")) == []
    assert list(EspeakVoice("de").synthesize("")) == []


def test_twice_as_fast_takes_about_half_as_long() -> None:
    text = "Der Timer läuft noch neun Minuten."
    fast, usual = (joined(EspeakVoice("de", speed).synthesize(text)).seconds for speed in (2.0, 1.0))
    assert 0.35 < fast / usual < 0.7


def test_a_language_that_nobody_speaks_is_one_line() -> None:
    with pytest.raises(PartMissing, match="does not speak 'xx'") as error:
        EspeakVoice("xx")
    assert "\n" not in str(error.value)
    with pytest.raises(PartMissing):
        shared().phonemes("hello", "xx")


def test_its_state_is_its_own() -> None:
    """Piper's phonemizer and this one in turn, in other languages, from several threads."""
    other, german = EspeakPhonemizer(), EspeakVoice("de")
    alone = other.phonemize("en-us", "the judge")
    long_s = joined(german.synthesize("Guten Morgen.")).seconds

    def both(_: int) -> bool:
        same = joined(german.synthesize("Guten Morgen.")).seconds == pytest.approx(long_s, rel=0.05)  # it flutters
        return same and shared().phonemes("go", "en-us") == "ɡˈo^ʊ."

    with ThreadPoolExecutor(4) as pool:
        results = [pool.submit(both, number) for number in range(40)]
        assert all(other.phonemize("en-us", "the judge") == alone for _ in range(40))
    assert all(each.result() for each in results)
