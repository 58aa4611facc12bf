"""What a transcript loses before anybody reads it: inventions, loops, stage directions, the rest of the wake word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from appliance.ports import SoundOf

SURE = 0.3
"""Mean token probability below which a transcript is not speech. Measured with whisper tiny.en and base: noise, hum,
clicks and knocks mostly gave 0.1 to 0.25, words at 15 dB at least 0.31."""
SURE_OF_FILLER = 0.58
"""The same for what whisper writes into pure silence: up to 0.555 there, at least 0.61 when somebody said it."""
ALIKE = 0.8
"""Share of letters that a wake word and what was written for it have in common."""
ALIKE_WHEN_CALLED = 0.65
"""The same where a comma or a full stop follows, as after a name: "Travis, what time is it"."""

SOUNDS_ALIKE = 0.75
"""The same share of sounds (soundclass.py), where the wake word is known to be there; 8 % of all lines have as much."""
CALLED = 0.15
"""Added where a comma or a full stop follows. Of 220 requests in nine voices, two in five of them in noise, this finds
the end of the wake word in 219, and letters do in 209 (whisper base, 2026-11-23)."""
CALL_WITHIN = 4
"""The wake word begins with one of so many first words: there is room for no more of them before it."""

_ANNOTATION = re.compile(r"\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]+")
_WORD = re.compile(r"[\w'’]+")
_PAUSE = re.compile(r"\s*[,.!?;:]")
_FILLER = re.compile(r"\W*(you|thank you|vielen dank)\W*", re.IGNORECASE)
_INVENTED = re.compile(
    r"(thanks|thank you)( so much| very much)? for (watching|listening).*"
    r"|(please )?(like and )?subscribe( to (my|our|the|this) channel)?\W*"
    r"|(subtitles|captions|transcribed|transcription|translated) by .*"
    r"|untertitel(ung)?( im auftrag| de[rs]| von|[:.]).*|(vielen )?danke? (für'?s|für das) zuschauen\W*"
    r"|copyright wdr.*",
    re.IGNORECASE,
)
"""What whisper learnt to write over the ends of videos."""
_LOOP = re.compile(r"\b(\w.{0,80}?)(?:[\s,.!?;-]+\1(?!\w)){3,}", re.IGNORECASE)
"""The same words four times in a row or more: nobody talks like that, a model with too little context does."""
_ONLY_REPEATED = re.compile(r"([^.!?]+[.!?])(?:\s*\1)+(?:\s*(?P<cut>[^.!?]*))?", re.IGNORECASE)


def tidy(text: str, probability: float = 1.0, wake_words: Sequence[str] = ()) -> str:
    """The words that were said; empty when there were none.

    probability: mean token probability, 0 to 1.  wake_words: as they are spoken, such as "hey jarvis".
    """
    if probability < (SURE_OF_FILLER if _FILLER.fullmatch(text) else SURE):
        return ""
    text = " ".join(_ANNOTATION.sub(" ", text).split())
    text = without_wake_word(without_loops(text), wake_words)
    if _INVENTED.fullmatch(text) or not any(letter.isalnum() for letter in text):
        return ""
    return text


def without_loops(text: str) -> str:
    """Each loop once; so too a sentence that is all there is, again and again, even when the last one is cut short."""
    whole = _ONLY_REPEATED.fullmatch(text)
    if whole and whole[1].lower().startswith(whole["cut"].lower()):
        return whole[1]
    return _LOOP.sub(r"\1", text)


def without_wake_word(text: str, wake_words: Sequence[str]) -> str:
    """`text` without a wake word, or the last part of one, at its very start."""
    for wake_word in wake_words:
        parts = wake_word.lower().split()
        for start in range(len(parts)):
            words = re.match(rf"\W*((?:[\w'-]+[\s,]+){{{len(parts) - start - 1}}}[\w'-]+)(\W*)", text)
            if words and _alike(words[1], "".join(parts[start:]), called=bool(words[2].strip())):
                rest = text[words.end() :]
                return rest[:1].upper() + rest[1:]
    return text


def without_call(text: str, wake_words: Sequence[str], sound_of: SoundOf) -> str:
    """`text`, which has a wake word near its beginning, from the end of that on; whole if nothing sounds like it."""
    ends = [word.end() for word in _WORD.finditer(text)]
    likeness, end = max(
        (
            (_sounds_like(text[start:end], wake_word, sound_of) + (CALLED if _PAUSE.match(text, end) else 0), -end)
            for wake_word in wake_words
            for first, start in enumerate([0, *ends][:CALL_WITHIN])
            for end in ends[first : first + len(wake_word.split()) + 1]
        ),
        default=(0.0, 0),
    )
    if likeness < SOUNDS_ALIKE:
        return text
    rest = text[-end:].lstrip(" ,.!?;:-")
    return rest[:1].upper() + rest[1:]


def _sounds_like(written: str, spoken: str, sound_of: SoundOf) -> float:
    return SequenceMatcher(None, sound_of(written), sound_of(spoken)).ratio()


def _alike(written: str, spoken: str, called: bool) -> bool:
    letters = "".join(letter for letter in written.lower() if letter.isalnum())
    return SequenceMatcher(None, letters, spoken).ratio() >= (ALIKE_WHEN_CALLED if called else ALIKE)
