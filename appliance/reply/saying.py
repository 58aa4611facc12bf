"""The model's words on their way to the mouth, watched for what is not for the ear."""

from __future__ import annotations

import logging
import re

from appliance.records import Step
from appliance.reply.plan import Words
from appliance.reply.work import Work
from appliance.safety.guard import Guard

log = logging.getLogger(__name__)

SENTENCE_END = re.compile(r"[.!?…]['\")]?\s")
"""Where words to say may be cut."""


def say(words: Words, work: Work, written: list[str], sentences_max: int) -> bool:
    """The next words of a pass; whether it may go on.  written: what the pass wrote so far, a line each."""
    if work.guard is None:
        work.guard = Guard(work.allowed)
        work.asked = work.asked or words.kind == "ask"
        work.record.steps.append(Step(kind=words.kind))
        written.append(f"{words.kind} ")
    written[-1] += words.text
    safe = work.guard.feed(words.text)
    work.words += safe
    work.mouth.say(safe)
    return not work.guard.tripped and len(SENTENCE_END.findall(work.words)) < sentences_max


def finish(work: Work, written: list[str], garbled: str) -> None:
    """The rest of the words, and an apology in place of what is not for the ear."""
    guard, work.guard = work.guard, None
    if guard is None:
        return
    rest = guard.finish()
    rest = rest if any(map(str.isalnum, work.words + rest)) else ""  # what cannot be heard joins no other words
    work.words += rest
    work.mouth.say(rest)
    if guard.tripped:
        log.warning("turn %d: structured text kept from the ear", work.record.turn)
        work.broken = True
        work.mouth.say(f"\n{garbled}\n")
        written[-1] = f"say {work.words}{garbled}"
