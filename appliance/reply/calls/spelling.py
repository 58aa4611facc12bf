"""Names in what a small model writes, spelt as they were said: the recogniser heard them, the model knows others."""

from __future__ import annotations

import difflib
import re

SHARED_LETTERS = 4
"""Two names that begin alike so far, and differ after that, are one name that was misspelt: Blackwood, Blackwell."""
ALIKE = 0.8
"""difflib ratio from which the model's spelling is rather the right one of what was misheard: Nairobie, Nairobi."""
SPELT = 0.75
"""difflib ratio from which a name is one that was said, otherwise spelt: oscar and oskar have 0.8."""

_NAME = re.compile(r"\b[A-Z]\w{4,}")
_WORD = re.compile(r"\w{5,}")


def respelt(value: str, heard: str) -> str:
    """`value` with each of its names as the line has it, where that is another one and no other spelling."""
    said = _WORD.findall(heard)
    known = {word.casefold() for word in said}

    def respell(found: re.Match[str]) -> str:
        name = found[0].casefold()
        if name in known:
            return found[0]
        near = (word for word in said if word.casefold()[:SHARED_LETTERS] == name[:SHARED_LETTERS])
        meant = next((word for word in near if _differs(word.casefold(), name)), None)
        return meant[:1].upper() + meant[1:] if meant else found[0]

    return _NAME.sub(respell, value)


def as_said(value: str, heard: str, days: re.Pattern[str]) -> str:
    """What is kept or sent has its names as they were said: the model knows Oscar, and not Oskar.

    days: those it knows how to spell; a Thursday that was kept is no Tuesday.
    """
    known = {word.casefold() for word in _WORD.findall(heard)}

    def respell(found: re.Match[str]) -> str:
        name = found[0].casefold()
        near = difflib.get_close_matches(name, {word for word in known if word[0] == name[0]}, 1, SPELT)
        if name in known or not near or _inflection(near[0], name) or days.fullmatch(name):
            return found[0]
        return str(near[0]).capitalize()

    return _NAME.sub(respell, value)


def _inflection(word: str, name: str) -> bool:
    return word.startswith(name) or name.startswith(word)


def _differs(word: str, name: str) -> bool:
    """Not an inflection nor another spelling of it."""
    return not _inflection(word, name) and difflib.SequenceMatcher(None, word, name).ratio() < ALIKE
