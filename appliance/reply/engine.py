"""One turn, start to end, in the order of spec/reply.md: each section is a line of `reply`, and a module of its own."""

from __future__ import annotations

import logging
from contextlib import suppress
from unicodedata import normalize

from appliance.audio import Stale, never
from appliance.errors import ApplianceError, Cancelled, PromptTooLong, TurnFailed, WrongUse
from appliance.ports import Message, Mouth
from appliance.records import TurnRecord
from appliance.reply.addressing import Addressing, name_in
from appliance.reply.budget import Budget
from appliance.reply.calls.ellipsis import elliptic, of_another, taken_up
from appliance.reply.channels import CHANNELS
from appliance.reply.consent import Consent
from appliance.reply.conversation import Pending
from appliance.reply.discreet import Discreet, Unheard
from appliance.reply.final import FinalStep, forgetting
from appliance.reply.house import House
from appliance.reply.missed import missed
from appliance.reply.passes import Passes
from appliance.reply.phrases import phrases
from appliance.reply.plan import Call
from appliance.reply.results.rates import rates_of
from appliance.reply.understanding.apart import Apart
from appliance.reply.understanding.corrections import MEMORY_TOOLS, RECALL, UPDATE
from appliance.reply.understanding.fastlane import FastLane, Match
from appliance.reply.understanding.signs import SignReader
from appliance.reply.understanding.tool_signs import RECKONERS, TAKERS
from appliance.reply.without import kept
from appliance.reply.work import Work
from appliance.safety.redact import redact

log = logging.getLogger(__name__)


