"""What a small model is not left to decide: the one tool that its next pass can only call, or the whole call."""

from __future__ import annotations

from appliance.reply.calls.grounding import settled
from appliance.reply.catalogue import Catalogue
from appliance.reply.conversation import Carried
from appliance.reply.plan import Call
from appliance.reply.recollect import Recollection
from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.understanding.corrections import FORGET, MEMORY_TOOLS, PREFERENCE, RECALL, REMEMBER, UPDATE
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.relevance import NOISE, telling
from appliance.reply.understanding.tool_signs import CALCULATE, CLOCK
from appliance.reply.understanding.tools_meant import ToolSigns
from appliance.reply.work import Work
from appliance.safety.fence import unfenced

CORRECTION_WORDS = 10
"""Of a line that corrects what was told a turn ago, without naming it again; a judgement."""


def duty(work: Work, carried: Carried, recollection: Recollection, catalogue: Catalogue) -> tuple[str, Call | None]:
    """Its name, empty when there is none or it may not run; the call, where the words leave nothing of it to the model.

    carried: what the turn before left.  Also settles `work.changing`.
    """
    told_not_to = work.signs.words.unkept.search(work.heard)  # "don't change anything yet"
    work.changing = not told_not_to and _changing(work, recollection)
    only_told = not (told_not_to or _orders_besides(work))
    fact, conversion = _revision(work, carried, recollection) if only_told else "", work.signs.conversion
    if conversion and CONVERTER in work.allowed and not work.signs.conditional:
        return CONVERTER, Call(CONVERTER, conversion)
    if work.signs.moment and CLOCK in work.allowed:
        return CLOCK, Call(CLOCK, {"day": work.signs.moment})
    if work.which_day and CLOCK in work.allowed:
        return CLOCK, Call(CLOCK, {"what": "date", "day": work.which_day})
    thing = _instead(work, carried)
    name = REMEMBER if fact else _due(work, carried, recollection, only_told, more=thing == "")
    name = name or catalogue.certain(work)
    if not name or name not in work.allowed:
        return "", None
    if fact:
        return name, Call(REMEMBER, {"fact": fact})
    if work.signs.lasting:  # what stays true is for the model, and then for memory
        return name, None
    if name == RECALL and thing:  # the model would look for the other one over again
        return name, Call(RECALL, {"topic": thing})
    return name, settled(catalogue.all[name], work.signs)


def _instead(work: Work, carried: Carried) -> str | None:
    """What else a line asks of memory, which the one before did: "and the one for the shed"; empty where it asks more
    of the same, and None where it does not go on from there.
    """
    if not (carried.told and work.goes_on and not work.earlier):
        return None
    found = work.signs.words.instead.fullmatch(work.heard)
    named = found["thing"] if found else ""
    return named if named or not telling(work.heard) - NOISE else None


def reckoning(work: Work) -> str:
    """The tool that a result has to go through, where the line asks for a number that is not in it; or none.

    Left alone, a small model makes that number up: "1847 to 1957, so 10 years".
    """
    counted = any(NUMBER.search(unfenced(text)) for text in work.unread)
    asked = work.signs.words.reckoning.search(work.heard) and not any(call.tool == CALCULATE for call in work.calls)
    return CALCULATE if asked and counted and CALCULATE in work.allowed else ""


def _due(work: Work, carried: Carried, recollection: Recollection, only_told: bool, more: bool) -> str:
    """What the line can only mean of memory.

    only_told: it may be a fact and no more.  more: it asks more of what stands beside it.
    """
    signs = work.signs
    if not signs.conditional and signs.words.standing.search(work.heard):
        return PREFERENCE
    if signs.keeping:
        return REMEMBER
    told = work.changing or (signs.correcting and _about_told(work, carried, recollection))
    if told and only_told and not _asks(work):
        return REMEMBER
    if signs.personal and _only_recall(signs.tools) and not more and recollection.lacks(work.heard):
        return RECALL  # left alone, the model invents what nobody has told it
    return ""


def _asks(work: Work) -> bool:
    return work.signs.asks or work.signs.words.asks_first(work.heard)


def _orders_besides(work: Work) -> bool:
    """Whether it wants something done beside what it tells: "it's forty minutes now, start it"."""
    tools, words, heard = work.signs.tools, work.signs.words, work.heard
    if not tools.due - MEMORY_TOOLS - words.sources.keys():
        return False
    begun = words.correcting.match(heard)  # "actually start it, it's forty minutes now"
    first = begun and words.acts.match(heard[begun.end() :].lstrip(" ,"))
    return bool(first) or max(words.orders_in(heard), default=0) > 0


def _revision(work: Work, carried: Carried, recollection: Recollection) -> str:
    """The fact that the line corrects, as it is now: the one that was told a turn ago, or one that is stored."""
    signs = work.signs
    if not (signs.correcting and signs.bare):
        return ""
    told = [call for call in carried.calls if call.tool in (REMEMBER, UPDATE)]
    if len(told) == 1 and len(work.heard.split()) <= CORRECTION_WORDS:
        new = recollection.revised(str(told[0].arguments.get("fact", "")), signs)
        if new:
            return new
    return recollection.revision(work.heard, signs)


def _changing(work: Work, recollection: Recollection) -> bool:
    """Whether the line changes what is known: it is about a stored fact, or gives something else for one just told."""
    signs = work.signs
    moving = (
        signs.words.moving.match(work.heard)
        and not (signs.tools.meant | signs.tools.due) - MEMORY_TOOLS - signs.words.sources.keys()
    )
    forgets = FORGET in signs.tools.called_for & signs.tools.meant  # "oh no, forget what I said of Bo"
    if not (signs.bare or moving) or signs.conditional or _asks(work) or forgets:
        return False
    if not (moving or signs.correcting or REMEMBER in signs.tools.meant):
        return False
    if recollection.touched(work.heard) or recollection.denied(work.heard, signs.words):
        return True
    other = (
        signs.words.put_right.search(work.heard)
        or NUMBER.search(signs.digits)
        or any(kind.search(work.heard) for kind in signs.words.kinds.values())
    )
    return bool(signs.correcting and other and recollection.touched(work.before))


def _only_recall(tools: ToolSigns) -> bool:
    """It may be meant, and no other tool is that the words speak for too: "what have I got running"."""
    return RECALL in tools.meant and not tools.called_for & tools.meant - {RECALL}


def _about_told(work: Work, carried: Carried, recollection: Recollection) -> bool:
    """Whether the line is about what was just told, or about a stored fact."""
    return (work.signs.retelling and carried.told) or (
        work.signs.bare and recollection.contradicts(work.heard, work.signs.words)
    )
