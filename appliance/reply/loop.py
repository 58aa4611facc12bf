"""The passes of the model in one turn: plan, run the calls, read the results, until something was said."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from appliance.errors import Cancelled, ModelChanged
from appliance.language.statements import states
from appliance.ports import LanguageModel, Message
from appliance.ports.hub import ROUNDS_MOST
from appliance.reply import prompt
from appliance.reply.catalogue import Catalogue
from appliance.reply.context import HEAD_NAMES, Context, Head
from appliance.reply.conversation import Conversation
from appliance.reply.execute import Executor
from appliance.reply.generate import Generator
from appliance.reply.phrases import Phrases
from appliance.reply.plan import Call, Part, Role, Words
from appliance.reply.recall import Recall
from appliance.reply.select import Recent, Selection, Selector
from appliance.reply.shorten import Shortener
from appliance.reply.speak import Speech
from appliance.reply.turn import Turn
from appliance.settings import Reply

log = logging.getLogger(__name__)

NO_TOOLS = Selection()
SAID_TO = "said"
"""The argument of a tool that answers a line with a reviewed sentence: that line."""


class Loop:
    def __init__(
        self,
        settings: Reply,
        conversation: Conversation,
        phrases: Phrases,
        selector: Selector,
        catalogue: Catalogue,
        context: Context,
        generator: Generator,
        executor: Executor,
        recall: Recall,
        shorten: Shortener,
        model: LanguageModel,
    ) -> None:
        self._model = model
        self._settings, self._conversation, self._phrases = settings, conversation, phrases
        self._selector, self._catalogue, self._context = selector, catalogue, context
        self._generator, self._executor, self._recall, self._shorten = generator, executor, recall, shorten

    def chosen(self, turn: Turn) -> tuple[Selection, Head]:
        """What the first pass may write, and what it is read behind."""
        carried, line = self._conversation.carried, turn.line
        recent = Recent(carried.used, carried.awaited, counted=_counts(turn))
        choice = self._selector.select(line, turn.tools, recent, turn.known.facts)
        head = Head.PLAN if choice.tools else self._context.head_for_words(turn)
        return choice, head

    def run(self, turn: Turn) -> None:
        """Until something was said, at most `turns_max` passes. Raises Cancelled, TurnFailed."""
        settings, before = self._settings, turn.uttered
        choice, head = self.chosen(turn)
        if choice.absent:
            turn.record.lane = "fast"
            turn.say(self._phrases.cannot_without(choice.absent))
            return
        if turn.known.withheld and not choice.direct and self._asks_memory(turn, choice):
            turn.record.lane = "fast"
            turn.say(self._phrases.not_yours.format(name=turn.known.withheld))
            return
        if choice.guess and not choice.tools:
            turn.record.lane = "fast"
            turn.say(self._phrases.unclear)
            return
        if choice.direct:
            turn.record.lane = "fast"
            takes = self._catalogue.all[choice.direct].schema.get("properties", {})
            call = Call(choice.direct, {SAID_TO: turn.line.text} if SAID_TO in takes else {})
            self.run_calls([call], turn, understood=choice.direct in self._catalogue.reviewed)
            return
        turn.record.lane, turn.record.head = "plan", HEAD_NAMES[head]
        if head is not Head.WORLD:
            self._conversation.carried.world = ()
        only = choice.tools[0] if choice.forced and len(choice.tools) == 1 else None
        if only and not only.schema.get("properties"):
            turn.record.lane = "fast"  # a forced call without arguments leaves nothing for the model to write
            self.run_calls([Call(only.name)], turn, understood=False)
            return
        planned = settings.plan and len(turn.line.text) >= settings.query_min_chars
        if not planned or not self._pass(turn, choice, head, settings.plan_timeout_s):
            self._fall_open(turn)
        self.read_on(turn, before)

    def _asks_memory(self, turn: Turn, choice: Selection) -> bool:
        """Whether the line asks for what only the memory could answer."""
        tells = states(turn.line.text, self._phrases.language)
        return not tells and all(tool.memory == "recall" for tool in choice.tools)

    def run_calls(self, calls: list[Call], turn: Turn, confirmed: bool = False, understood: bool = True) -> None:
        """Calls that no plan of the model gave; a result that is not a sentence of its own is left to the model."""
        before = turn.uttered
        calls = [call for place, call in enumerate(calls) if call not in calls[:place]]
        turn.messages.append(Message("assistant", "\n".join(call.text for call in calls)))
        for call in calls:
            self._executor.run(call, turn, confirmed, understood)
        if turn.unread:
            turn.tainted = turn.tainted or self._conversation.tainted
        self.read_on(turn, before)

    def read_on(self, turn: Turn, before: tuple[int, int]) -> None:
        """Until nothing is left to be read and something was said.  before: what was uttered before the steps."""
        passes = 1
        while turn.unread and not turn.away:
            passes += 1
            if passes > self._settings.turns_max or turn.rounds >= ROUNDS_MOST:
                turn.took_branch("caveat")
                turn.say(self._phrases.caveat)
                self._insist(turn, "\n".join([*turn.unread, prompt.instruction("caveat", heard=turn.line.text)]))
                return
            self._read_results(turn)
        if turn.away:
            turn.before = before
            return
        if turn.uttered == before and turn.record.outcome != "error":
            turn.took_branch("retried")
            self._insist(turn, prompt.instruction("retry", heard=turn.line.text))

    def _read_results(self, turn: Turn) -> None:
        """One more pass, over what the steps so far gave."""
        refused = all(step.outcome in ("duplicate", "denied") for step in turn.record.steps[-1:])
        turn.messages.append(Message("user", prompt.results(turn.unread, self._nudge(turn)).strip()))
        turn.unread.clear()
        self._pass(turn, NO_TOOLS if refused else self._after_results(turn), Head.PLAN)

    def _nudge(self, turn: Turn) -> str:
        """What reminds a small model of the line, behind a result."""
        return prompt.instruction("nudge", heard=turn.line.text) if self._model.facts.small else ""

    def _after_results(self, turn: Turn) -> Selection:
        """What may follow a result: any tool that only reads, and of those that act the ones that the line means.

        A text from outside may name any tool; it makes none of them likelier.
        """
        meant = {tool.name for tool in self.chosen(turn)[0].tools}
        return Selection(
            tuple(tool for tool in turn.tools if tool.ready() and (tool.effect == "read" or tool.name in meant))
        )

    def _fall_open(self, turn: Turn) -> None:
        """No plan: memory is searched for the line's own words, and the line is answered from what it gives."""
        turn.record.lane = "loop"
        with turn.timed("recall"):
            found = self._recall.search(turn.line, self._conversation.carried.results)
        if found is None:
            turn.took_branch("recall_skipped")
        if found:
            turn.remembered().recalled += len(found)
            background = self._shorten.memories("\n".join(found), turn)
            turn.messages[0] = self._context.plan_line(turn.line, turn.known, (), turn.input.speaker, background)
        self._pass(turn, self.chosen(turn)[0], Head.PLAN)

    def _pass(self, turn: Turn, choice: Selection, head: Head, timeout_s: float = float("inf")) -> bool:
        """One pass; whether anything came of it before the time ran out. Begun anew for each model that takes over."""
        while True:
            try:
                return self._one_pass(turn, choice, head, timeout_s)
            except ModelChanged:
                choice, head = self._fitted(turn, choice)

    def _fitted(self, turn: Turn, choice: Selection) -> tuple[Selection, Head]:
        """What the pass may write, and what it is read behind, for the model that answers now."""
        self._catalogue.fit(turn.tools)
        if len(turn.messages) == 1 and turn.record.lane == "plan":
            choice, head = self.chosen(turn)
            beside = self._catalogue.beside(choice.tools)
            turn.messages[0] = self._context.plan_line(turn.line, turn.known, beside, turn.input.speaker)
            return choice, head
        if (newest := turn.messages[-1].text).startswith(prompt.RESULT) and (nudge := self._nudge(turn)):
            turn.messages[-1] = Message("user", f"{newest}\n{nudge}")
        return replace(choice, tools=tuple(tool for tool in choice.tools if tool.name in turn.tools.open)), Head.PLAN

    def _one_pass(self, turn: Turn, choice: Selection, head: Head, timeout_s: float) -> bool:
        began_s, begun, speech = time.monotonic(), False, Speech(turn, self._settings.sentences_max)
        turn.record.model.calls += 1
        turn.tools.offered = frozenset(tool.name for tool in choice.tools)

        def stale() -> bool:
            return turn.stale() or (not begun and time.monotonic() - began_s > timeout_s)

        with turn.timed("plan"):
            try:
                for part in self._generator.parts(turn, head, choice, stale):
                    begun = True
                    if choice.guess and isinstance(part, Words) and part.kind == "say" and not turn.calls:
                        speech.say(Words("say", self._phrases.unclear))
                        break
                    if not self._take(part, turn, speech):
                        break
            except Cancelled:
                if turn.stale() or begun:
                    raise
                log.warning("turn %d: no plan within %g s", turn.record.turn, timeout_s)
        speech.finish(self._phrases.garbled)
        if speech.written:
            turn.messages.append(Message("assistant", "\n".join(speech.written)))
        return begun or bool(turn.unread)

    def _take(self, part: Part, turn: Turn, speech: Speech) -> bool:
        """One part of what the model writes; whether it may go on."""
        if isinstance(part, Role):
            known = part.name in self._settings.roles
            turn.took_branch("role" if known else "unknown_role")
            turn.tools.role = part.name if known else turn.tools.role
            speech.written.append(f"as {part.name}")
            return True
        if isinstance(part, Call):
            speech.written.append(part.text)
            self._executor.run(part, turn)
            return True
        waits = turn.unread or turn.away
        return not waits and speech.say(part)  # it would speak of what it has not read yet

    def _insist(self, turn: Turn, text: str) -> None:
        """Ask for words, without tools, and apologise where none come: silence is never an outcome."""
        before = turn.uttered
        turn.unread.clear()
        turn.tools.open.clear()  # a server may write calls that no grammar keeps from it
        turn.messages.append(Message("user", text))
        self._pass(turn, NO_TOOLS, Head.PLAN)
        if turn.uttered == before:
            turn.record.outcome = "error"
            turn.say(self._phrases.no_answer)


def _counts(turn: Turn) -> bool:
    """Whether a number stands in what was said or is known before the line."""
    return any(map(str.isdigit, " ".join([turn.input.before, *turn.known.facts])))
