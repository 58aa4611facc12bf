"""What memory gives to a turn: what is known of the user, facts near the line, a search when there is no plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from appliance.ports import Fact, Message
from appliance.reply import prompt
from appliance.reply.forgiving import Forgiving, Nothing
from appliance.reply.gate import skip_recall
from appliance.reply.understanding.corrections import (
    LOOKED_AT,
    MEMORY_TOOLS,
    RECALL,
    about,
    names,
    only_corrects,
    revised,
    revision,
)
from appliance.reply.understanding.patterns import Patterns
from appliance.reply.understanding.relevance import NOISE, among, telling, words
from appliance.reply.understanding.replacing import denied, taken_back
from appliance.reply.understanding.signs import Signs
from appliance.reply.understanding.tool_signs import CLOCK
from appliance.reply.work import Work
from appliance.settings import Memory

SHORTEST_LINE_CHARS = 4
"""Of a fact in the profile: no more of them than could have room are asked for. 10,000 cost 81 ms a turn (bench/)."""

WISHES_MOST = 3
"""Some 10 tokens each, read anew in every turn: 0.3 s on the slowest board with three."""

TELLING_LEAST = 2
"""Words of a question that a fact must hold to answer it; one alone may be chance."""
TELLING_SHARE = 0.5
"""Of all its words; the others are what, who, does. A judgement."""

FOLLOWING_WORDS = 8
"""Of a line that only goes on with what was asked of memory; a judgement."""


class Recollection:
    def __init__(
        self, known: Callable[[], Forgiving | Nothing], settings: Memory, in_digits: Callable[[str], str]
    ) -> None:
        """known: what may be told to whoever speaks.  in_digits: gives a text its numbers in digits."""
        self._known, self._settings, self._in_digits = known, settings, in_digits

    @property
    def _memory(self) -> Forgiving | Nothing:
        return self._known()

    def profile(self) -> list[Message]:
        """What is known of the user, as it stands now: the same from turn to turn until a fact or a rule changes."""
        settings = self._settings
        facts = self._memory.facts("user", settings.facts_max_chars // SHORTEST_LINE_CHARS)
        rules = self._rules()
        return prompt.profile(facts, rules, settings.facts_max_chars, settings.rules_max_chars)

    def offered(self, heard: str, personal: bool = False, either: bool = False) -> list[str]:
        """The stored facts nearest to the line, also those in the profile: beside the line a small model heeds them.

        personal: the line asks for something about the user; where no fact shares a word with it, the newest stand in,
        or a note that none is there.  either: see `_nearest`.
        """
        asked, most = telling(heard), self._settings.facts_offered
        if not asked or not most:
            return []
        near = _nearest(asked - NOISE, [fact.text for fact in self._memory.nearest(heard, most)], either)
        if near or not personal:
            return near
        newest = [fact.text for fact in self._memory.facts("user", most)]
        return newest or ([] if self._memory.broken else [prompt.note("unknown_fact")])

    def lacks(self, heard: str) -> bool:
        """Whether no fact shares a word with the line."""
        asked, most = telling(heard) - NOISE, self._settings.facts_offered
        found = any(_named(asked, fact.text) for fact in self._memory.nearest(heard, most))
        return not (found or self._memory.broken)

    def weigh(self, work: Work, is_place: Callable[[str], bool], told: bool) -> None:
        """Settle whether a stored fact answers the line, and whether somebody in the line stands in one.

        told: the turn before was answered from memory: "and the one for the shed" then asks memory, too.
        """
        if told and not work.earlier and len(work.heard.split()) <= FOLLOWING_WORDS and _asks_on(work):
            work.signs = _of_memory(work.signs)
        condition, near = work.signs.condition, self._near(work.signs.words.as_called(work.heard))
        follows = condition if condition and condition.follows else None
        asked, facts = (follows.test, self._near(follows.test)) if follows else (work.heard, near)
        work.answered = _answered(asked, facts, work.signs.personal)
        work.acquainted = acquainted(work.heard, near, is_place)
        if work.answered and follows:
            work.signs = replace(work.signs, conditional=False, condition=None)  # nothing has to be looked up first

    def rules(self) -> list[str]:
        """The standing ones, newest first."""
        return [rule.text for rule in self._rules()]

    def _rules(self) -> list[Fact]:
        return self._memory.facts("rule", self._settings.rules_max_chars // SHORTEST_LINE_CHARS)

    def wishes(self) -> list[str]:
        """The newest standing rules, as far as there is room beside a line."""
        return [rule.text for rule in self._memory.facts("rule", WISHES_MOST)]

    def contradicts(self, heard: str, patterns: Patterns) -> bool:
        """Whether a line that takes something back is about a stored fact: it holds most of its words."""
        return taken_back(heard, self._memory, patterns) is not None

    def touched(self, line: str) -> bool:
        """Whether a line is about a stored fact, see `about`."""
        return any(about(line, fact) for fact in self._near(line))

    def denied(self, heard: str, patterns: Patterns) -> bool:
        """Whether a line says of a fact of one word that it is so no longer."""
        return denied(heard, self._memory, patterns) is not None

    def revised(self, fact: str, signs: Signs) -> str:
        """A fact that was just told, as a line corrects it; empty where that does not say how, or is about another."""
        old = self._in_digits(fact)
        new = revised(old, signs.digits, signs.words)
        return new if new and only_corrects(signs.digits, old, new, signs.words) else ""

    def revision(self, heard: str, signs: Signs) -> str:
        """The stored fact that a line corrects, as it is now; empty where it corrects none."""
        return revision(heard, signs.digits, self._memory, signs.words, self._in_digits)

    def fall_open(self, work: Work, results: Sequence[str]) -> str:
        """What a search for the line's own words finds; empty when an earlier result holds most of them already."""
        heard = work.heard
        if skip_recall(heard, results, self._settings.gate_share):
            return ""
        found = self._memory.search(heard, self._settings.found_max)
        work.remembered().recalled += len(found)
        return "\n".join(f"[{entry.at:%Y-%m-%d}] {entry.text}" for entry in found)

    def _near(self, line: str) -> list[str]:
        """The facts nearest to a line."""
        return [fact.text for fact in self._memory.nearest(line, LOOKED_AT)]


