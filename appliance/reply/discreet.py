"""A secret that was taken out of a line: what stands in its place is not for the ear, and is not claimed to be kept."""

from __future__ import annotations

import re
from collections.abc import Iterable

from appliance.ports import Mouth
from appliance.safety.redact import KINDS

PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(KINDS)})\]")
"""As redact.py writes it: [password], [e-mail address]."""
_BEGUN = re.compile(r"\[[a-z -]{0,31}\Z")


def hides(texts: Iterable[object]) -> bool:
    """Whether a secret was taken out of any of them."""
    return any(isinstance(text, str) and PLACEHOLDER.search(text) for text in texts)


class Unheard:
    """A `Mouth` that says nothing: a line is only looked at."""

    def say(self, text: str) -> None: ...

    def finish(self) -> str:
        return ""


class Discreet:
    """A `Mouth` that says in words what a placeholder is; the text may come in pieces of any size."""

    def __init__(self, mouth: Mouth, hidden: str) -> None:
        """hidden: those words."""
        self._mouth, self._hidden, self._waiting = mouth, hidden, ""

    def say(self, text: str) -> None:
        text = self._waiting + text
        begun = _BEGUN.search(text)
        end = begun.start() if begun else len(text)
        self._waiting = text[end:]
        self._mouth.say(PLACEHOLDER.sub(self._hidden, text[:end]))

    def finish(self) -> str:
        if self._waiting:
            self._mouth.say(self._waiting)
        return self._mouth.finish()
