"""What a line is to the step that waits for it: a yes, a no, the argument that was asked for, or none of these."""

from __future__ import annotations

import re
from typing import Literal

from appliance.language.stopwords import EMPTY
from appliance.ports import Tool
from appliance.reply.line import Line
from appliance.reply.select import CERTAIN, IDLE, said_parameters, when_parameters
from appliance.reply.talk import Pending
from appliance.reply.understanding.fastlane import FastLane

Answer = Literal["yes", "no", "argument"]
_WORD = re.compile(r"\w+")
ARGUMENT_WORDS = 12
"""A longer line is no answer to "Who is it for?" but something new; a judgement."""

TIME_MORE_WORDS = 3
"""Beside a time, of a line that is certainly the answer to when: "say six I suppose"; a judgement."""


def answer_to(pending: Pending, tool: Tool, line: Line, sentences: FastLane) -> Answer | None:
    """None where the line is something else: the step is then dropped."""
    said = sentences.answer(line.text)
    if said is None and (begun := sentences.answer_begun(line.text)):
        said = begun[0] if _adds_nothing(begun[1], pending) and not sentences.excepts(begun[1]) else None
    if said == "no" or (said == "yes" and not pending.lacks):
        return said
    if pending.lacks and said is None and _fills(pending, tool, line, sentences):
        return "argument"
    return None


def argument(pending: Pending, tool: Tool, line: Line, sentences: FastLane) -> str:
    """The words of the line that are the argument it was asked for."""
    told = _time(line.text, sentences) if pending.lacks in when_parameters(tool) else ""
    return told or sentences.unhesitating(line.text)


def _time(text: str, sentences: FastLane) -> str:
    """The words that tell a time; all of them where a length does, and none where nothing does."""
    return next(iter(sentences.times_in(text)), text if sentences.lengths_in(text) else "")


def _adds_nothing(rest: str, pending: Pending) -> bool:
    """Whether what stands behind a yes or no only says again what was asked: "yes, the door". Of two things that were
    asked about at once it may mean one."""
    said = set(_WORD.findall(rest.casefold())) - EMPTY
    return not pending.first and said <= set(_WORD.findall(pending.question.casefold()))


def _fills(pending: Pending, tool: Tool, line: Line, sentences: FastLane) -> bool:
    """Whether the line can be the missing argument: short, no order of its own, and a number where one is needed.

    "The back one" may be an order or none, and "at nine": behind a question each is the answer. What tells no time does
    not answer when.
    """
    if len(line.text.split()) > ARGUMENT_WORDS or sentences.matches(line.text) or line.text.rstrip().endswith("?"):
        return False
    if pending.lacks in said_parameters(tool) and not line.counted:
        return False
    if pending.lacks in when_parameters(tool):
        told = _time(line.text, sentences)
        if not told or len(line.text.split()) - len(told.split()) <= TIME_MORE_WORDS:
            return bool(told)
    other = max((score for name, score in line.scores.items() if name != tool.name), default=0.0)
    return other < CERTAIN or (line.no_tool or 0.0) >= IDLE or _is_offered(line.text, pending)


def _is_offered(text: str, pending: Pending) -> bool:
    """Whether it is one of what the question names: "the timer", of "The timer or the music?"."""
    said, asked = (" ".join(_WORD.findall(each.casefold())) for each in (text, pending.question))
    return bool(said) and f" {said} " in f" {asked} "
