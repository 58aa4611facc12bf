"""A fact that takes the place of an older one: what a line corrects is not kept beside what it says."""

from __future__ import annotations

from appliance.errors import ApplianceError
from appliance.ports import Fact, MemoryStore
from appliance.thought.plan import Call
from appliance.thought.relevance import inflected, words

REMEMBER, UPDATE = "remember", "update_memory"
PREFERENCE, RECALL = "set_preference", "recall"
MEMORY_TOOLS = {REMEMBER, UPDATE, "forget", "forget_last", PREFERENCE, RECALL}
"""Those that see to what is remembered."""
FILLER = {"the", "user", "their", "this", "that", "has", "have", "was", "are", "now", "from", "with"}
"""Words that any fact may hold."""
ALIKE = 0.5
"""Share of a fact's own words that the older one must hold to be about the same. A judgement: "the bicycle is green"
shares one word of two with "the bicycle is red"."""
NAMED_LEAST = 2
"""Words of a fact in a line that takes it back; one alone may be chance."""
LOOKED_AT = 3


def content(fact: str) -> list[str]:
    """The words of a fact that say what it is about, each once."""
    return [word for word in dict.fromkeys(words(fact)) if word not in FILLER]


def replaced(fact: str, memory: MemoryStore) -> Fact | None:
    """The known fact that `fact` corrects, if one is about the same. Raises StoreUnusable."""
    said = content(fact)
    near = [(len(set(said) & set(content(known.text))), known) for known in memory.nearest(fact, LOOKED_AT)]
    best = max(near, key=lambda each: (each[0], each[1].at), default=(0, None))
    return best[1] if said and best[0] >= ALIKE * len(said) else None


def taken_back(line: str, memory: MemoryStore) -> Fact | None:
    """The known fact that a whole line is about, if it names enough of what the fact does. Raises StoreUnusable."""
    said = words(line)
    for known in memory.nearest(line, LOOKED_AT):
        held = content(known.text)
        named = sum(any(inflected(word, other) for other in said) for word in held)
        if named >= NAMED_LEAST and named >= ALIKE * len(held):
            return known
    return None


def as_update(call: Call, line: str, memory: MemoryStore) -> Call:
    """`remember` of a fact that corrects a known one, as the update that is meant; any other call as it is."""
    if call.tool != REMEMBER or not isinstance(fact := call.arguments.get("fact"), str):
        return call
    try:
        known = replaced(fact, memory) or taken_back(line, memory)
    except ApplianceError:  # it will be told when the tool runs into it
        return call
    return Call(UPDATE, {"id": known.id, "fact": fact}) if known else call
