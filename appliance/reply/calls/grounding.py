"""What a small model puts into a call, held against what was said: a name misspelt, a word for nothing, an invention.

An argument that nobody gave is taken out, so that the tool asks for it; a wrong one would be acted upon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from appliance.ports import Tool
from appliance.reply.calls.chosen import with_choices
from appliance.reply.calls.listed import ITEM, LIST, whole
from appliance.reply.calls.spelling import SHARED_LETTERS, as_said, respelt
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.relevance import telling, words
from appliance.reply.understanding.signs import Signs
from appliance.reply.understanding.tool_signs import RECKONERS

SAID_SHARE = 0.5
"""Of the words of an argument that have a meaning. A judgement: a word or two in between may be the model's."""

_CAPITALISED = r"((?-i:[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)*))"

PLACE = "place"
"""The parameter of every tool that takes a place (spec/interface.md)."""
DAY = "day"
"""That of a tool that takes a day."""
QUERY = "query"
"""That of a tool that searches."""
RECIPIENT = "to"
"""That of a tool that sends: somebody, and never what was found."""
TARGET = "to_unit"
"""That of a tool that converts."""
AMOUNT = "value"
"""That of a tool that converts: how much of a unit."""
SAID = "said"
"""Marks a parameter, in its schema, whose value is a number or length that the user must have said."""


def said_parameters(tool: Tool) -> set[str]:
    """Names of the parameters so marked."""
    parts = tool.schema.get("properties", {})
    return {name for name, part in parts.items() if any(SAID in each for each in (part, *part.get("anyOf", ())))}


def named(signs: Signs) -> dict[str, str]:
    """Parameter -> what the line names for it; empty where it names none."""
    return {PLACE: "" if signs.places else signs.place, DAY: signs.day}


def grounded(
    call: Call, tool: Tool, heard: str, before: Iterable[str], signs: Signs, countable: bool, known: str = ""
) -> Call:
    """`call` with nothing in it that was not said, and with the place and the day that were, for a tool that takes one.

    heard: the line; `signs` are its own.  before: what was said or known earlier, but never text from outside.
    countable: whether a number can come from somewhere.  known: facts beside the line, whose numbers may be meant.
    """
    call = call.without({name for name, value in call.arguments.items() if value == ""})
    free, earlier = _free_strings(tool), " ".join(before)
    call = _where_and_when(call, free, heard, earlier, signs)
    same = signs.words.alike.search(heard)  # "the same for the rice"
    back = same or (call.tool in RECKONERS and signs.words.referring.search(heard))  # "double it"
    numbers = set() if countable else {*NUMBER.findall(f"{known} {earlier}" if back else known)}
    invented = set() if countable else {each for each in said_parameters(tool) if not _counts(call, each, numbers)}
    arguments = with_choices(call.without(invented), tool, free, signs)
    texts = texts_of(Call(call.tool, arguments), tool)
    if tool.effect == "read":
        return Call(call.tool, _searched(call.tool, arguments, texts, heard, earlier, signs))
    asker = signs.words.askers.search(heard) if RECIPIENT in free else None
    if asker and not _sent_to(texts, signs):
        arguments[RECIPIENT] = texts[RECIPIENT] = asker["name"].capitalize()
    said = f"{heard} {earlier}"
    for name, value in texts.items():
        others = " ".join(other for each, other in texts.items() if each != name)
        made_up = tool.effect == "irreversible" and _invented(value, said, others, heard, call.tool)
        if signs.words.vague.fullmatch(value) or made_up or _unsaid_number(value, signs, said):
            del arguments[name]
        else:
            arguments[name] = as_said(respelt(value, heard), heard, signs.words.days)
            if name == ITEM:
                arguments[name] = whole(arguments[name], str(arguments.get(LIST, "")), signs)
    return Call(call.tool, arguments)


