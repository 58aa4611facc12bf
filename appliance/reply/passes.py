"""The passes of the model in one turn: plan, steps, results, plan again, until it has spoken (spec/reply.md 4 to 7)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import timedelta

from appliance.audio import Stale
from appliance.errors import Cancelled
from appliance.ports import Message
from appliance.reply import prompt
from appliance.reply.asides import Asides
from appliance.reply.catalogue import ANALYSE, SEARCH, Catalogue
from appliance.reply.conversation import Pending
from appliance.reply.duty import duty, reckoning
from appliance.reply.forgiving import Forgiving, Nothing
from appliance.reply.house import House
from appliance.reply.lines import Lines
from appliance.reply.pen import Pen
from appliance.reply.phrases import Phrases
from appliance.reply.plan import Call, Part, Role
from appliance.reply.reading import Reading
from appliance.reply.reckoners import reckoner_of
from appliance.reply.recollect import Recollection
from appliance.reply.results.almanac import almanac_of
from appliance.reply.results.beside import beside_results
from appliance.reply.results.shorten import Shortener
from appliance.reply.results.verdict import as_found, remark, taking, weighed
from appliance.reply.saying import finish, say
from appliance.reply.steps import Steps
from appliance.reply.understanding.compound import split
from appliance.reply.understanding.tool_signs import CALCULATE, RECKONERS, TAKERS
from appliance.reply.without import kept
from appliance.reply.work import Work

log = logging.getLogger(__name__)


class Passes:
    def __init__(self, house: House, phrases: Phrases, in_digits: Callable[[str], str]) -> None:
        """in_digits: gives a line its numbers in digits."""
        self._house, self._model, self._phrases, self._small = house, house.model, phrases, house.model.facts.small
        self._settings, self._conversation = house.settings.reply, house.conversation
        self._memory = Forgiving(house.memory)
        self._asides = Asides(self._model, lambda known: self.reading.begun(known))
        self._catalogue = Catalogue(house, self._asides.pick)
        self.recollection = Recollection(
            lambda: self._memory if self._conversation.with_owner else Nothing(), house.settings.memory, in_digits
        )
        self._in_digits = in_digits
        self._almanac = almanac_of(house.settings.words.language, house.moment_of, in_digits) if self._small else None
        self._lines = Lines(house, self.recollection, self._catalogue.all, in_digits, self._almanac)
        self.reading = Reading(house, self._lines, self._catalogue.pinned)
        self._shorten = Shortener(self._model, self._settings, house.settings.memory, self._asides.words)
        extras = {
            SEARCH: lambda call, work: self._catalogue.search(str(call.arguments.get("query", "")), work),
            ANALYSE: self._asides.analyse,
        }
        self.steps = Steps(
            self._catalogue.all,
            extras,
            self._settings,
            phrases,
            self._shorten,
            self._memory,
            in_digits,
            self._in_time_for,
            self._until,
        )
        self._pen = Pen(house, self._catalogue, self.reading, phrases, self.steps.acted)
        self._reckoner = reckoner_of(house, self._almanac, phrases, in_digits, self.steps.acted)

    def begin(self, work: Work, speaker: str) -> None:
        """Put the user's line before everything, and set what the turn may use."""
        work.speaker, work.known = speaker, self.recollection.profile()
        work.lately = [*self._conversation.carried.results][-1:]
        work.shortlist = self._catalogue.shortlist(work.heard)
        self._catalogue.allow(work, work.shortlist)
        self._take_in(work)
        earlier = [message for message in self._conversation.messages if message.turn_begins]
        work.background = [message.text for message in (*work.known, *earlier, *work.messages)]

    def _take_in(self, work: Work) -> None:
        """The line, or the first part of it, as the model reads it, and what that leaves to decide."""
        self._weigh(work)
        work.messages[:] = [self._lines.read(work.heard, work.shortlist, work.speaker, signs=work.signs)]
        work.beside = work.beside or self._in_digits(prompt.known(work.messages[-1].text))  # of the whole line
        self._decide(work)

    def _weigh(self, work: Work) -> None:
        if self._small:
            self.recollection.weigh(work, self._house.is_place, self._conversation.carried.told)

    def _in_time_for(self, work: Work) -> timedelta | None:
        """How long it is to "20 minutes before" a time that was found, or that is known."""
        texts, now = work.results or prompt.facts_in(work.beside), self._house.clock.now()
        return self._almanac.in_time_for(work.signs.digits, texts, now) if self._almanac else None

    def _until(self, said: str) -> timedelta | None:
        now = self._house.clock.now()
        moment = self._house.moment_of(said, now)
        return moment - now if moment else None

    def begun_with(self, line: str) -> list[list[Message]]:
        """See Reading."""
        return self.reading.begun_with(line, self.recollection.profile())

    def _decide(self, work: Work) -> None:
        if self._small:
            work.stands = kept("reckoner", self._reckoner.stands(work), "")
            if work.stands:
                work.must, work.ready, work.talk = "", None, None
                return
            work.which_day = kept("reckoner", self._reckoner.which_day(work), "")
            forced = duty(work, self._conversation.carried, self.recollection, self._catalogue)
            work.must, work.ready = kept("duty", forced, ("", None))
            reckoned = kept("reckoner", self._reckoner.of_line(work, self._conversation.carried), None)
            if not work.ready and reckoned:
                work.must, work.ready = reckoned.tool, reckoned
            work.talk = kept("talk", self.reading.talked(work, self._catalogue.offered(work)), None)

    def amend(self, pending: Pending, work: Work) -> None:
        """Have a call that was asked about made again, changed by the line, and nothing else."""
        work.talk = None
        work.must, work.ready = pending.call.tool, None
        text = prompt.instruction("again", question=pending.question, heard=work.heard)
        work.messages.append(Message("user", text))
        self.run(work)

    def turn_to(self, text: str, work: Work, first: bool) -> None:
        """Have the model read only one part of the line: `first`, or after what came of the other one."""
        work.heard, work.reckoned, work.waited = text, False, False
        if first:
            self._take_in(work)
            return
        work.mouth.say("\n")
        work.messages.append(Message("user", prompt.instruction("part", heard=text)))
        self._weigh(work)
        self._decide(work)

    def run(self, work: Work) -> None:
        """Until something was said, at most `turns_max` passes. Raises Cancelled, TurnFailed."""
        work.again = False
        planned = self._settings.plan and len(work.heard) >= self._settings.query_min_chars
        work.record.lane, before = "plan", work.uttered
        if work.ready:
            work.record.lane = "fast"
            work.messages.append(Message("assistant", work.ready.text))
            self.steps.take(work.ready, work, understood=work.ready.tool == CALCULATE)
        elif self._small and (told := work.stands or kept("reckoner", self._reckoner.lived(work), "")):
            work.record.lane = "fast"
            work.tell(told)
        elif not planned or not self._pass(work, self._settings.plan_timeout_s):
            self._fall_open(work)
        self.read_on(work, before)

    def read_on(self, work: Work, before: tuple[int, int]) -> None:
        """Until nothing is left to be read and something was said, at most `turns_max` passes.

        before: what was uttered before the steps whose results are read.
        """
        while work.unread or work.waiting:
            if work.passes >= self._settings.turns_max:
                self._tell_with_caveat(work)
                return
            self._read_results(work)
        if work.uttered == before and not (work.broken or work.again):
            self._retry(work)

    def _read_results(self, work: Work) -> None:
        """One more pass, over what the steps so far gave."""
        work.talk = None
        if self._small and not work.waiting and self._reckon(work):
            return
        waiting, work.waiting = "; ".join(call.text for call in work.waiting), []
        work.waited |= bool(waiting)
        condition, met = (None, None) if waiting else weighed(work)
        found = as_found(condition, work, self._phrases) if condition and met is False and self._small else ""
        told, reckoned = "", False
        if self._small:
            told, reckoned = beside_results(work, self._almanac, self._house.clock.now(), self._in_digits)
            told, reckoned = kept("results", told, ""), kept("results", reckoned, False)
        work.must = self._due(work, met, reckoned)
        told = f"{told}\n{remark(condition, met, work, waiting)}".strip()
        spoken = work.spoken if waiting else ()  # a step may need what a tool said itself
        work.messages.append(Message("user", prompt.results([*spoken, *work.unread], told)))
        work.unread.clear()
        if found:
            work.tell(found)
            return
        if refused := all(step.outcome in ("duplicate", "denied") for step in work.record.steps[-1:]):
            log.info("turn %d: the same again: only words from now on", work.record.turn)
        calls = len(work.calls)
        self._pass(work, only_words=refused or met is False)
        work.reckoned |= any(call.tool in TAKERS | RECKONERS for call in work.calls[calls:])

    def _due(self, work: Work, met: bool | None, reckoned: bool) -> str:
        """See Work.must. reckoned: what the results come to stands beside them."""
        if not self._small or (reckoned and not met):
            return ""
        return taking(work) if met else reckoning(work)

    def _reckon(self, work: Work) -> bool:
        """Whether plain arithmetic over the results was all that was left to do."""
        call = kept("reckoner", self._reckoner.of_results(work), None)
        span = "" if call else kept("reckoner", self._reckoner.span(work), "")
        if not (call or span):
            return False
        work.messages.append(Message("user", prompt.results(work.unread, "")))
        work.unread.clear()
        work.reckoned = True
        if call:
            work.messages.append(Message("assistant", call.text))
            self.steps.take(call, work, understood=True)
        else:
            work.tell(span)
        return True

    def choose(self, text: str, choices: list[str], stale: Stale) -> Call | None:
        """See Asides.choose."""
        return self._asides.choose(self.recollection.profile(), text, choices, stale)

    def _fall_open(self, work: Work) -> None:
        """No plan: memory is searched for the line's own words, and each part of it is answered in turn."""
        work.record.lane, work.talk = "loop", None
        with work.timed("recall"):
            found = self.recollection.fall_open(work, self._conversation.carried.results)
        if found:
            background = self._shorten.memories(found, work)
            work.messages[0] = self._lines.read(work.heard, work.shortlist, work.speaker, background, work.signs)
        parts = split(work.heard, self._house.settings.words.language) if self._small else None
        self._pass(work)
        if parts and work.spoke and not work.unread:
            work.messages.append(Message("user", prompt.instruction("part", heard=parts[1])))
            self._pass(work)

    def _pass(self, work: Work, timeout_s: float = float("inf"), only_words: bool = False) -> bool:
        """One pass; whether anything came of it before the time ran out."""
        began_s, written, work.passes = time.monotonic(), list[str](), work.passes + 1
        begun = False

        def stale() -> bool:
            return work.stale() or (not begun and time.monotonic() - began_s > timeout_s)

        with work.timed("plan"):
            try:
                for part in self._pen.parts(work, stale, only_words):
                    begun = True
                    if not self._take(part, work, written):
                        break
            except Cancelled:
                if work.stale() or begun:
                    raise
                log.warning("turn %d: no plan within %g s", work.record.turn, timeout_s)
        finish(work, written, self._phrases.garbled)
        if written:
            work.messages.append(Message("assistant", "\n".join(written)))
        return begun or bool(work.unread)

    def _take(self, part: Part, work: Work, written: list[str]) -> bool:
        """One part of what the model writes; whether it may go on."""
        if isinstance(part, Role):
            work.role = part.name if part.name in self._settings.roles else work.role
            self._catalogue.allow(work, ())
            written.append(f"as {part.name}")
        elif isinstance(part, Call):
            written.append(part.text)
            self.steps.take_for_each(part, work)
        elif work.unread or work.waiting:
            return False  # it would speak of what it has not read yet
        else:
            return say(part, work, written, self._settings.sentences_max)
        return True

    def _tell_with_caveat(self, work: Work) -> None:
        """The passes ran out: a caveat, then what the model can say of what was found so far."""
        work.say(self._phrases.caveat)
        text = prompt.instruction("caveat", heard=work.heard)
        self._insist(work, "\n".join([*work.unread, text]))

    def _retry(self, work: Work) -> None:
        """An empty answer gets one plain retry without tools; then an apology. Silence is never an outcome."""
        self._insist(work, prompt.instruction("retry", heard=work.heard))

    def _insist(self, work: Work, text: str) -> None:
        """Ask for words, and apologise where none come."""
        before = work.uttered
        self._ask_for_words(work, text)
        if work.uttered == before:
            work.broken = True
            work.say(self._phrases.no_answer)

    def _ask_for_words(self, work: Work, text: str) -> None:
        work.talk = None
        work.unread.clear()
        work.waiting.clear()
        work.allowed.clear()  # a server may write calls that no grammar keeps from it
        work.messages.append(Message("user", text))
        self._pass(work, only_words=True)
