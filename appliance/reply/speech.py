"""What the model may say in a pass: whether words at all, and which phrases are no answer to this line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.ports import Tool
from appliance.reply.catalogue import OPTIONAL
from appliance.reply.phrases import Phrases
from appliance.reply.plan import SPEECH
from appliance.reply.work import ACT, Work

_SENTENCE, _SENTENCE_END = re.compile(r"(?<=[.!?])\s+"), re.compile(r"[.!?…]")
ECHO_WORDS = 3
"""First words of a line that only tells something; no answer to it begins so: a small model says it all again."""
AGAIN_WORDS = 4
"""First words of the last answer; no answer to the next thing that is told begins so."""
COMPLETION_WORDS = 4
"""Of a line that answers a tool's question for what it lacked: "Adelaide", "half an hour", "the one in Ontario"."""


def may_speak(work: Work, tools: Sequence[Tool], small: bool) -> bool:
    """Whether the pass may be words; a small model answers an order with a promise instead of the call.

    tools: those that are offered.
    """
    if work.must:
        return work.must == ACT and all(tool.effect == "read" for tool in tools)
    if not small or work.calls or work.results:
        return True
    if work.signs.conditional:  # what it hangs on is looked at first, where it is clear what tells it
        clear = work.signs.tools.claimed | work.signs.tools.meant | work.signs.tools.finding
        return not (work.signs.condition and any(tool.effect == "read" and tool.name in clear for tool in tools))
    if work.completing and _completes(work):
        return False
    due, optional = {tool.name for tool in tools} & work.signs.tools.due, OPTIONAL - work.signs.tools.asked
    return not (due if work.signs.words.acts.match(work.heard) else due - optional and not work.signs.chat)


def _completes(work: Work) -> bool:
    """Whether the line can be what a tool asked for: "the sauce" is that, and no remark, as it else would be."""
    count = len(work.heard.split())
    told = work.signs.words.telling.match(work.heard) if count < COMPLETION_WORDS else work.signs.chat
    return count <= COMPLETION_WORDS and (not told or bool(work.signs.place))


def unsaid(work: Work, tools: Sequence[Tool], phrases: Phrases, acted: bool, acting: bool) -> tuple[str, ...]:
    """Phrases that a small model's words must not hold.

    Refusals of what was not asked for, or of what a tool that is here does; a promise that no call keeps; a yes to
    whether something was done, where nothing was.  acted: something was, earlier in this conversation.  acting: in this
    turn.
    """
    wanted = work.signs.tools.wanted
    able = any(tool.name in wanted for tool in tools)
    unasked = work.signs.chat and not wanted
    refusing = not work.results and (able or unasked)
    claimed = phrases.claims if work.signs.claiming and not acted and not work.calls else ()
    promised = () if acting else phrases.promises
    done = () if acting or acted else phrases.deeds
    return (*phrases.never, *promised, *done, *claimed, *(phrases.refusals if refusing and not claimed else ()))


def refusing(text: str, phrases: Phrases) -> bool:
    """Whether what is written so far is the beginning of a refusal, or may become it, and the sentence goes on."""
    begun = text.casefold().lstrip()
    may = any(begun.startswith(refusal) or refusal.startswith(begun) for refusal in phrases.refusals)
    return may and not _SENTENCE_END.search(text)


def denied(words: str, work: Work, tools: Sequence[Tool], phrases: Phrases) -> str:
    """The source that a refusal says is not here, where it is: "I cannot see the weather"; or none.

    words: its first sentence.  tools: those that may be called. Of 40 refusals in the lessons, on boxes with more tools
    than those on board, it takes none; of 73 replies to strangers that were wrong, 5 were such (2026-11-25).
    """
    ordered = work.signs.words.acts.match(work.heard)  # what it cannot do then is no looking
    if ordered or not words.casefold().lstrip().startswith(tuple(phrases.refusals)):
        return ""
    named = {name for name, pattern in work.signs.words.sources.items() if pattern.search(words)}
    here = (tool.name for tool in tools if tool.effect == "read" and tool.name in named - work.settled and tool.ready())
    return next(here, "")


def echo(work: Work) -> tuple[str, ...]:
    """What the words must not be: the line over again, where it only tells something, or what was said to another one.

    Nor any later sentence of the line: a small model ends its answer with it.
    """
    first, *later = _SENTENCE.split(work.heard)
    said = next(iter(SPEECH))
    telling = work.signs.chat or work.signs.bare
    starts = [(said, first, ECHO_WORDS)] if telling else []
    starts += [(said, work.before, AGAIN_WORDS)] if work.signs.chat else []
    starts += [(" ", sentence, ECHO_WORDS) for sentence in later]
    begun = [(before, _plain(text)[:count], count) for before, text, count in starts]
    return tuple(f"{before}{' '.join(words)}" for before, words, count in begun if len(words) == count)


def _plain(text: str) -> list[str]:
    return [word.strip(".,;:!?") for word in text.casefold().replace("’", "'").split()]