def _searched(
    tool: str, arguments: dict[str, Any], texts: dict[str, str], heard: str, earlier: str, signs: Signs
) -> dict[str, Any]:
    """The arguments of a tool that only reads, with what the line searches for; texts: the free ones among them."""
    arguments |= {name: respelt(value, heard) for name, value in texts.items()}
    if tool in RECKONERS and signs.words.unaimed.match(heard):
        arguments.pop(TARGET, None)
    if signs.words.uncounted.match(heard) and not signs.quantity:
        arguments.pop(AMOUNT, None)
    unnamed = (signs.words.vague, signs.words.shelves) if signs.words.vague.search(heard) else ()
    if any(none.fullmatch(texts.get(QUERY, "")) for none in unnamed):
        del arguments[QUERY]
        return arguments
    follows = signs.condition is not None and signs.condition.follows  # then it may be for what was found
    asked, told = set() if follows else telling(texts.get(QUERY, "")), telling(heard)
    if asked and not asked & told and asked <= set(words(earlier)):  # an earlier one over again
        more = (word for word in words(heard) if word in told and not signs.words.seeking.fullmatch(word))
        arguments[QUERY] = " ".join([arguments[QUERY], *more])
    return arguments


def _where_and_when(call: Call, free: set[str], heard: str, before: str, signs: Signs) -> Call:
    """With the place and the day that the line names, and no weekday that nobody did; a day of what else it asks for is
    none for this.

    free: names of the parameters that take any text.  before: what was said earlier.
    """
    own = signs.words.spoken_for(call.tool, heard)
    for name, value in named(signs).items():
        if name == DAY and value in heard and value not in own:
            continue
        given = str(call.arguments.get(name, ""))
        counted = name == DAY and (not _shares(given, heard) or signs.words.counted.search(value))
        if value and name in free and (not given or counted):
            call = Call(call.tool, call.arguments | {name: value})
    day, near = str(call.arguments.get(DAY, "")), {found[0].casefold() for found in signs.words.days.finditer(own)}
    only = next(iter(near)) if len(near) == 1 and DAY in free else ""
    if only and only != day.casefold() and (day.casefold() in only or not _shares(day, heard)):  # none, or a part
        return Call(call.tool, call.arguments | {DAY: only})
    told = _shares(day, heard) or _shares(day, before) or signs.words.day_after.search(heard)
    invented = signs.words.days.fullmatch(day) and DAY in free and not told
    return call.without({DAY}) if invented and not near else call


def spread(call: Call, tool: Tool, signs: Signs) -> list[Call]:
    """One call for each of the places that were named together, of a tool that reads what is there."""
    if tool.effect != "read" or PLACE not in _free_strings(tool) or not signs.places:
        return [call]
    calls = (Call(call.tool, call.arguments | {PLACE: place}) for place in signs.places)
    return [each if each.arguments[PLACE] else each.without({PLACE}) for each in calls]


def placed(call: Call, tool: Tool, signs: Signs, found: str) -> Call:
    """With the place that a result names, where the line only points to it: "and how warm is it there".

    found: the result; of the places in it the first.
    """
    if PLACE not in _free_strings(tool) or call.arguments.get(PLACE) or not signs.words.there.search(signs.digits):
        return call
    name = re.search(rf"{signs.words.places.pattern}\s+{_CAPITALISED}", found, re.IGNORECASE)
    return Call(call.tool, call.arguments | {PLACE: name[name.re.groups]}) if name else call


def _shares(given: str, heard: str) -> bool:
    return bool(set(words(given)) & set(words(heard)))


def _counts(call: Call, name: str, known: set[str]) -> bool:
    """Whether an argument counts with what is known; of a sum one number may be the line's: "half of it", "in days"."""
    value = call.arguments.get(name)
    if isinstance(value, int | float):
        return f"{value:g}" in known
    numbers = NUMBER.findall(str(value or ""))
    return len(numbers) > 1 and sum(number not in known for number in numbers) <= 1


