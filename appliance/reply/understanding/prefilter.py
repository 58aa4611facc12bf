"""What a line must hold for a sentence to be worth trying: hassil tries those that are left, one after the other."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator, Mapping

from hassil import Intents
from hassil.errors import HassilError
from hassil.expression import Expression, Group, ListReference, RuleReference, Sentence, Sequence, TextChunk
from hassil.intents import TextSlotList, TextSlotValue
from hassil.parser import ParseError

log = logging.getLogger(__name__)


def drop_unreadable(intents: Intents, lists: Collection[str]) -> None:
    """Leave out what hassil cannot read, and tell: an owner's skill may have a slip in its sentences.

    lists: names of all that a sentence may refer to.
    """
    for name, intent in [*intents.intents.items()]:
        try:
            for sentence in (each for data in intent.data for each in data.sentences):
                if unknown := set(_lists(sentence.expression, intents.expansion_rules, Group)) - set(lists):
                    raise HassilError(f"there is no list {min(unknown)}")
        except (HassilError, ParseError, KeyError) as error:
            log.error("the sentences for %s are left out (%s); correct them", name, error)
            del intents.intents[name]


def require(intents: Intents, lists: Mapping[str, TextSlotList]) -> None:
    """Let hassil pass over a sentence when no value of a list that it cannot do without is in the line.

    By itself it looks only for words that stand in the sentence.
    """
    rules = intents.expansion_rules
    words = {name: frozenset(map(_longest_word, each.values)) for name, each in lists.items()}
    for data in (each for intent in intents.intents.values() for each in intent.data):
        for sentence in data.sentences:
            needed = {words[name] for name in _lists(sentence.expression, rules, Sequence) if name in words}
            sentence.required_clauses = sentence.get_required_clauses(rules) | needed


def _longest_word(value: TextSlotValue) -> str:
    said = value.text_in.text if isinstance(value.text_in, TextChunk) else ""
    return max(re.findall(r"[^\W_]+", said.casefold()), key=len, default="")


def _lists(expression: Expression, rules: dict[str, Sentence], within: type[Group]) -> Iterator[str]:
    """The names of the lists in it and in its rules. Raises KeyError for a rule that is not there.

    within: Group for all of them, Sequence for those that take part in every way to say it.
    """
    if isinstance(expression, ListReference):
        yield expression.list_name
    elif isinstance(expression, RuleReference):
        yield from _lists(rules[expression.rule_name].expression, rules, within)
    elif isinstance(expression, within):
        for item in expression.items:
            yield from _lists(item, rules, within)
