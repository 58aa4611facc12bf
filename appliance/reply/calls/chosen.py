"""What a small model chooses among the few values that an argument may have, held against what was said."""

from __future__ import annotations

import re
from typing import Any

from appliance.ports import Tool
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NEVER, NUMBER
from appliance.reply.understanding.relevance import NOISE, telling
from appliance.reply.understanding.signs import Signs


def with_choices(call: Call, tool: Tool, free: set[str], signs: Signs) -> dict[str, Any]:
    """The arguments, where there is a choice with the one that the words speak for, or with the number that it is.

    free: names of the parameters that take any text.
    """
    arguments, settles = dict(call.arguments), signs.choices.get(call.tool, {})
    for name, choices in ((name, settles[name]) for name in settles.keys() & tool.schema.get("properties", {}).keys()):
        fitting = set(signs.fitting(call.tool, name))
        numbers = signs.words.set_to.findall(signs.digits)
        given = str(arguments.get(name, ""))
        before_things = signs.words.things.pattern  # "the lamp on while I am off work", but not "the lamp on the desk"
        said = re.search(rf"\b{re.escape(given)}\b(?! (?:{before_things})\b)", signs.digits, re.IGNORECASE)
        one_fits = len(fitting) == 1 and given in choices and not said
        if name in free and given and len(numbers) == 1 and not NUMBER.search(given) and _set_so(call, name, signs):
            arguments[name] = numbers[0]  # "the heating on 19" is not merely on, nor a lamp at 30 percent merely dim
        elif one_fits or name not in free:  # a free string may hold what is no choice: "20 degrees"
            chosen = _chosen(arguments, name, fitting)
            arguments = chosen if chosen or not _implied(call.tool, signs) else arguments
    return arguments


def _set_so(call: Call, name: str, signs: Signs) -> bool:
    """Whether the number in the line may be said of what this call is for, and not of something named apart from it."""
    meant = telling(" ".join(str(value) for key, value in call.arguments.items() if key != name))
    clauses = re.split(rf"[,;.!?] | {signs.words.joints.pattern} ", signs.digits)
    own = [clause for clause in clauses if meant & telling(clause)]
    return not own or any(signs.words.set_to.search(clause) for clause in own)


def _implied(tool: str, signs: Signs) -> bool:
    """Whether a line may ask for one of the choices in no word that a list has: "it's like talking to a mouse" does,
    and "change the volume" leaves it open.
    """
    words, (evidence, _) = signs.words, signs.words.evidence.get(tool, (NEVER, 0))
    named = words.begins_request(signs.digits) and evidence.search(signs.digits)
    rest = telling(words.requests.sub(" ", evidence.sub(" ", signs.digits))) - NOISE
    return tool in signs.tools.meant and not (named and len(rest) <= 1)  # one is the verb


def _chosen(arguments: dict[str, Any], name: str, fitting: set[str]) -> dict[str, Any]:
    """With the choice that the line speaks for; without one that it does not."""
    if len(fitting) == 1:
        (choice,) = fitting
        return arguments | {name: choice}
    return {key: value for key, value in arguments.items() if key != name or value in fitting}
