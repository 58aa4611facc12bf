"""A fact that a line corrects, and what the line puts in its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import dropwhile, takewhile

from appliance.ports import Known
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NEVER, NUMBER, Patterns
from appliance.reply.understanding.relevance import COMMON, NOISE, among, telling, words

REMEMBER, UPDATE = "remember", "update_memory"
PREFERENCE, RECALL, FORGET = "set_preference", "recall", "forget"
KEEPERS = {REMEMBER, UPDATE, PREFERENCE}
MEMORY_TOOLS = KEEPERS | {FORGET, "forget_last", RECALL}
"""Those that see to what is remembered."""
CLOCK = "clock"
"""The kind of times of day, which have numbers of their own."""
FILLER = {"the", "user", "their", "this", "that", "has", "have", "was", "are", "now", "from", "with"}
"""Words that any fact may hold."""
ALIKE = 0.5
"""Share of a fact's own words that the older one must hold to be about the same. A judgement: "the bicycle is green"
shares one word of two with "the bicycle is red"."""
NAMED_LEAST = 2
"""Words of a fact in a line that takes it back; one alone may be chance."""
LOOKED_AT = 3
CODE_DIGITS = 3
"""From so many on a number may be a code, said digit by digit."""
NAMED_ALIKE = 2
"""Letters by which a name is known again that was said or heard otherwise: Polish, of Poland. A judgement."""
REVISED_MOST = 3
"""Words that take the place of others in a fact."""
AROUND = frozenset({"the", "user's", "user", "has", "said", "that", "friend"})
"""Words that a model puts before what was told."""
UNKNOWN = Patterns()
"""Those of a language of which no words are known."""
ALONE = re.compile(rf"(?<!\w){NUMBER.pattern}(?!\w)")
_WORD = re.compile(r"\w+")
_HOUR = re.compile(r"\d{1,2}\D*$")
"""A time of day that is a whole hour: its number may be said alone."""
_TOKEN = re.compile(r"\w+(?:['’.:]\w+)*")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_NAME = re.compile(r"\b[A-Z]\w{2,}")
_LETTERS = re.compile(r"(?<=(?<![\w'’])\w) (?=\w(?![\w'’]))")
SPACED = re.compile(r"(?<=\d) (?=\d)")
"""Between the parts of one number: "4 80", "19 68"."""


def revised(fact: str, line: str, words_for: Patterns) -> str:
    """`fact` with what the line puts in the place of parts of it; empty where it does not say which.

    line: with its numbers in digits. It is the one number, weekday or colour in the line that is not the fact's, where
    that has one; or "not Gary, Gareth" names both.
    """
    clock = words_for.kinds.get(CLOCK, NEVER)
    new, timed = fact, clock.search(line) or any(not _HOUR.match(found[0]) for found in clock.finditer(fact))
    for kind in [*words_for.kinds.values(), *([] if timed else [ALONE])]:  # half past 4 is no other 3 o'clock
        new = _exchanged(new, SPACED.sub("", line), kind)
    return new if new != fact else _contrast(fact, line, words_for)


def put_right(fact: str, said: str, words_for: Patterns) -> str:
    """`fact` with what was said when the box asked what is right: as `revised`, or the name alone; else empty."""
    if new := revised(fact, said, words_for):
        return new
    told, held = _TOKEN.findall(words_for.joining.sub(" ", said)), names(fact)
    if len(held) != 1 or not 0 < len(told) <= REVISED_MOST:
        return ""
    return re.sub(rf"\b{re.escape(held[0])}\b", " ".join(word.capitalize() for word in told), fact)


def only_corrects(line: str, fact: str, new: str, words_for: Patterns) -> bool:
    """Whether a line that does not have to name a fact is about it: it shares a word with it, or says nothing but what
    makes `new` of it, and that it is a correction: "sorry, we fly on Friday" is about no bins.
    """
    rest = words_for.correcting.sub(" ", line.replace("’", "'")).casefold()
    put_in = set(words(new)) - set(words(fact))
    if among(telling(rest) - NOISE - put_in, content(fact)):
        return True
    others = [word for word in _TOKEN.findall(rest) if not words_for.joining.fullmatch(word)]
    strange = set(others) - COMMON - NOISE - {*map(str.casefold, _TOKEN.findall(new))}
    return not strange and not any(words_for.first_person.fullmatch(word) for word in others)


def _exchanged(fact: str, line: str, kind: re.Pattern[str]) -> str:
    """`fact` with its one thing of that kind as the line has it, where that names one other."""
    held = [found[0] for found in kind.finditer(fact)]
    others = {singular(found[0]) for found in kind.finditer(line)} - set(map(singular, held))
    if len(held) == 1 == len(others) and _alike(held[0], new := others.pop()) and _by_itself(new, line, fact):
        return re.sub(rf"(?<!\w){re.escape(held[0])}(?!\w)", _cased(new, held[0]), fact)
    return fact


def revision(line: str, digits: str, memory: Known, words_for: Patterns, in_digits: Callable[[str], str] = str) -> str:
    """The stored fact that a line is about, revised; empty where it is about none, or as much about another one.

    in_digits: gives a fact its numbers in digits.  Raises StoreUnusable.
    """
    told = next((part for part in _SENTENCE.split(digits) if NUMBER.search(part)), line)
    said, found = words(told), list[tuple[int, str]]()
    for known in memory.nearest(line, LOOKED_AT):
        new = revised(in_digits(known.text), digits, words_for)
        kept = set(content(known.text)) & set(content(new))
        shared = len(among(kept, said))
        if new and kept and shared > ALIKE * len(kept):
            found.append((shared, new))
    best = max((shared for shared, _ in found), default=0)
    likeliest = [new for shared, new in found if shared == best]
    return likeliest[0] if len(likeliest) == 1 else ""


def singular(word: str) -> str:
    """Saturdays are no other day than Saturday."""
    return word.casefold().removesuffix("s")


def _contrast(fact: str, line: str, words_for: Patterns) -> str:
    """The fact after "not gary, gareth"."""
    tokens, held = _TOKEN.findall(line), {word.casefold() for word in _TOKEN.findall(fact)}
    for at, token in enumerate(tokens):
        if not words_for.denying.fullmatch(token) or tokens[at + 1 : at + 2] == []:
            continue
        old = list(takewhile(lambda word: word.casefold() in held - COMMON, tokens[at + 1 :]))
        rest = _behind_lead(tokens[at + 1 + len(old) :], held, words_for)
        new = list(takewhile(lambda word: word.casefold() not in COMMON | NOISE | held, rest))[:REVISED_MOST]
        place = re.search(rf"\b{re.escape(' '.join(old))}\b", fact, re.IGNORECASE)
        numbers = [bool(NUMBER.search(" ".join(part))) for part in (old, new)]
        if old and new and place and numbers[0] is numbers[1]:  # "not half past 8" is no other half past
            return fact[: place.start()] + _cased(" ".join(new), place[0]) + fact[place.end() :]
    return ""


def _behind_lead(tokens: list[str], held: set[str], words_for: Patterns) -> list[str]:
    """What stands behind the words between what is denied and what is so, "but"; also behind words of the fact, where
    one of those follows them: "not nuts he's allergic to it's sesame".
    """
    joins = words_for.joining.fullmatch
    known = (joins(word) or re.sub(r"['’]s$", "", word.casefold()) in held for word in tokens)
    led = sum(1 for _ in takewhile(bool, known))
    if led and joins(tokens[led - 1]):
        return tokens[led:]
    return list(dropwhile(joins, tokens))


def _by_itself(new: str, line: str, fact: str) -> bool:
    """Whether nothing behind it in the line is another thing than in the fact: "a white yaris" for a blue fiesta."""
    found = re.search(rf"\b{re.escape(new)}s?\b(?: (\w+))?", line, re.IGNORECASE)
    behind = words(found[1] or "") if found else []
    return not set(behind) - COMMON - NOISE or bool(among(behind, words(fact)))


def _alike(old: str, new: str) -> bool:
    """A code has as many digits as it had: else one of them was misheard. A time of day is none without its minutes."""
    return (":" in old) == (":" in new) and not (old.isdigit() and len(old) >= CODE_DIGITS and len(old) != len(new))


def _cased(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def about(text: str, fact: str) -> bool:
    """Whether a text is about a fact: it holds two of its words, all that it has, or a name that is in it."""
    found = among(content(fact), words(text))
    return len(found) >= NAMED_LEAST or not name_words(fact).isdisjoint(found)


def names(fact: str) -> list[str]:
    """The words of it that are written with a capital; also its first one, where that may be a name."""
    return [word for word in _NAME.findall(fact) if word.casefold() not in COMMON]


def name_words(fact: str) -> set[str]:
    """Those names, casefolded as `words` are."""
    return {name.casefold() for name in names(fact)}


def invented(fact: str, said: str, words_for: Patterns) -> bool:
    """Whether a name in it was never said: "you have got his name wrong" tells no other one.

    said: all that was, and what is known.
    """
    told = {word[:NAMED_ALIKE] for word in words(f"{said} {spelt(said)}")}
    dated = {found[0].casefold() for kind in words_for.kinds.values() for found in kind.finditer(fact)}
    return any(name[:NAMED_ALIKE] not in told for name in name_words(fact) - dated)


def spelt(line: str) -> str:
    """`line` with what is said letter by letter, or digit by digit, as a word: "k a i d e n", "5 6 0"."""
    return _LETTERS.sub("", line)


def content(fact: str) -> list[str]:
    """The words of a fact that say what it is about, each once."""
    return [word for word in dict.fromkeys(words(fact)) if word not in FILLER]


def as_told(call: Call, line: str, known: str, words_for: Patterns) -> Call:
    """`remember` in the line's own words, where the model put in words of a known fact that the line does not have.

    known: the facts that it has read.
    """
    found = words_for.noted.match(line) if call.tool == REMEMBER else None
    if not found or words_for.first_person.search(line[found.end() :]):
        return call
    told, fact, said = line[found.end() :].strip(" .:!"), str(call.arguments.get("fact", "")), words(line)
    foreign = {word for word in content(fact) if not among([word], said)} - set(COMMON)
    if not foreign or not foreign <= set(words(known)) or not telling(told) - set(words(fact)):
        return call
    told = words_for.own.sub("the user's", told)
    return Call(REMEMBER, {"fact": f"{told[:1].upper()}{told[1:]}."})


def over_again(call: Call, earlier: Call) -> bool:
    """Whether `call` keeps word for word what `earlier` has kept, but for what a model puts around it."""
    if call.tool != REMEMBER or earlier.tool not in (REMEMBER, UPDATE):
        return False
    new, kept = (_TOKEN.findall(str(each.arguments.get("fact", "")).casefold()) for each in (call, earlier))
    return bool(kept) and kept == new[len(new) - len(kept) :] and set(new[: len(new) - len(kept)]) <= AROUND


def as_known(call: Call, memory: Known) -> bool:
    """Whether it is an update of a fact that says so already, word for word."""
    new = _WORD.findall(str(call.arguments.get("fact", "")).casefold())
    facts = memory.facts() if call.tool == UPDATE else []
    return any(fact.id == call.arguments.get("id") and _WORD.findall(fact.text.casefold()) == new for fact in facts)
