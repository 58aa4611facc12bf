"""A slip of the tongue that the model overheard: "butter, sorry no, margarine" puts margarine on the list."""

from __future__ import annotations

from appliance.ports import Tool
from appliance.thought.grounding import texts_of
from appliance.thought.plan import Call
from appliance.thought.relevance import telling

MEANT_MOST = 4
"""Words that take the place of others; more are a sentence of their own."""
_ARTICLES = ("the ", "a ", "an ", "some ")


def amended(call: Call, tool: Tool, slip: tuple[str, str] | None) -> Call:
    """`call` with what was meant in the place of what was said. `slip`: what was said before the amends, and after."""
    if slip is None:
        return call
    said, meant = slip[0].casefold(), slip[1].strip(" .?!,")
    texts = {name: value for name, value in texts_of(call, tool).items() if value.casefold() in said}
    used = telling(" ".join(str(value) for value in call.arguments.values()))
    if not texts or len(meant.split()) > MEANT_MOST or not telling(meant) or telling(meant) & used:
        return call
    name = next((name for name, value in texts.items() if _same_kind(value, meant, said)), next(iter(texts)))
    return Call(call.tool, call.arguments | {name: _plain(meant)})


def _same_kind(value: str, meant: str, said: str) -> bool:
    """Whether both are a list, a lamp, a room: they share a word, or `meant` the one behind `value`."""
    behind = telling(" ".join(said.partition(value.casefold())[2].split()[:1]))
    return bool(telling(meant) & (telling(value) | behind))


def _plain(meant: str) -> str:
    article = next((each for each in _ARTICLES if meant.casefold().startswith(each)), "")
    return meant[len(article) :]
