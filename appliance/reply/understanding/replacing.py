"""A fact that takes the place of an older one: which known fact a new one is about, and says otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile

from appliance.ports import Fact, Known
from appliance.reply.plan import Call
from appliance.reply.understanding.corrections import (
    ALIKE,
    ALONE,
    CLOCK,
    FILLER,
    LOOKED_AT,
    NAMED_LEAST,
    REMEMBER,
    REVISED_MOST,
    UNKNOWN,
    UPDATE,
    content,
    name_words,
    singular,
)
from appliance.reply.understanding.patterns import NEVER, NUMBER, Patterns
from appliance.reply.understanding.relevance import NOISE, among, words

COLOUR, NAME, COUNT, ORDINAL, MONTH, PART_OF_DAY = "colour", "name", "count", "ordinal", "month", "part of the day"
"""Kinds of what a fact tells; others are in signs/*.yaml."""
_WORD = re.compile(r"\w+")
OWNER = frozenset({"the", "user", "s"})
"""How a fact begins that is of the user, or theirs."""


def replaced(fact: str, line: str, memory: Known, words_for: Patterns, in_digits: Callable[[str], str]) -> Fact | None:
    """The known fact that `fact` corrects, if one is about the same. Raises StoreUnusable.

    line: what was said.  in_digits: gives a fact its numbers in digits.
    """
    found = [] if words_for.besides.search(line) else _corrected(fact, line, memory, words_for, False, in_digits)
    return found[0] if len(found) == 1 else None


def _corrected(
    fact: str, line: str, memory: Known, words_for: Patterns, retold: bool, in_digits: Callable[[str], str]
) -> list[Fact]:
    """As `replaced`; more than one where it is not clear which is meant."""
    nearest, own = _of_the_same(fact, memory, words_for), in_digits(fact)
    if likeliest := _likeliest(fact, nearest, words_for, in_digits):
        return likeliest
    said = content(fact)
    loose = [each for each in nearest if _may_give_way(own, in_digits(each.text), in_digits(line), words_for)]
    same = [each for each in loose if _same_matter(own, in_digits(each.text), words_for)]
    near = [(len(set(said) & set(content(known.text))), known) for known in same]
    if not near or not said:
        return []
    shared, known = max(near, key=lambda each: (each[0], each[1].at))
    covered = retold and shared >= max(NAMED_LEAST, ALIKE * len(content(known.text)))
    return [known] if covered or shared >= ALIKE * len(said) else []


def _of_the_same(fact: str, memory: Known, words_for: Patterns) -> list[Fact]:
    """The facts nearest to it that are of the same person; what a life may hang on gives way to its like alone."""
    grave = words_for.grave.search
    nearest = [each for each in memory.nearest(fact, LOOKED_AT) if grave(fact) or not grave(each.text)]
    return [each for each in nearest if _of_one(fact, each.text, words_for)]


def _may_give_way(one: str, other: str, line: str, words_for: Patterns) -> bool:
    """Whether `other` may give way to what is only much like it, see `_rival` for what is not: another day is told of
    another thing, unless the line says of all that goes that it is not so. What a life may hang on gives way only
    where it does, or says that it is wrong.  All three with their numbers in digits.
    """
    held, kept = _WORD.findall(one.casefold()), content(one)
    gone = (word for word in _WORD.findall(other.casefold()) if word not in held and word not in FILLER)
    lost = [re.escape(word) for word in gone if word.isdigit() or not among([word], kept)]
    off = all(_denies(line, rf"(?: \w+){{0,3}} {word}\b", words_for) for word in lost)
    apart = _apart(one, other, words_for).keys() - {NAME}
    if (apart and not (lost and off)) or not _of_one(one, other, words_for):
        return False
    return not words_for.grave.search(other) or off or bool(words_for.put_right.search(line))


def _same_matter(one: str, other: str, words_for: Patterns) -> bool:
    """Whether two facts tell of the same thing, and not only of the same person: beside relation and name they share a
    word, or hold nothing but a number, a day or a colour.  Both with their numbers in digits.
    """
    kinds = [*words_for.kinds.values(), NUMBER]
    matter = [_matter(fact, words_for) for fact in (one, other)]
    valued = [
        {word for kind in kinds for found in kind.finditer(fact) for word in words(found[0])} for fact in (one, other)
    ]
    shared = (matter[0] & matter[1]) | (name_words(one) & name_words(other))
    shared -= _of_whom(one, words_for)
    return not all(map(words_for.usual.fullmatch, shared)) or not any(
        held - values for held, values in zip(matter, valued, strict=True)
    )


def _matter(fact: str, words_for: Patterns) -> set[str]:
    """The words of it that name nobody; of those that tell the same of somebody one stands for all."""
    return {
        word
        for word in _told(fact, words_for) - name_words(fact)
        if not (words_for.relations.fullmatch(word) or words_for.correcting.search(word))
    }


def _told(fact: str, words_for: Patterns) -> set[str]:
    return {words_for.akin.get(word, word) for word in content(fact)} - NOISE


def _of_whom(fact: str, words_for: Patterns) -> set[str]:
    """Whom it tells of: the relations and names that it begins with."""
    known = name_words(fact)
    told = (word for word in words(fact) if word not in FILLER)
    whom = takewhile(lambda word: word in known or words_for.relations.fullmatch(word), told)
    return {words_for.akin.get(word, word) for word in whom}


def _of_one(one: str, other: str, words_for: Patterns) -> bool:
    """Whether both tell of the same: of one name, or of one relation where not both have a name."""
    whom = [_of_whom(fact, words_for) for fact in (one, other)]
    called = [{each for each in its if not words_for.relations.fullmatch(each)} for its in whom]
    related = [its - theirs for its, theirs in zip(whom, called, strict=True)]
    same = called[0] == called[1] if all(called) or not any(related) else True
    return same and (related[0] == related[1] or (all(called) and not all(related)))


def _likeliest(fact: str, known: Sequence[Fact], words_for: Patterns, in_digits: Callable[[str], str]) -> list[Fact]:
    """Those that say what can only be so once, with another end, or the same with another day, time, number or colour.

    Of two that may be meant it is not clear which.
    """
    frame = words_for.frames.match(fact)
    frames = {each.id: words_for.frames.match(each.text) for each in known}
    framed = [each for each in known if frame and (its := frames[each.id]) and its[0].casefold() == frame[0].casefold()]
    return framed or [each for each in known if _rival(in_digits(fact), in_digits(each.text), words_for)]


def _apart(one: str, other: str, words_for: Patterns) -> dict[str, set[str]]:
    """Kind -> what of it both tell, where they tell another one: a day, a time, a number, a colour, a name."""
    told = [_values(fact, words_for) for fact in (one, other)]
    both = {kind: (mine, told[1].get(kind, set())) for kind, mine in told[0].items()}
    return {kind: mine | its for kind, (mine, its) in both.items() if mine and its and mine.isdisjoint(its)}


def _rival(one: str, other: str, words_for: Patterns) -> bool:
    """Whether one tells nothing else than the other, and less, but for days, times and numbers in which they differ; or
    for a colour, or for the name of what can only have one. Of what a life may hang on neither may tell less, and only
    a number or a time differ.  Both with their numbers in digits.
    """
    apart = _apart(one, other, words_for)
    alone = apart.keys() & {COLOUR, NAME} and len(apart) > 1
    several = NAME in apart and not all(words_for.once.search(fact) for fact in (one, other))
    another = PART_OF_DAY in apart and apart.keys() & {COUNT, CLOCK}
    if not apart or alone or several or another or _another_one(one, other, words_for):
        return False
    valued = {word for values in apart.values() for value in values for word in words(value)}
    mine, theirs = (_told(fact, words_for) - valued - _of_whom(fact, words_for) for fact in (one, other))
    if words_for.grave.search(other):
        return apart.keys() <= {COUNT, CLOCK} and _all_among(theirs, mine) and _all_among(mine, theirs)
    return _covers(one, mine, theirs, words_for, placed=NAME in apart)


def _covers(one: str, mine: set[str], theirs: set[str], words_for: Patterns, placed: bool) -> bool:
    """Whether what two facts tell beside their values is the same; one may tell more of it: the known one anything, the
    new one, `one`, a name, what changed, or where that is (`placed`).
    """
    changes = {word for word in content(one) if words_for.correcting.search(word)}
    more = not (placed or _all_among(mine - changes - name_words(one), theirs))
    idle = words_for.usual.fullmatch
    matter, its = ({word for word in each if not idle(word)} for each in (mine - changes, theirs))
    if not (matter or its):
        return bool(_of_whom(one, words_for))  # her age, say
    return bool(among(its, matter)) and (not more or (bool(changes) and _all_among(theirs, mine)))


def _all_among(these: set[str], those: set[str]) -> bool:
    return len(among(these, those)) == len(these)


def _another_one(one: str, other: str, words_for: Patterns) -> bool:
    """Whether they count which it is, and not the same: "the second car". A day of a month is none."""
    month, nth = words_for.kinds.get(MONTH, NEVER).pattern, words_for.kinds.get(ORDINAL, NEVER).pattern
    counts = re.compile(rf"(?<!\bon the ){nth}(?! (?:of )?{month})", re.IGNORECASE)
    first, second = ({found[0].casefold() for found in counts.finditer(fact)} for fact in (one, other))
    return first != second


def _values(fact: str, words_for: Patterns) -> dict[str, set[str]]:
    """What it tells of each kind: the one day, time and so on, the one number, and the names but for whom it is of."""
    kinds = {**words_for.kinds, COUNT: ALONE}
    told = {name: {singular(found[0]) for found in kind.finditer(fact)} for name, kind in kinds.items()}
    dated = {word for its in told.values() for value in its for word in (value, f"{value}s")}
    single = {name: its if len(its) == 1 else set() for name, its in told.items()}
    return {**single, NAME: name_words(fact) - _of_whom(fact, words_for) - dated}


def denied(line: str, memory: Known, words_for: Patterns) -> Fact | None:
    """The known fact of one word which the line says is so no longer: "I am not a vegetarian any more".

    Raises StoreUnusable.
    """
    for fact in memory.nearest(line, LOOKED_AT):
        held = content(fact.text)
        if len(held) == 1 and _denies(line, rf"(?: \w{{1,2}})? {held[0]}\b", words_for):
            return fact
    return None


def _denies(line: str, behind: str, words_for: Patterns) -> bool:
    """behind: what has to stand behind the word that denies, a pattern."""
    return re.search(rf"\b(?:{words_for.denying.pattern}){behind}", line, re.IGNORECASE) is not None


def _put_out(fact: str, line: str, memory: Known, words_for: Patterns) -> Fact | None:
    """The known fact of somebody whom the line says not to be the one: "Ida has my key, not Paul"."""
    new = content(fact)
    for known in memory.nearest(fact, LOOKED_AT):
        lost = [re.escape(word) for word in _of_whom(known.text, words_for) if word not in new]
        said = lost and _denies(line, rf" (?:{'|'.join(lost)})\b", words_for)
        if said and len(among(content(known.text), new)) >= NAMED_LEAST and not words_for.grave.search(known.text):
            return known
    return None


def taken_back(line: str, memory: Known, words_for: Patterns = UNKNOWN) -> Fact | None:
    """The known fact that a whole line is about: of those of which it names enough, the one it names most of; whom it
    tells of is not enough.

    Raises StoreUnusable.
    """
    said, found = words(line), list[tuple[float, Fact]]()
    for known in memory.nearest(line, LOOKED_AT):
        held = content(known.text)
        shared = among(held, said)
        enough = len(shared) >= NAMED_LEAST and len(shared) >= ALIKE * len(held)
        if enough and set(shared) - _of_whom(known.text, words_for):
            found.append((len(shared) / len(held), known))
    return max(found, key=lambda each: each[0])[1] if found else None


def as_update(
    call: Call,
    line: str,
    memory: Known,
    words_for: Patterns,
    retold: bool = False,
    in_digits: Callable[[str], str] = str,
    told: Sequence[str] = (),
    settled: Collection[object] = (),
) -> Call:
    """`remember` of a fact that corrects a known one, as the update that is meant; any other call as it is.

    retold: the line says that something has changed; then it may tell more of it than the known fact did.
    in_digits: see `replaced`.  told: the facts that were kept a turn ago.  settled: ids of
    those that this turn has put right already; what else is said in it takes none of their places.
    """
    fact = call.arguments.get("fact") if call.tool == REMEMBER else None
    if not isinstance(fact, str) or words_for.besides.search(line):
        return call
    found = _corrected(fact, line, memory, words_for, retold, in_digits)
    found = found or _given_up(fact, line, memory, words_for, in_digits)
    found = found or ([*_just_told(fact, told, memory, words_for)] if words_for.taking_back.match(line) else [])
    meant = len(found) == 1 and found[0].id not in settled
    return Call(UPDATE, {"id": found[0].id, "fact": fact}) if meant else call


def _just_told(fact: str, told: Sequence[str], memory: Known, words_for: Patterns) -> Iterator[Fact]:
    """What was kept a turn ago and says the same of the same with another end: "Ivo is vegan" | "Ivo is vegetarian".

    Of the user nothing, who is many things, nor what a life may hang on, nor a name.
    """
    new, grave = _WORD.findall(fact.casefold()), words_for.grave.search
    for known in memory.facts() if told and not grave(fact) else ():
        held = _WORD.findall(known.text.casefold())
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(held, new, strict=False)))
        whom, lost = _of_whom(known.text, words_for), held[same:]
        alike = whom and whom == _of_whom(fact, words_for) and whom < {*held[:same]} - OWNER
        short = len(lost) <= REVISED_MOST and name_words(known.text).isdisjoint(lost)
        if known.text in told and alike and short and not grave(known.text):
            yield known


def _given_up(fact: str, line: str, memory: Known, words_for: Patterns, in_digits: Callable[[str], str]) -> list[Fact]:
    """The known fact that the line itself takes back, whatever `fact` says; or none."""
    back = taken_back(line, memory, words_for)
    if back and _may_give_way(in_digits(fact), in_digits(back.text), in_digits(line), words_for):
        return [back]
    known = denied(line, memory, words_for) or _put_out(fact, line, memory, words_for)
    return [known] if known else []
