"""espeak-ng's phonemes -> the numbers that Kokoro reads: it was taught with misaki's, which writes some otherwise.

What is written otherwise is what misaki itself does with words that its lexicon lacks (hexgrad/misaki
misaki/espeak.py, Apache-2.0); the numbers are those of the model's config.json.
"""

from __future__ import annotations

import re
import unicodedata

from appliance.tts.espeak import TIE

BRITISH, AMERICAN = "en", "en-us"
"""As espeak-ng calls them."""
PIECE_TOKENS = 150
"""In one run of the model, which takes 510: 10 s of sound; what it takes of memory grows with it."""

_SYLLABIC = "\u0329"
"""Below a consonant that is a syllable."""
_MISAKI = (
    ("ʔˌn\u0329", "tᵊn"), ("ʔn\u0329", "tᵊn"), ("ʔn", "tᵊn"), ("a^ɪ", "I"), ("a^ʊ", "W"), ("d^ʒ", "ʤ"),
    ("e^ɪ", "A"), ("t^ʃ", "ʧ"), ("ɔ^ɪ", "Y"), ("ə^l", "ᵊl"), ("ʲ", ""), ("\u0303", ""), ("e", "A"), ("r", "ɹ"),
    ("x", "k"), ("ç", "k"), ("ɐ", "ə"), ("ɚ", "əɹ"), ("ɬ", "l"), ("ʔ", "t"),
)  # fmt: skip
_OF_THE_ACCENT = {
    BRITISH: (("e^ə", "ɛː"), ("iə", "ɪə"), ("ə^ʊ", "Q")),
    AMERICAN: (("o^ʊ", "O"), ("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"), ("ː", "")),
}
_LAST = (("o", "ɔ"), (TIE, ""), ("ɹɹ", "ɹ"))

_NUMBERS = {
    1: ";:,.!?", 9: "—…\"()“” \u0303ʣʥʦʨᵝꭧAI", 31: "O", 33: "Q", 35: "ST", 39: "W", 41: "Yᵊabcdef",
    50: "hijklmnopqrstuvwxyz", 69: "ɑɐɒæ", 75: "βɔɕç", 80: "ɖðʤə", 85: "ɚɛɜ", 90: "ɟ", 92: "ɡ", 99: "ɥ", 101: "ɨɪʝ",
    110: "ɯɰŋɳɲɴø", 118: "ɸθœ", 123: "ɹ", 125: "ɾɻ", 128: "ʁɽʂʃʈʧ", 135: "ʊʋ", 138: "ʌɣɤ", 142: "χʎ", 147: "ʒʔ",
    156: "ˈˌː", 162: "ʰ", 164: "ʲ", 169: "↓", 171: "→↗↘", 177: "ᵻ",
}  # fmt: skip
"""First number -> the signs that have it and those after it."""
NUMBERS = {sign: first + at for first, signs in _NUMBERS.items() for at, sign in enumerate(signs)}
_CUTS = re.compile(r"(?<=[.!?;:,—…]) | ")


def misaki(phonemes: str, accent: str) -> str:
    """`phonemes`: of espeak-ng, tied.  accent: BRITISH or AMERICAN."""
    for written, other in (*_OF_THE_ACCENT[accent], *_MISAKI):
        phonemes = phonemes.replace(written, other)
    phonemes = re.sub(rf"(\S){_SYLLABIC}", r"ᵊ\1", phonemes).replace(_SYLLABIC, "")
    for written, other in _LAST:
        phonemes = phonemes.replace(written, other)
    return unicodedata.normalize("NFC", phonemes)


def pieces(phonemes: str) -> list[list[int]]:
    """The numbers of each part that is made in one go: cut behind a mark where there is one, else between two words."""
    found = []
    while phonemes := phonemes.strip():
        if len(phonemes) <= PIECE_TOKENS:
            cut = len(phonemes)
        else:
            blanks = [each.start() for each in _CUTS.finditer(phonemes, 1, PIECE_TOKENS)]
            marks = [at for at in blanks if not phonemes[at - 1].isalnum() and phonemes[at - 1] in ".!?;:,"]
            cut = (marks or blanks or [PIECE_TOKENS])[-1]
        numbers = [NUMBERS[sign] for sign in phonemes[:cut] if sign in NUMBERS]
        if any(sign.isalpha() for sign in phonemes[:cut]):
            found.append(numbers)
        phonemes = phonemes[cut:]
    return found
