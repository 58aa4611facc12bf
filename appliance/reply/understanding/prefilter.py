"""What a line must hold for a sentence to be worth trying: hassil tries those that are left, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hassil import Intents
from hassil.expression import Expression, ListReference, RuleReference, Sentence, Sequence, TextChunk
from hassil.intents import TextSlotList, TextSlotValue


def require(intents: Intents, lists: Mapping[str, TextSlotList]) -> None:
    """Let hassil pass over a sentence when no value of a list that it cannot do without is in the line.

    By itself it looks only for words that stand in the sentence.
    """
    rules = intents.expansion_rules
    words = {name: frozenset(map(_longest_word, each.values)) for name, each in lists.items()}
    for data in (each for intent in intents.intents.values() for each in intent.data):
        for sentence in data.sentences:
            needed = {words[name] for name in _needed(sentence.expression, rules) if name in words}
            sentence.required_clauses = sentence.get_required_clauses(rules) | needed


def _longest_word(value: TextSlotValue) -> str:
    said = value.text_in.text if isinstance(value.text_in, TextChunk) else ""
    return max(re.findall(r"[^\W_]+", said.casefold()), key=len, default="")


def _needed(expression: Expression, rules: dict[str, Sentence]) -> Iterator[str]:
    """The names of the lists that take part in every way to say it."""
    if isinstance(expression, ListReference):
        yield expression.list_name
    elif isinstance(expression, RuleReference):
        yield from _needed(rules[expression.rule_name].expression, rules)
    elif isinstance(expression, Sequence):
        for item in expression.items:
            yield from _needed(item, rules)
