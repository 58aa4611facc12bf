"""Orders for a later time: which can be put off, what is done at their time, and what must not be done at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress

from appliance.errors import ApplianceError
from appliance.language.moments import Moment
from appliance.language.when import Split
from appliance.ports import Mouth, Order, OrderOutcome, Tool
from appliance.reply.dependencies import Dependencies
from appliance.reply.line import LineReader
from appliance.reply.loop import Loop
from appliance.reply.phrases import phrases
from appliance.reply.plan import Call
from appliance.reply.select import CERTAIN, WHEN, when_parameters
from appliance.reply.talk import Pending
from appliance.reply.turn import Turn
from appliance.reply.understanding.fastlane import FastLane, PutOff
from appliance.reply.understanding.free_words import may_tell, times


def put_off(tools: Iterable[Tool], at_once: Collection[str], verbatim: Collection[str]) -> PutOff:
    """What can be done later: whatever acts, and has no time of its own.

    at_once, verbatim: names of some of the tools; see ports.Skill.
    """
    acting = [tool for tool in tools if tool.effect != "read"]
    kept = {tool.name for tool in acting if tool.memory == "keep"}
    later = {tool.name for tool in acting if tool.name not in at_once and not _takes_when(tool)}
    return PutOff(later - kept, {*verbatim})


def _takes_when(tool: Tool) -> bool:
    """By a mark, or by the name of a parameter."""
    return bool(when_parameters(tool)) or WHEN in tool.schema.get("properties", {})


class TooEarly:
    """Finds the call that a line wants at another time than now: no sentence knew it, so the model, which has no tool
    for that, would make it at once."""

    def __init__(self, language: str, lane: FastLane, reader: LineReader, putting_off: Collection[str] = ()) -> None:
        """putting_off: names of the tools that put an order off; a line that means one of them is for later."""
        self._language, self._lane, self._reader, self._putting_off = language, lane, reader, putting_off
        self._tools = {*lane.put_off.tools} - {*lane.put_off.verbatim}

    def holds(self, call: Call, text: str) -> bool:
        """Whether `call`, which the model makes for `text`, would be too early."""
        if call.tool not in self._tools:
            return False
        told = [text] if self.leads(text) else self._timed(call.tool, text)
        if not told:
            return self._means_later(call.tool, text)
        return not any(_gives(call, way) for each in told for way in times(each, self._language))

    def _means_later(self, tool: str, text: str) -> bool:
        later = max((self._score(text, name) for name in self._putting_off), default=0.0)
        return later >= CERTAIN and later > self._score(text, tool)

    def _timed(self, tool: str, text: str) -> list[str]:
        """The clauses that tell a time for what `tool` does."""
        clauses = self._lane.clauses(text)
        timed = [each for each in clauses if may_tell(each, self._language)]
        if not timed:
            return [text] if may_tell(text, self._language) else []
        meant = max(clauses, key=lambda each: self._score(each, tool))
        alone = [each for each in timed if any(not way.rest for way in times(each, self._language))]
        return alone + [each for each in timed if each == meant]

    def leads(self, text: str) -> bool:
        """Whether it begins with a length from now, which all of it waits for: "in ten minutes do this and that"."""
        begun = (way for way in times(text, self._language) if way.rest and not way.around[0])
        return any(isinstance(way.when, Moment) and way.when.after_s is not None for way in begun)

    def _score(self, clause: str, tool: str) -> float:
        return self._reader.read(clause).scores.get(tool, 0.0)


def _gives(call: Call, way: Split) -> bool:
    """Whether an argument of the call is the time itself, so that the tool knows of it."""
    given = [value.strip().casefold() for value in call.arguments.values() if isinstance(value, str)]
    return any(value and value in way.said.casefold() for value in given)


class Collected:
    """A `Mouth` that keeps what is said."""

    def __init__(self) -> None:
        self._said = list[str]()

    def say(self, text: str) -> None:
        self._said.append(text)

    def finish(self) -> str:
        return " ".join("".join(self._said).split())


class Delayed:
    def __init__(
        self,
        needs: Dependencies,
        loop: Loop,
        tools: Mapping[str, Tool],
        begin: Callable[[str, Mouth], Turn],
        close: Callable[[Turn, str], None],
    ) -> None:
        """begin: opens a turn that belongs to no conversation.  close: keeps what it did, to be taken back."""
        self._conversation, self._clock, self._tools = needs.conversation, needs.clock, tools
        self._loop, self._begin, self._close = loop, begin, close
        self._phrases, self._lane_for = phrases(needs.settings.words.language), needs.lane

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        """How it ended, and what is to be told of it. Raises ApplianceError, Cancelled."""
        turn = self._begin(order.text, Collected())
        calls = self._calls(order, turn)
        if calls:
            self._loop.run_calls(calls, turn)
        else:
            turn.say(self._phrases.not_understood)
        said = turn.mouth.finish()
        self._close(turn, said)
        if turn.pending and not turn.pending.lacks:
            return "asked", said
        did = bool(calls) and all(step.outcome == "ok" for step in turn.record.steps)
        return ("done" if did else "failed"), said

    def await_answer(self, order: Order) -> None:
        """It was asked about aloud, for it cannot be undone: a yes carries it out."""
        pending: Pending | None = None
        with suppress(ApplianceError):  # it cannot be done any more, as a yes will find
            for call in self._calls(order, self._begin(order.text, Collected())):
                tool = self._tools[call.tool]
                if tool.effect == "irreversible" and (question := tool.question(call.arguments)):
                    pending = Pending(call, "", question, of_order=True).behind(pending)
        self._conversation.resume(self._clock.monotonic(), with_owner=True)
        self._conversation.carried.pending = pending

    def _calls(self, order: Order, turn: Turn) -> list[Call]:
        """Those that it is; none where it is no whole sentence any more, or one of its tools is not to be had."""
        found = self._lane_for(order.language).matches(order.text)
        may = all(each.intent in self._tools and turn.tools.may_run(each.intent) for each in found)
        return [Call(each.intent, each.arguments) for each in found] if may else []