def _asks_on(work: Work) -> bool:
    """Whether a line only asks more of what was asked of memory, or the same of another thing."""
    begun, words, tools = work.signs.words.elliptic.match(work.heard), work.signs.words, work.signs.tools
    rest = work.heard[begun.end() :].strip(" ,") if begun else ""
    other = words.instead.fullmatch(work.heard)
    if not rest or words.acts.match(rest) or tools.due - MEMORY_TOOLS - {CLOCK}:
        return False
    if other:
        return not (tools.meant - MEMORY_TOOLS) and not words.subjects.match(rest)
    return words.asking.match(rest) is not None and not words.hour.search(rest)


def _of_memory(signs: Signs) -> Signs:
    """Those of a line that asks memory, and no tool that its words would speak for alone: "and what time"."""
    none, only = frozenset[str](), frozenset({RECALL})
    tools = replace(signs.tools, meant=only, called_for=only, due=none, sure=none, wanted=none, asked=none, certain="")
    return replace(signs, personal=True, chat=False, moment="", tools=tools)


def _answered(line: str, facts: Sequence[str], personal: bool) -> bool:
    """Whether a fact holds the telling words of a question: then memory answers it, and no clock or report.

    personal: it asks for something about the speaker, of which a fact that holds one word may tell.
    """
    asked, least = telling(line) - NOISE, 1 if personal else TELLING_LEAST
    named = max((len(_named(asked, fact)) for fact in facts), default=0)
    return named >= max(least, TELLING_SHARE * len(asked))


def acquainted(line: str, facts: Sequence[str], is_place: Callable[[str], bool]) -> bool:
    """Whether somebody in the line stands in one of the facts: no encyclopaedia knows the user's aunt.

    With a name before theirs that no fact has, it is somebody else: "Alan Turing" is not the hamster Turing.
    """
    said = words(line)
    known, before = {word for fact in facts for word in words(fact)}, dict(zip(said[1:], said, strict=False))
    others = {word for word, first in before.items() if first in telling(line) - NOISE and first not in known}
    held = {name for fact in facts for name in names(fact)}
    return any(name.casefold() in said and name.casefold() not in others and not is_place(name) for name in held)


def _nearest(asked: set[str], facts: Sequence[str], either: bool) -> list[str]:
    """The facts that hold a word of `asked`, but for those that hold nothing which the best of them does not.

    Beside "what is the paint in the hall called" a small model reads the name out of the fact about the bedroom.
    either: the line asks which of two it is, and the one that it names less of may be meant.
    """
    held = {fact: found for fact in facts if (found := frozenset(_named(asked, fact)))}
    best = max(held.values(), key=len, default=frozenset())
    return [fact for fact, found in held.items() if either or not (len(best) >= TELLING_LEAST and found < best)]


def _named(asked: set[str], fact: str) -> list[str]:
    """Those of `asked` that stand in `fact`, as far as endings go."""
    return among(asked, telling(fact))
