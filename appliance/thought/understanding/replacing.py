"""A fact that takes the place of an older one: which known fact a new one is about, and says otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain, takewhile

from appliance.errors import ApplianceError
from appliance.ports import Fact, Known
from appliance.thought.plan import Call
from appliance.thought.understanding.corrections import (
    ALIKE,
    ALONE,
    FILLER,
    LOOKED_AT,
    NAMED_LEAST,
    REMEMBER,
    UNKNOWN,
    UPDATE,
    content,
    names,
    singular,
)
from appliance.thought.understanding.patterns import NUMBER, Patterns
from appliance.thought.understanding.relevance import NOISE, among, words

_WORD = re.compile(r"\w+")


def replaced(
    fact: str,
    memory: Known,
    words_for: Patterns,
    retold: bool = False,
    in_digits: Callable[[str], str] = str,
) -> Fact | None:
    """The known fact that `fact` corrects, if one is about the same. Raises StoreUnusable.

    retold: the line says that something has changed; then it may tell more of it than the known fact did.
    in_digits: gives a fact its numbers in digits.
    """
    said, grave = content(fact), words_for.grave
    nearest = [each for each in memory.nearest(fact, LOOKED_AT) if grave.search(fact) or not grave.search(each.text)]
    if likeliest := _framed(fact, nearest, words_for) or _rivals(fact, nearest, words_for, in_digits):
        return likeliest[0] if len(likeliest) == 1 else None
    of_one = [each for each in nearest if _of_one(fact, each.text, words_for)]
    same = [each for each in of_one if _same_matter(in_digits(fact), in_digits(each.text), words_for)]
    near = [(len(set(said) & set(content(known.text))), known) for known in same]
    shared, known = max(near, key=lambda each: (each[0], each[1].at), default=(0, None))
    if known is None or not said:
        return None
    covered = retold and shared >= max(NAMED_LEAST, ALIKE * len(content(known.text)))
    return known if covered or shared >= ALIKE * len(said) else None


def _same_matter(one: str, other: str, words_for: Patterns) -> bool:
    """Whether two facts tell of the same thing, and not only of the same person: beside relation and name they share a
    word, or hold nothing but a number, a day or a colour.  Both with their numbers in digits.
    """
    kinds = [*words_for.kinds.values(), NUMBER]
    matter = [_matter(fact, words_for) for fact in (one, other)]
    valued = [
        {word for kind in kinds for found in kind.finditer(fact) for word in words(found[0])} for fact in (one, other)
    ]
    return not all(map(words_for.usual.fullmatch, matter[0] & matter[1])) or not any(
        held - values for held, values in zip(matter, valued, strict=True)
    )


def _matter(fact: str, words_for: Patterns) -> set[str]:
    """The words of it that name nobody; of those that tell the same of somebody one stands for all."""
    named = {name.casefold() for name in names(fact)}
    held = {words_for.akin.get(word, word) for word in content(fact) if word not in named}
    return {
        word for word in held - NOISE if not (words_for.relations.fullmatch(word) or words_for.correcting.search(word))
    }


def _of_whom(fact: str, words_for: Patterns) -> set[str]:
    """Whom it tells of: the relations and names that it begins with."""
    named = {name.casefold() for name in names(fact)}
    told = (word for word in words(fact) if word not in FILLER)
    whom = takewhile(lambda word: word in named or words_for.relations.fullmatch(word), told)
    return {words_for.akin.get(word, word) for word in whom}


def _framed(fact: str, known: Sequence[Fact], words_for: Patterns) -> list[Fact]:
    """Those that say what can only be so once, with another end: whose plumber is Ida now, has Max no longer."""
    frame = words_for.frames.match(fact)
    frames = {each.id: words_for.frames.match(each.text) for each in known}
    return [each for each in known if frame and (its := frames[each.id]) and its[0].casefold() == frame[0].casefold()]


def _rivals(fact: str, known: Sequence[Fact], words_for: Patterns, in_digits: Callable[[str], str]) -> list[Fact]:
    """Those that tell the same of the same person, with another day, time, number, colour or name."""
    rivals = list[tuple[int, Fact]]()
    for each in known:
        own, other = in_digits(fact), in_digits(each.text)
        valued = _other_values(own, other, words_for)
        if valued is None or not _of_one(fact, each.text, words_for):
            continue
        mine, theirs = (_matter(text, words_for) - valued for text in (own, other))
        shared = among(theirs, mine)
        about_it = not all(map(words_for.usual.fullmatch, shared)) or len(shared) in (len(mine), len(theirs))
        if shared and about_it and len(shared) >= ALIKE * min(len(mine), len(theirs)):
            rivals.append((len(shared), each))
    best = max((shared for shared, _ in rivals), default=0)
    return [each for shared, each in rivals if shared == best]


def _of_one(one: str, other: str, words_for: Patterns) -> bool:
    """Whether both tell of the same: of one name, or of one relation where neither has a name."""
    whom = [_of_whom(fact, words_for) for fact in (one, other)]
    named = [{each for each in its if not words_for.relations.fullmatch(each)} for its in whom]
    return named[0] == named[1] if any(named) else whom[0] == whom[1]


def _other_values(one: str, other: str, words_for: Patterns) -> set[str] | None:
    """The words in which both tell a day, time, number, colour or name; None unless they tell another one."""
    told = [_values(fact, words_for) for fact in (one, other)]
    apart = (mine and theirs and mine.isdisjoint(theirs) for mine, theirs in zip(*told, strict=True))
    return {word for kinds in told for value in chain(*kinds) for word in words(value)} if any(apart) else None


def _values(fact: str, words_for: Patterns) -> list[set[str]]:
    """What it tells of each kind: the one day, time and so on, the one number, and the names but for whom it is of."""
    kinds, whom = [*words_for.kinds.values(), ALONE], _of_whom(fact, words_for)
    told = [{singular(found[0]) for found in kind.finditer(fact)} for kind in kinds]
    named = {singular(name) for name in names(fact)} - whom - set().union(*told)
    return [*(its if len(its) == 1 else set() for its in told), named]


def denied(line: str, memory: Known, words_for: Patterns) -> Fact | None:
    """The known fact of one word which the line says is so no longer: "I am not a vegetarian any more".

    Raises StoreUnusable.
    """
    for fact in memory.nearest(line, LOOKED_AT):
        held = content(fact.text)
        if len(held) == 1 and re.search(rf"\b(?:{words_for.denying.pattern})(?: \w{{1,2}})? {held[0]}\b", line, re.I):
            return fact
    return None


def taken_back(line: str, memory: Known, words_for: Patterns = UNKNOWN) -> Fact | None:
    """The known fact that a whole line is about: of those of which it names enough, the one it names most of; whom it
    tells of is not enough.

    Raises StoreUnusable.
    """
    said, found = words(line), list[tuple[float, Fact]]()
    for known in memory.nearest(line, LOOKED_AT):
        held = content(known.text)
        named = among(held, said)
        enough = len(named) >= NAMED_LEAST and len(named) >= ALIKE * len(held)
        if enough and set(named) - _of_whom(known.text, words_for):
            found.append((len(named) / len(held), known))
    return max(found, key=lambda each: each[0])[1] if found else None


def as_update(
    call: Call,
    line: str,
    memory: Known,
    words_for: Patterns,
    retold: bool = False,
    in_digits: Callable[[str], str] = str,
) -> Call:
    """`remember` of a fact that corrects a known one, as the update that is meant; any other call as it is.

    retold, in_digits: see `replaced`.
    """
    if call.tool != REMEMBER or not isinstance(fact := call.arguments.get("fact"), str):
        return call
    try:
        known = replaced(fact, memory, words_for, retold, in_digits)
        known = known or taken_back(line, memory, words_for) or denied(line, memory, words_for)
    except ApplianceError:  # it will be told when the tool runs into it
        return call
    return Call(UPDATE, {"id": known.id, "fact": fact}) if known else call


def as_known(call: Call, memory: Known) -> bool:
    """Whether it is an update of a fact that says so already, word for word. Raises StoreUnusable."""
    if call.tool != UPDATE:
        return False
    new = _WORD.findall(str(call.arguments.get("fact", "")).casefold())
    return any(
        fact.id == call.arguments.get("id") and _WORD.findall(fact.text.casefold()) == new for fact in memory.facts()
    )
