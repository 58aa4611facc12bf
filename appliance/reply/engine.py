"""One turn, start to end: each stage is a line of `reply`, and a module of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from appliance.audio import Stale, never
from appliance.errors import Cancelled, PromptTooLong
from appliance.ports import Message, Mouth, Tool
from appliance.records import TurnRecord
from appliance.reply.after import After
from appliance.reply.catalogue import Catalogue
from appliance.reply.clients import Clients
from appliance.reply.closing import Closing
from appliance.reply.confirm import answer_to, argument
from appliance.reply.context import Context
from appliance.reply.delayed import Delayed, TooEarly
from appliance.reply.dependencies import Dependencies
from appliance.reply.execute import Executor, with_argument
from appliance.reply.generate import Generator
from appliance.reply.line import Line, LineReader
from appliance.reply.loop import Loop
from appliance.reply.opening import Opening
from appliance.reply.people import People, ToldTo
from appliance.reply.phrases import language_lack, phrases
from appliance.reply.plan import Call
from appliance.reply.prompt import ANALYSE, SEARCH, Beside, instruction, lacking
from appliance.reply.readable_memory import Forgiving, Nothing
from appliance.reply.recall import Recall
from appliance.reply.reflect import Reflection
from appliance.reply.remember import Remember
from appliance.reply.returned import Returned
from appliance.reply.select import Selector
from appliance.reply.shorten import Shortener
from appliance.reply.side_calls import SideCalls
from appliance.reply.split import requests
from appliance.reply.turn import Turn
from appliance.reply.understanding.fastlane import Match

log = logging.getLogger(__name__)


class Engine:
    def __init__(self, needs: Dependencies) -> None:
        settings, self._needs, self.conversation = needs.settings, needs, needs.conversation
        self._settings = settings.reply
        language, memory = settings.words.language, Forgiving(needs.memory)
        self._phrases = replace(phrases(language), asks=needs.asks)
        self._sentences = needs.lane(language)
        if lack := language_lack(language):
            log.warning("words.language = %r: %s", language, lack)
        self._lines = LineReader(language, self._sentences.in_digits, needs.name, needs.does_too)
        self._early = TooEarly(language, self._sentences, self._lines, needs.putting_off)
        side_calls = SideCalls(needs.model, lambda profile: self._context.begun(profile), lambda: self._context.apart())
        self._catalogue = Catalogue(needs, self._lines.taught, side_calls.pick)
        self._context = Context(needs, self._catalogue.pinned)
        self._opening = Opening(needs, self._sentences, self._catalogue, self._context, self._phrases.hidden)
        people = People(memory, lambda: self.conversation.hears or self.conversation.person, language)
        told = ToldTo(memory, people)
        known = lambda: told if self.conversation.with_owner else Nothing()  # noqa: E731
        self._recall = Recall(known, settings.memory, needs.conversation, needs.memory, language)
        shorten = Shortener(needs.model, settings.reply, settings.memory, side_calls.words)
        extras = {
            SEARCH: lambda call, turn: self._catalogue.search(str(call.arguments.get("query", "")), turn),
            ANALYSE: side_calls.analyse,
        }
        tools = self._catalogue.all
        remember = Remember(
            needs,
            people,
            lambda asked, choices, stale: side_calls.choose(self._recall.profile(), asked, choices, stale),
        )
        executor = Executor(
            tools, extras, settings.reply, self._phrases, shorten, needs.conversation, self._sentences.lengths_in,
            self._sentences.times_in,
            remember.replaced, remember.asks_first, needs.unsaved, self._early.holds,
        )  # fmt: skip
        generator = Generator(needs, self._context, self._phrases, executor.acts)
        unaided = frozenset(tool.name for tool in needs.commands if not tool.schema.get("required"))
        selector = Selector(needs.skill_of, lacking(needs.skills), needs.answers, unaided, needs.prior)
        self._loop = Loop(
            settings.reply, needs.conversation, self._phrases, selector, self._catalogue, self._context, generator,
            executor, self._recall, shorten, needs.model,
        )  # fmt: skip
        self._closing = Closing(needs.conversation, tools, executor.acts, self._context.talk_line)
        delayed = Delayed(needs, self._loop, tools, self._opening.alone, self._closing.keep_deed)
        self.carry_out, self.await_answer = delayed.carry_out, delayed.await_answer
        returned = Returned(tools, shorten, self._phrases)
        self.clients = Clients(
            needs, self._opening, returned, self._phrases, self._answer, self._go_on, self._catalogue.irreplaceable
        )
        self._reflection = Reflection(needs, side_calls.calls, self._sentences.in_digits)
        self._after = After(needs, remember, self._closing.memory_tools, self._closing.forgetting)

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        """Answer `heard` into `mouth`. Raises WrongUse for a line too long, ApplianceError when the model fails."""
        return self._answer(self._opening.in_own(turn, heard, channel, mouth, stale, speaker))

    def _answer(self, turn: Turn) -> TurnRecord:
        self._after.write()
        with self._until_stopped(turn):
            aloud = turn.input.channel.aloud
            if not (self._answer_pending(turn) or self._take_sentence(turn.line.text, turn, aloud)):
                self._think(turn)
        return self._close(turn)

    def _go_on(self, turn: Turn) -> TurnRecord:
        """With a turn that rested, once the results are there."""
        self._catalogue.take_coming()
        with self._until_stopped(turn):
            self._loop.read_on(turn, turn.before)
            self._run_later(turn)
        return self._close(turn)

    @contextmanager
    def _until_stopped(self, turn: Turn) -> Iterator[None]:
        try:
            yield
        except Cancelled:
            turn.record.outcome = "stopped"
            turn.away.clear()

    def _think(self, turn: Turn) -> None:
        """What no sentence knows whole: each of its requests in turn."""
        turn.tainted = self.conversation.tainted  # what the model read a turn ago can still mislead it
        first, *turn.later = self._know(turn)
        self._run(first, turn)
        self._run_later(turn)

    def _run_later(self, turn: Turn) -> None:
        """The requests behind the first, unless the turn has to rest."""
        while turn.later and not turn.away:
            line = turn.later.pop(0)
            turn.utter("\n")
            beside = self._begin_request(line, turn)
            shown = Beside(tools=beside).text
            turn.messages.append(Message("user", shown + instruction("part", heard=line.digits)))
            self._run(line, turn)

    def _run(self, part: Line, turn: Turn) -> None:
        """One request, by a sentence that takes all of it or by the model."""
        if not self._take_sentence(part.text, turn, aloud=False):
            self._loop.run(turn)

    def after(self, stale: Stale) -> None:
        """What follows a reply and nobody waits for: the dialogue, the final memory step. Errors are only logged."""
        self._after.run(stale)

    def reflect(self, stale: Stale) -> bool:
        """See reflect.py. What it merges is everybody's."""
        self.conversation.lift()
        return self._reflection.step(stale)

    def warm_up(self) -> None:
        """Have the model read the part of the prompt that never changes, and what the first line is put behind."""
        self._sentences.matches(self._needs.name)  # sentences and the classifier are read when first needed
        self._lines.read(self._needs.name)
        self._needs.model.pin([*self._context.pinned.values()])
        with suppress(PromptTooLong):  # a turn takes more than is read ahead
            self._expect_next(never)

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None:
        """Have the model read all but the words that are about to come, 0.2 s that nobody then waits for; or those
        that seem to have been said, 0.4 s, if it will be asked about them."""
        if not heard:
            self._expect_next(stale)
            if aloud:
                self._sentences.expect_speech()
            return
        line = self._opening.redacted(heard)
        self.conversation.take_up_own()
        if self.conversation.carried.pending or self._understood(line, aloud=True):
            return
        prompt = self._begun(line)
        self._needs.model.expect(prompt, prompt, stale)

    def prompt_parts(self, heard: str) -> dict[str, list[Message]]:
        """What the model would read if this were said now: pinned, then conversation, then fresh."""
        [*begun, line] = self._begun(heard)
        pinned = next(head for head in reversed(self._context.heads.values()) if begun[: len(head)] == head)
        return {"pinned": pinned, "conversation": begun[len(pinned) :], "fresh": [line]}

    def _begun(self, text: str) -> list[Message]:
        """The prompt of the first pass over a line; nothing is done, and nobody hears of it."""
        turn = self._opening.ahead(text)
        self._know(turn)
        return self._context.next(turn, self._loop.chosen(turn)[1])

    def _expect_next(self, stale: Stale) -> None:
        """Forgets the older turns already where the next line would have no room behind them."""
        self.conversation.resume(self._needs.clock.monotonic())
        profile = self._recall.profile()
        while True:
            try:
                for one, other in zip(*(self._context.expected(text, profile) for text in ("a", "0")), strict=True):
                    self._needs.model.expect(one, other, stale)
                return
            except PromptTooLong:
                if not self.conversation.forget_older_half():
                    raise

    def _know(self, turn: Turn) -> list[Line]:
        """Read the line, and put what may matter to it beside it: for a line that no sentence knew whole.

        Gives its requests; the turn is at the first of them.
        """
        whole = self._lines.read(self._sentences.mended(turn.line.text))
        turn.input = replace(turn.input, line=whole)
        answered = self._loop.chosen(turn)[0].direct in self._catalogue.reviewed
        at_once = answered or self._early.leads(whole.text)
        parts = [whole] if at_once else requests(whole, self._sentences.cuts, self._lines.read, self._is_sentence)
        self.conversation.wishes = self._recall.wishes()
        beside = self._begin_request(parts[0], turn)
        turn.messages = [self._context.plan_line(parts[0], turn.known, beside, turn.input.speaker)]
        return parts

    def _begin_request(self, line: Line, turn: Turn) -> list[Tool]:
        """Open what one request of the line may need; the tools to be shown beside it."""
        turn.input = replace(turn.input, line=line)
        self._catalogue.find(turn)
        turn.known = self._recall.known(line)
        if turn.known.facts:
            turn.took_branch("facts")
        if self._recall.unread:
            turn.took_branch("memory_unread")
        return self._catalogue.beside(self._loop.chosen(turn)[0].tools)

    def _is_sentence(self, part: str) -> bool:
        """Whether a part of a line needs no model, nor what stands before it."""
        return any(not each.refers for each in self._understood(part, aloud=False)[:1])

    def _answer_pending(self, turn: Turn) -> bool:
        """Whether the line was the yes, the no or the argument that a step waited for. Any other drops that step."""
        pending, self.conversation.carried.pending = self.conversation.carried.pending, None
        if pending is None:
            return False
        line, tool = self._lines.read(turn.line.text), self._catalogue.all[pending.call.tool]
        answer = answer_to(pending, tool, line, self._sentences)
        if answer in ("yes", "no"):  # an argument is long enough to tell whose voice it is
            self.conversation.answers()
        self.conversation.carried.asked_of = ""
        if answer == "no":
            turn.say(self._phrases.left_alone)
        elif answer == "yes":
            self._loop.run_calls(pending.calls, turn, confirmed=True)
        elif answer == "argument":
            said = argument(pending, tool, line, self._sentences)
            call, by_sentence = with_argument(pending, tool, said, line.digits), tool in self._needs.commands
            self._loop.run_calls([call], turn, understood=by_sentence)  # what no model wrote is not held against words
        turn.record.lane = "fast" if answer else turn.record.lane
        return answer is not None

    def _understood(self, heard: str, aloud: bool) -> list[Match]:
        """The requests that the whole line is, where no model is needed for them. aloud: it may have been misheard."""
        if not self._settings.fast_lane:
            return []
        return self._sentences.matches(heard) or (self._sentences.misheard(heard) if aloud else [])

    def _take_sentence(self, text: str, turn: Turn, aloud: bool) -> bool:
        """Whether all of a text was sentences that need no model: they are then carried out."""
        found = self._understood(text, aloud)
        tools = turn.tools
        fit = all(tools.may_run(each.intent) and tools.takes(each.intent, each.arguments) for each in found)
        if not found or not fit:
            return False
        turn.record.lane = "fast" if turn.record.lane == "none" else turn.record.lane
        calls = [Call(each.intent, each.arguments) for each in found if not self._is_for_other_device(each.order, turn)]
        if len(calls) < len(found):
            turn.say(self._phrases.not_there)
        if calls:
            self._loop.run_calls(calls, turn)
        return True

    def _is_for_other_device(self, order: str, turn: Turn) -> bool:
        """Whether an order for later is one for the device that somebody stands before: this box cannot do that."""
        meant = [each.intent for each in self._sentences.matches(order)] if order else []
        return any(turn.tools.is_of_other_body(each) or each in turn.tools.own for each in meant)

    def _close(self, turn: Turn) -> TurnRecord:
        """Or rest, as long as a result is awaited that somebody else brings."""
        if turn.away:
            return self._closing.suspend(turn)
        record = self._closing.close(turn)
        self._ended(turn)
        return record

    def _ended(self, turn: Turn) -> None:
        """It is over, and what was said in it is to be kept."""
        self._after.ended(turn)
