"""One step of a plan: is it allowed, run it in time, and bring its result to the ear or before the model."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from appliance.errors import ApplianceError, BadArgument, Cancelled, ToolError
from appliance.ports import Known, Spoken, Tool
from appliance.records import Step, StepKind, StepOutcome
from appliance.reply import prompt
from appliance.reply.calls.amends import amended, changed
from appliance.reply.calls.ellipsis import named_anew, next_day
from appliance.reply.calls.figures import with_figures
from appliance.reply.calls.grounding import (
    QUERY,
    RECIPIENT,
    grounded,
    lacking,
    placed,
    said_parameters,
    spread,
    unechoed,
)
from appliance.reply.calls.listed import along, named_or_open
from appliance.reply.calls.relative import beyond
from appliance.reply.calls.whole_lengths import at_clock, lasting, with_found_length, with_whole_length
from appliance.reply.calls.worded import in_words, naming, unheard
from appliance.reply.catalogue import ANALYSE
from appliance.reply.completed import as_picked, completes, filled
from appliance.reply.conversation import Pending
from appliance.reply.discreet import hides
from appliance.reply.in_time import in_time
from appliance.reply.kept import as_kept
from appliance.reply.leave import ordered
from appliance.reply.left_open import closed
from appliance.reply.phrases import Phrases, sentence
from appliance.reply.plan import Call
from appliance.reply.results.compared import both
from appliance.reply.results.measures import in_day_hours, measured
from appliance.reply.results.second_source import elsewhere
from appliance.reply.results.shorten import Shortener
from appliance.reply.results.verdict import asked_for_want, asked_upon
from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.understanding.corrections import KEEPERS, RECALL, as_known, over_again
from appliance.reply.understanding.dependence import COUNTED
from appliance.reply.understanding.signs import Signs
from appliance.reply.without import kept
from appliance.reply.work import Work
from appliance.safety.fence import unfenced
from appliance.safety.redact import redact_value
from appliance.settings import Reply

log = logging.getLogger(__name__)

KINDS: dict[str, StepKind] = {RECALL: "recall", ANALYSE: "analyse"}
"""Calls that are steps of their own kind; every other one is a tool."""

Extra = Callable[[Call, Work], str]
"""Runs a step that the engine itself provides; what it returns is for the model to read."""
_YEAR = re.compile(r"\d{4}")


class Steps:
    def __init__(
        self,
        tools: Mapping[str, Tool],
        extras: Mapping[str, Extra],
        settings: Reply,
        phrases: Phrases,
        shorten: Shortener,
        memory: Known,
        in_digits: Callable[[str], str],
        in_time_for: Callable[[Work], timedelta | None],
        until: Callable[[str], timedelta | None],
    ) -> None:
        """in_digits: gives numbers in digits.  in_time_for: how long to a while before a known time.  until: to one."""
        self._in_time_for, self._until = in_time_for, until
        self._tools, self._extras, self._settings = tools, extras, settings
        self._phrases, self._shorten, self._memory, self._in_digits = phrases, shorten, memory, in_digits

    def take_for_each(self, call: Call, work: Work) -> None:
        """One step for each of the places that the line asks about, see `take`."""
        tool = self._tools.get(call.tool)
        work.again = any(along(call, earlier) or over_again(call, earlier) for earlier in work.calls)
        figures = _YEAR.fullmatch(str(call.arguments.get(QUERY, "")))
        if work.again or (figures and any(figures[0] in text for text in work.results)):
            return  # a year that was just found is nothing to search for
        calls = spread(call, tool, work.signs) if tool else [call]
        calls = both(call, tool, work.signs) if tool and len(calls) == 1 else calls
        mended = len(calls) > 1 or work.signs.slip or work.unread
        for each in calls:
            if each not in work.calls or not mended:  # the model may go on by itself to what was made of one before
                self.take(each, work)

    def take(self, call: Call, work: Work, confirmed: bool = False, understood: bool = False) -> None:
        """One step; its result is spoken, or among `work.unread`. Raises Cancelled, and whatever redaction raises.

        confirmed: the user said yes to it.  understood: it was made of the words themselves, not by the model.
        """
        if work.stale():
            raise Cancelled
        if (whole := call if confirmed or understood else closed(call, work, self._in_digits)) is None:
            return
        call = Call(whole.tool, redact_value(whole.arguments, self._settings.region))
        since_s = time.monotonic()
        if not (confirmed or understood) and (tool := self._tools.get(call.tool)):
            call = kept("held", self._held(call, tool, work), call)
            call = kept("memory", as_kept(call, work, self._memory, self._in_digits), call)
        step = Step(kind=KINDS.get(call.tool, "tool"), tool=call.tool, arguments=call.arguments)
        agreed = call == work.agreed and not work.results  # text from outside may ask for it as well
        step.outcome = self._refused(call, work, confirmed or agreed) or self._run(call, work, step)
        if step.outcome == "ok" and call.tool in KEEPERS and hides(call.arguments.values()):
            work.say_once(self._phrases.unkept)
        if step.outcome in ("error", "timeout"):
            work.in_vain.append(call)
        work.took(step, since_s)
        if step.outcome == "ok" and (other := elsewhere(call, work)):
            self.take(other, work, understood=True)

    def _held(self, call: Call, tool: Tool, work: Work) -> Call:
        """What the model wrote, held against what was said and found."""
        heard, signs = work.record.heard, work.signs
        found = work.results if signs.condition and signs.condition.follows else ()  # it was asked to be put in
        counts = work.countable(call.tool)
        ground = partial(grounded, call, tool, heard, signs=signs, countable=counts, known=work.beside)
        call = in_words(call, tool, [*work.background, *naming(found, tool, signs)], work.tellable, ground)
        if not (work.results or signs.words.referring.search(heard)):  # nor can it stand for what was found
            call = named_or_open(call, " ".join([heard, *work.background, work.before, work.beside]))
        call = with_figures(self._with_length(with_whole_length(call, signs.digits), work), tool, signs)
        call = as_picked(call, work.before, signs) if work.completing == call.tool else call
        call = next_day(named_anew(call, work.earlier, heard, signs.words.pronouns), work.earlier, heard, signs.words)
        if work.results and tool.effect != "read":
            call = beyond(call, signs.digits, unfenced(work.results[-1]), signs.words, self._in_digits)
        if signs.condition and found:
            call = placed(unechoed(call, tool, signs.condition.test), tool, signs, unfenced(found[-1]))
        passed_on = work.before if signs.words.passing_on.search(heard) else ""
        text, lacks = unfenced(found[-1]) if found else passed_on, lacking(call, tool)
        if text and lacks not in ("", RECIPIENT) and not unheard(text):
            call = Pending(call, lacks).filled(text)
        return amended(call, tool, signs.slip, signs.words.adding)

    def _with_length(self, call: Call, work: Work) -> Call:
        """With the length that the line only points to: of this turn's results, of a fact, of what was told before."""
        if call.tool not in COUNTED:
            return call
        at = at_clock(call, work.signs.digits, work.signs.words.spoken_clock)
        if ahead := self._until(at) if at else self._in_time_for(work):
            return lasting(call, ahead)
        if work.signs.quantity:
            return call
        earlier = work.lately if work.signs.words.back.search(work.heard) else ()
        answered = [self._in_digits(work.before)] if work.signs.words.lengthwise.search(work.heard) else ()
        for texts in (work.results, prompt.facts_in(work.beside), answered, earlier):
            if (found := with_found_length(call, map(unfenced, texts))) != call:
                return found
        return call

    def _refused(self, call: Call, work: Work, confirmed: bool) -> StepOutcome | None:
        """Why it is not run; what the model or the user is told of that."""
        if call.tool not in work.allowed or (call.tool in KEEPERS and work.confidential):
            work.unread.append(prompt.note("unknown", tool=call.tool))
            return "denied"
        if len(work.calls) >= work.channel.calls_max:
            work.unread.append(prompt.note("enough"))
            return "denied"
        if as_known(call, self._memory):  # it would be acknowledged, and change nothing
            work.unread.append(prompt.note("known_already", call=call.text))
            return "duplicate"
        within = self._settings.duplicates_within
        if within and call in work.calls[-within:]:
            work.unread.append(prompt.note("failed" if call in work.in_vain else "duplicate", call=call.text))
            return "duplicate"
        if not confirmed and self._needs_leave(call, work):
            return self._ask_leave(call, work)
        return None

    def _ask_leave(self, call: Call, work: Work) -> StepOutcome | None:
        """None where none is needed now."""
        asked = Pending(call, lacking(call, self._tools[call.tool]))
        try:
            asked = replace(asked, question=self.question(asked))
        except ApplianceError as error:
            work.calls.append(call)
            return self._failed(error, call, work)
        if not asked.question:
            return None
        if found := asked_upon(work):
            work.say_once(found)
        work.say_once(asked.question)
        work.pending, work.asked = asked.behind(work.pending), True
        return "unconfirmed"

    def acted(self, calls: Sequence[Call]) -> bool:
        """Whether any of them does more than read."""
        return any(call.tool in self._tools and self._tools[call.tool].effect != "read" for call in calls)

    def changed(self, call: Call, meant: str) -> Call | None:
        """See amends.changed."""
        return changed(call, self._tools[call.tool], meant)

    def question(self, pending: Pending) -> str:
        """What to ask before the step runs."""
        if pending.lacks:
            return self._phrases.what_is(pending.lacks)
        return self._tools[pending.call.tool].question(pending.call.arguments)

    def completes(self, pending: Pending, signs: Signs) -> bool:
        """See completed.completes."""
        return completes(pending, self._tools[pending.call.tool], signs)

    def filled(self, pending: Pending, said: str, signs: Signs) -> Call:
        """See completed.filled."""
        return filled(pending, said, signs, self._memory)

    def _needs_leave(self, call: Call, work: Work) -> bool:
        """What cannot be undone always does; once text from outside was read, so does everything that acts.

        But for what the line itself orders, see leave.py.
        """
        tool = self._tools.get(call.tool)
        if tool is None or tool.effect == "read":
            return False
        if call.tool in COUNTED and not said_parameters(tool) & call.arguments.keys():
            return False  # it asks for the length, and does nothing
        return tool.effect == "irreversible" or (work.tainted and not ordered(call, work))

    def _run(self, call: Call, work: Work, step: Step) -> StepOutcome:
        work.calls.append(call)
        work.gave.append("")
        try:
            if extra := self._extras.get(call.tool):
                work.unread.append(extra(call, work))
                work.gave[-1] = work.unread[-1]
                return "ok"
            answer = in_time(self._tools[call.tool], call.arguments, self._settings.tool_timeout_s)
            self._hand_over(answer, call, work, step)
        except Cancelled:
            raise
        except ApplianceError as error:
            return self._failed(error, call, work)
        except TimeoutError:
            log.error("tool %s: no answer in time (%g s, or its own)", call.tool, self._settings.tool_timeout_s)
            work.say(self._phrases.late)
            return "timeout"
        except Exception:  # a tool is the owner's own code as well: whatever it raises must not take the turn along
            log.exception("tool %s", call.tool)
            work.say(self._phrases.broke)
            return "error"
        return "ok"

    def _failed(self, error: ApplianceError, call: Call, work: Work) -> StepOutcome:
        if not isinstance(error, ToolError):
            log.error("tool %s: %s", call.tool, error)
            work.say(error.spoken)
            return "error"
        if isinstance(error, BadArgument):  # it asks something itself, and a yes would be one to that
            work.pending, work.asked, work.asking = None, True, call.tool
            if found := asked_for_want(work):
                work.say_once(found)
        work.say(self._asked_for(call, work) or sentence(error.what))
        return "error"

    def _asked_for(self, call: Call, work: Work) -> str:
        """The question for what `call` lacks, whose answer completes it; empty when it lacks nothing."""
        lacks = lacking(call, self._tools[call.tool])
        if not lacks:
            return ""
        work.pending = Pending(call, lacks, self._phrases.what_is(lacks))
        return work.pending.question

    def _hand_over(self, answer: str, call: Call, work: Work, step: Step) -> None:
        if any(work.signs.words.day_hours.search(message.text) for message in work.known):
            answer = type(answer)(in_day_hours(answer))
        work.gave[-1] = answer.strip()
        if isinstance(answer, Spoken) and not work.awaits(call.tool):
            (work.say_once if call.tool in KEEPERS else work.say)(answer)
            return
        tool = self._tools[call.tool]
        work.tainted = work.tainted or tool.untrusted
        text = self._shorten.result(answer, call, work, step, untrusted=tool.untrusted)
        work.results.append(text)
        work.unread += [text, *measured(answer, work, self._tools.get(CONVERTER))]