class Engine:
    def __init__(self, house: House) -> None:
        settings = house.settings
        redact("at the start: a region that does not exist stops it here, not in every turn", settings.reply.region)
        self._house, self._settings, self.conversation = house, settings.reply, house.conversation
        self._phrases = phrases(settings.words.language)
        self._fast_lane = FastLane(settings.words.language, house.is_place, house.sound_of, house.name)
        self._signs = SignReader(settings.words.language, house.is_place, house.convertible)
        self._passes = Passes(house, self._phrases, self._fast_lane.in_digits)
        asked = {tool.name for tool in house.tools if tool.effect == "irreversible"}
        self._apart = Apart(self._fast_lane, self._signs, asked)
        self._consent = Consent(self._fast_lane, self._signs, self._passes.steps, asked)
        self._final = FinalStep(house, self._passes.choose, self._fast_lane.in_digits)
        self._ended: Work | None = None

    def warm_up(self) -> None:
        """Have the model read the part of the prompt that never changes, and what the first line is put behind."""
        # Sentences, places, intents and rates are read when they are first needed: the model loads meanwhile.
        self._fast_lane.match("how late is it in Paris")
        self._signs.read("how late is it in Paris")
        rates_of(self._house.settings.words.language)
        self._house.model.pin(self._passes.reading.heads)
        with suppress(PromptTooLong):  # a turn takes more than is read ahead
            self._expect_next(never)

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None:
        """Have the model read all but the words that are about to come, 0.2 s that nobody then waits for; or those
        that seem to have been said, 0.4 s, if it will be asked about them."""
        if heard:
            self._expect_line(self._redacted(heard), stale)
            return
        self._expect_next(stale)
        if aloud:
            self._fast_lane.expect_speech()

    def _expect_next(self, stale: Stale) -> None:
        """Forgets the older turns already where the next line would have no room behind them."""
        self.conversation.resume(self._house.clock.monotonic())
        while True:
            try:
                for one, other in zip(*map(self._passes.begun_with, ("a", "0")), strict=True):
                    self._house.model.expect(one, other, stale)
                return
            except PromptTooLong:
                if not self.conversation.forget_older_half():
                    raise

    def _expect_line(self, heard: str, stale: Stale) -> None:
        if self.conversation.carried.pending or self._understood(heard, aloud=True):
            return
        work = self._looked_at(heard)
        if not (work.ready or work.stands or self._apart.pieces(work.heard, work.signs)):
            self._house.model.expect(prompt := self._passes.reading.next(work), prompt, stale)

    def _looked_at(self, heard: str) -> Work:
        """The turn that a line would be, up to where the model reads it; nothing is done, and nobody hears of it."""
        work = self._open(0, heard, next(iter(CHANNELS)), Unheard(), never)
        self._passes.begin(work, "")
        return work

    def prompt_parts(self, heard: str) -> dict[str, list[Message]]:
        """What the model would read if this were said now: pinned, then conversation, then fresh."""
        work = self._looked_at(self._redacted(heard))
        head, [*begun, line] = self._passes.reading.head(work), self._passes.reading.next(work)
        return {"pinned": head, "conversation": begun[len(head) :], "fresh": [line]}

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        """Answer `heard` into `mouth`. Raises WrongUse for a line too long, ApplianceError when the model fails."""
        work = self._open(turn, self._redacted(heard), channel, mouth, stale)
        self._passes.begin(work, self._redacted(speaker))
        try:
            if not (self._answer_pending(work) or self._take_fast_lane(work)):
                work.tainted = self.conversation.tainted  # what the model read a turn ago can still mislead it
                if not self._take_apart(work):
                    self._think(work)
        except Cancelled:
            work.record.outcome = "stopped"
        return self._close(work)

    def after(self, stale: Stale) -> None:
        """What follows a reply and nobody waits for: the dialogue, the final memory step. Errors are only logged."""
        work, self._ended = self._ended, None
        if work is None or not work.channel.owner:
            return
        record = work.record
        try:
            if not forgetting(record):  # also one that was only asked about: its words name what is to go
                self._remember(work, stale)
        except Cancelled:
            log.debug("turn %d: somebody spoke, nothing more was remembered", record.turn)
        except ApplianceError as error:
            log.error("turn %d: after the reply: %s", record.turn, error)

    def _remember(self, work: Work, stale: Stale) -> None:
        record, house = work.record, self._house
        if record.said and not work.confidential:
            house.memory.add_exchange(record.conversation, record.heard, record.said, house.clock.now())
        self._final.take(work, stale)

    def _redacted(self, heard: str) -> str:
        """Raises WrongUse; TurnFailed when it cannot be made sure that no secret goes on."""
        heard = normalize("NFC", heard).replace("’", "'")  # as telephones type it
        limit = self._settings.question_max_chars
        if len(heard) > limit:
            raise WrongUse(f"the text has {len(heard):,} characters, a turn takes {limit:,}", remedy="shorten it")
        try:
            return redact(heard, self._settings.region)
        except Exception as error:  # whatever it is: the words must not go on
            raise TurnFailed(
                f"secrets could not be taken out of the line ({type(error).__name__})", remedy="say it in other words"
            ) from None

    def _open(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale) -> Work:
        if channel not in CHANNELS:
            raise WrongUse(f"there is no channel {channel!r}", remedy=f"choose one of: {', '.join(CHANNELS)}")
        self.conversation.resume(self._house.clock.monotonic(), CHANNELS[channel].owner)
        record = TurnRecord(turn=turn, conversation=self.conversation.id, channel=channel, heard=heard)
        budget = Budget(self._house.model.rates, self._settings.budget_s)
        name = kept("addressing", name_in(self._passes.recollection.rules(), self._house.settings.words.language), "")
        discreet = Discreet(Addressing(mouth, name), self._phrases.hidden)
        work = Work(record, CHANNELS[channel], discreet, stale, budget)
        work.before = self.conversation.last_said if self.conversation.messages else ""
        work.heard = kept("repairs", self._fast_lane.as_meant(heard, work.before), heard)
        work.signs = self._signs.read(work.heard, work.before)
        carried = self.conversation.carried
        work.earlier, work.awaited = carried.calls, carried.awaited
        work.resumed = frozenset() if carried.calls else taken_up(carried.topic, work.signs)
        work.heard_before, work.asked_before = carried.heard, carried.asked_of_the_world
        other = work.signs.tools.certain in TAKERS - RECKONERS - {carried.asking}
        work.completing = carried.asking if work.signs.bare and not other else ""
        return work

    def _answer_pending(self, work: Work) -> bool:
        """Whether the line was the yes or no that a step waited for, or what it lacks. Any other drops that step."""
        pending, self.conversation.carried.pending = self.conversation.carried.pending, None
        heard, lane = work.record.heard, self._fast_lane
        if pending is None:
            return self._let_go(work)
        answer = self._consent.answer(heard, pending)
        if answer == "no":
            work.say(self._phrases.left_alone)
        elif answer == "yes" and not pending.lacks:
            self._run(pending.calls, work, confirmed=True)
        elif answer is None and self._consent.completes(heard, work.signs, pending):
            self._run([self._passes.steps.filled(pending, lane.unhesitating(heard), work.signs)], work)
        elif not pending.lacks and work.signs.amends:
            self._amend(pending, work)
            return True
        else:
            work.agreed = pending.call if answer == "order" else None
            return False
        work.record.lane = "fast"
        return True

    def _let_go(self, work: Work) -> bool:
        """Whether a tool asked for what it lacked, and the line is a no."""
        heard, lane = work.record.heard, self._fast_lane
        if not self.conversation.carried.asking or lane.answer(heard) != "no" or lane.matches(heard):
            return False
        work.say(self._phrases.left_alone)
        work.record.lane = "fast"
        return True

    def _amend(self, pending: Pending, work: Work) -> None:
        """The call that was asked about, changed by the line: it is asked about anew."""
        work.tainted = self.conversation.tainted
        call = self._passes.steps.changed(pending.call, work.signs.amends)
        if call:
            work.record.lane = "fast"
            self._run([call], work, understood=True)
        else:
            self._passes.amend(pending, work)

    def _understood(self, heard: str, aloud: bool) -> list[Match]:
        """The requests that the whole line is, where no model is needed for them. aloud: it may have been misheard."""
        if not self._settings.fast_lane:
            return []
        return self._fast_lane.matches(heard) or (self._fast_lane.misheard(heard) if aloud else [])

    def _take_fast_lane(self, work: Work) -> bool:
        """Whether the whole line was a sentence that needs no model."""
        found = [Call(each.intent, each.arguments) for each in self._understood(work.heard, work.channel.aloud)]
        signs = work.signs
        # What a tool asked for is an answer to that, and corrects nothing.
        calls = found if found or work.completing else kept("ellipsis", elliptic(work.earlier, signs), [])
        if not calls or any(call.tool not in work.allowed for call in calls):
            return False
        if any(of_another(call.tool, work.earlier, work.heard, signs.words.referring) for call in calls):
            return False
        work.record.lane = "fast"
        self._run(calls, work, understood=True)
        return True

    def _think(self, work: Work) -> None:
        """The model's passes, and again for each request in the line that they left out."""
        self._passes.run(work)
        for part in self._missed(work):
            work.signs = self._signs.read(part)
            self._passes.turn_to(part, work, first=False)
            self._passes.run(work)

    def _missed(self, work: Work) -> list[str]:
        if not self._house.model.facts.small:
            return []
        language, lane = self._house.settings.words.language, self._fast_lane
        return kept("missed", missed(work, language, lambda part: self._signs.read(part).tools, lane.lengthens), [])

    def _take_apart(self, work: Work) -> bool:
        """Whether the line was several requests, each of them by itself."""
        pieces = kept("apart", self._apart.pieces(work.heard, work.signs), []) if self._settings.fast_lane else []
        if not pieces:
            return False
        understood = frozenset(match.intent for piece in pieces for match in piece.matches)
        if understood - work.allowed.keys():
            return False
        for place, piece in enumerate(pieces):
            work.signs = self._signs.read(piece.text, work.before if place == 0 else "")
            work.settled = understood - work.signs.tools.meant
            self._passes.turn_to(piece.text, work, first=place == 0)
            if piece.matches:
                self._run([Call(match.intent, match.arguments) for match in piece.matches], work, understood=True)
            else:
                self._think(work)
        return True

    def _run(self, calls: list[Call], work: Work, confirmed: bool = False, understood: bool = False) -> None:
        """Steps without a plan, see Steps.take; a result that is not a sentence of its own is left to the model.

        What is asked for twice in one breath is wanted once: "I missed that. Could you repeat it?"
        """
        before = work.uttered
        calls = [call for place, call in enumerate(calls) if call not in calls[:place]]
        work.messages.append(Message("assistant", "\n".join(call.text for call in calls)))
        for call in calls:
            self._passes.steps.take(call, work, confirmed, understood)
        if work.unread:
            work.tainted = work.tainted or self.conversation.tainted
            self._passes.read_on(work, before)

    def _close(self, work: Work) -> TurnRecord:
        said = work.mouth.finish()
        record = work.close(said)
        if record.outcome == "stopped" and work.pending and work.pending.first:
            work.pending = None  # nobody knows which of the questions were heard
        if said or work.answers:
            self.conversation.add(work.as_heard(said), work.talk or Message("user", record.heard), said)
            carried = self.conversation.carried
            work.carry(carried)
            asks = work.signs.personal or work.answered or RECALL in work.signs.tools.due
            carried.told = asks or not MEMORY_TOOLS.isdisjoint(carried.used)
            carried.acted = carried.acted or self._passes.steps.acted(work.calls)
        self.conversation.tainted = self.conversation.tainted or work.tainted
        for call in work.calls:
            if call.tool == UPDATE:
                self.conversation.forget_known(str(call.arguments.get("fact", "")))
        if forgetting(record, "ok"):
            self.conversation.forget_words()  # or the model would read it again in what was said before
        self._ended = work
        return record