def settled(tool: Tool, signs: Signs) -> Call | None:
    """The call of `tool` where the words leave nothing to be written: they settle each argument, or nobody gave it.

    Never of one that takes a place, a day or other free words: of those no list tells that nobody said them.
    """
    arguments, settles = dict[str, Any](), signs.choices.get(tool.name, {})
    parts, numbers = tool.schema.get("properties", {}), said_parameters(tool)
    for name in parts:
        fitting = signs.fitting(tool.name, name)
        unsaid = name in numbers and not signs.quantity
        if len(fitting) > 1 or not (name in settles or unsaid):
            return None
        arguments.update((name, choice) for choice in fitting)
    missing = set(tool.schema.get("required", ())) - arguments.keys()
    return None if missing or (parts and not arguments) else Call(tool.name, arguments)


def unechoed(call: Call, tool: Tool, question: str) -> Call:
    """Without what only repeats the question to which an answer was found: nobody wants that sent, or on a list.

    Of a tool that takes several texts only one may be what was found.
    """
    single = len(_free_strings(tool).intersection(tool.schema.get("required", ()))) == 1
    if not (single or tool.effect == "irreversible"):
        return call
    asked, numbers = telling(question), {*NUMBER.findall(question)}
    echoes = {
        name
        for name, value in texts_of(call, tool).items()
        if name != RECIPIENT
        and telling(value)
        and telling(value) <= asked
        and numbers.issuperset(NUMBER.findall(value))
    }
    return call.without(echoes)


def lacking(call: Call, tool: Tool) -> str:
    """The first free string or amount that `call` needs and has not; empty when there is none."""
    free, needed = _free_strings(tool) | {AMOUNT}, tool.schema.get("required", ())
    return next((name for name in needed if name in free and name not in call.arguments), "")


def texts_of(call: Call, tool: Tool) -> dict[str, str]:
    """The free strings among the arguments."""
    free = _free_strings(tool)
    return {name: value for name, value in _strings(call.arguments) if name in free}


def _free_strings(tool: Tool) -> set[str]:
    parts = tool.schema.get("properties", {})
    return {name for name, part in parts.items() if part.get("type") == "string" and "enum" not in part}


def _strings(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in arguments.items() if isinstance(value, str)]


def _invented(value: str, said: str, others: str, heard: str, tool: str) -> bool:
    """Whether most words of `value` were never said; those of another argument count only if they are all there is.
    Those of the order itself do not: "send a message".

    Nor is an order what it asks to send: "I need to text Gwen" is no message to Gwen.
    """
    if set(words(others)) & set(words(heard)) and words(value) == words(heard):
        return True
    if words(others) != words(heard) and _within(value.casefold(), words(others), words(heard)):
        return True  # "a message that I missed my train" is none to the train
    meant = telling(value)
    held = meant - set(words(others)) or meant
    known = [word for word in words(said) if not any(_alike(word, part) for part in words(tool))]
    spoken = sum(any(_alike(word, other) for other in known) for word in held)
    return spoken < SAID_SHARE * len(held)


def _sent_to(texts: dict[str, str], signs: Signs) -> bool:
    """Whether it is written by name to whom it goes."""
    given = texts.get(RECIPIENT, "")
    return bool(given) and not signs.words.pronouns.fullmatch(given)


def _unsaid_number(value: str, signs: Signs, said: str) -> bool:
    """Whether it is a number with its unit, and nobody has said any that it may come from."""
    numbers = NUMBER.findall(value)
    return (
        len(numbers) == 1
        and value.count(" ") <= 1
        and not signs.quantity
        and not set(numbers) & {*NUMBER.findall(said)}
    )


def _within(value: str, text: list[str], line: list[str]) -> bool:
    """Whether a word that was said once was said as part of that text: behind the word that is before it there."""
    before = {after: word for word, after in pairwise(text)}
    return line.count(value) == 1 and value in before and (before[value], value) in pairwise(line)


def _alike(one: str, other: str) -> bool:
    """The same word, as far as endings go."""
    return one[:SHARED_LETTERS] == other[:SHARED_LETTERS] or one in other or other in one
