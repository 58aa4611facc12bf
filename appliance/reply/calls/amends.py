"""A slip of the tongue that the model overheard: "butter, sorry no, margarine" puts margarine on the list."""

from __future__ import annotations

import re

from appliance.ports import Tool
from appliance.reply.calls.grounding import texts_of
from appliance.reply.plan import Call
from appliance.reply.understanding.relevance import COMMON, NOISE, among, telling

MEANT_MOST = 4
"""Words that take the place of others; more are a sentence of their own."""
_NUMBER = re.compile(r"(?<!\w)\d+(?:[:.]\d+)?(?!\w)")
_ARTICLES = ("the ", "a ", "an ", "some ")


def amended(call: Call, tool: Tool, slip: tuple[str, str] | None, adding: re.Pattern[str]) -> Call:
    """`call` with what was meant in the place of what was said.

    slip: what was said before the amends, and after.  adding: joins one more thing to those before.
    """
    if slip is None:
        return call
    said, meant = slip[0].casefold(), _first_thing(slip[1].strip(" .?!,"))
    texts = {name: value for name, value in texts_of(call, tool).items() if value.casefold() in said}
    used = telling(" ".join(str(value) for value in call.arguments.values()))
    if not texts or len(meant.split()) > MEANT_MOST or not telling(meant) or among(telling(meant), used):
        return call
    alike = (name for name, value in texts.items() if _same_kind(value, meant, said))
    *_, newest = re.split(rf",\s*(?:{adding.pattern})\s", said)  # what came before it is not taken back
    rest = (name for name, value in texts.items() if value.casefold() in newest)
    name = next(alike, next(rest, ""))
    return Call(call.tool, call.arguments | {name: _plain(meant)}) if name else call


def changed(call: Call, tool: Tool, meant: str) -> Call | None:
    """`call` with one thing in it changed to what was `meant` of it, numbers in digits; None when it is not told which.

    "to Bo" is the argument of that name; a number, with what is said around it, takes the place of the only other.
    """
    texts = texts_of(call, tool)
    name, _, rest = meant.partition(" ")
    if name.casefold() in texts and 0 < len(rest.split()) <= MEANT_MOST:
        return Call(call.tool, call.arguments | {name.casefold(): rest})
    held = [(name, found) for name, value in texts.items() for found in _NUMBER.finditer(value)]
    new = _NUMBER.search(meant)
    if len(held) != 1 or new is None or len(meant.split()) > MEANT_MOST:
        return None
    (name, old), value = held[0], texts[held[0][0]]
    behind = value[old.end() :]
    unit = meant[new.end() :]
    kept = behind[len(unit) :] if behind.casefold().startswith(unit.casefold()) else behind
    return Call(call.tool, call.arguments | {name: value[: old.start()] + meant + kept})


def _first_thing(meant: str) -> str:
    """Of a long text what stands before its first comma, or word that says nothing: "pears | on the shopping list"."""
    meant = meant.partition(",")[0] if len(meant.split()) > MEANT_MOST else meant
    words = meant.split()
    if len(words) <= MEANT_MOST or words[0].casefold() in COMMON | NOISE:
        return meant
    end = next((at for at, word in enumerate(words) if at and word.casefold() in COMMON), len(words))
    return " ".join(words[:end])


def _same_kind(value: str, meant: str, said: str) -> bool:
    """Whether both are a list, a lamp, a room: they share a word, or `meant` the one behind `value`."""
    behind = telling(" ".join(said.partition(value.casefold())[2].split()[:1]))
    return bool(telling(meant) & (telling(value) | behind))


def _plain(meant: str) -> str:
    article = next((each for each in _ARTICLES if meant.casefold().startswith(each)), "")
    return meant[len(article) :]
