"""Whether a line asks what is so in the world at large, and whether of anything that is known there.

By the same kind of classifier as tools are (intents.py), taught with what people ask a box that has no encyclopaedia:
models/cards/intents.md says how good it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from appliance.reply.understanding.intents import intents

WORLD, UNHEARD_OF = "world", "unheard_of"
ASKED, BARE, TOLD = 0.4, 0.6, 0.85
"""How likely a line must ask of the world at large to be answered out of general knowledge; one without the form of a
question; and one that seems to tell of a day or a mood, for a remark that is taken for a question gets an answer that
nobody wanted. So are 251 of 300 questions of strangers, and 3 of 80 about what is new, local or private (bench/quiz,
2026-11-27)."""


@dataclass(frozen=True)
class OfTheWorld:
    asked: bool = False
    unheard_of: float = 0.0
    """How likely it asks of what does not exist, or of what hardly anybody knows, 0 to 1."""


def of_the_world(line: str, language: str, asks: bool, bare: bool, chat: bool) -> OfTheWorld:
    """Of no line in a language that nothing was taught in.  asks, bare, chat: see Signs."""
    learnt = intents(f"{language}.{WORLD}")
    if learnt is None:
        return OfTheWorld()
    found = learnt.read(line)
    least = ASKED if asks else TOLD if chat else BARE if bare else ASKED
    return OfTheWorld(found[WORLD] >= least, found[UNHEARD_OF])
