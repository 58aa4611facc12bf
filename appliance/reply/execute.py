"""One step of a plan: may it run, run it in time, and bring its result to the ear or before the model."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from appliance.errors import ApplianceError, BadArgument, Cancelled, ToolError
from appliance.language.digits import NUMBER
from appliance.language.stopwords import EMPTY
from appliance.ports import Elsewhere, Fact, Followed, Spoken, TakenBack, Tool
from appliance.records import Step, StepKind, StepOutcome
from appliance.reply import prompt
from appliance.reply.conversation import Conversation
from appliance.reply.discreet import hides
from appliance.reply.ground import LengthsIn, Sources, TimesIn, grounded
from appliance.reply.in_time import in_time
from appliance.reply.phrases import Phrases, sentence
from appliance.reply.plan import Call
from appliance.reply.prompt import ANALYSE
from appliance.reply.select import said_parameters
from appliance.reply.shorten import Shortener
from appliance.reply.talk import Pending
from appliance.reply.turn import Away, Done, Turn
from appliance.reply.understanding.relevance import words
from appliance.safety.fence import encodable, unfenced
from appliance.safety.redact import redact_value
from appliance.settings import Reply

log = logging.getLogger(__name__)

Extra = Callable[[Call, Turn], str]
"""Runs a step that the engine itself provides; what it returns is for the model to read."""


Replaced = Callable[[str, Turn], Fact | None]
FACT, ID = "fact", "id"
"""Parameters of the tools that keep a fact, and that replace one."""


class Executor:
    def __init__(
        self,
        tools: Mapping[str, Tool],
        extras: Mapping[str, Extra],
        settings: Reply,
        phrases: Phrases,
        shorten: Shortener,
        conversation: Conversation,
        lengths_in: LengthsIn,
        times_in: TimesIn,
        replaced: Replaced,
        asks_first: Callable[[Call], bool],
        unsaved: Callable[[], str],
        too_early: Callable[[Call, str], bool] = lambda call, text: False,
    ) -> None:
        """replaced: the stored fact that a new one takes the place of.  unsaved: see Dependencies.

        asks_first: whether a call that keeps a fact waits for a yes, though it can be undone.
        too_early: whether a call that the model makes for a text is wanted later.
        """
        self._replaced, self._asks_first, self._unsaved, self._too_early = replaced, asks_first, unsaved, too_early
        self._update = next(
            (name for name, tool in tools.items() if tool.memory == "keep" and ID in parameters(tool)), ""
        )
        self._conversation = conversation
        self._tools, self._extras, self._settings = tools, extras, settings
        self._phrases, self._shorten = phrases, shorten
        self._lengths_in, self._times_in = lengths_in, times_in

    def run(self, call: Call, turn: Turn, confirmed: bool = False, understood: bool = False) -> None:
        """One step; its result is spoken, or among `turn.unread`. Raises Cancelled, and whatever redaction raises.

        confirmed: the user said yes to it.  understood: a whole sentence gave it, not the model.
        """
        if turn.stale():
            raise Cancelled
        since_s, tool = time.monotonic(), self._tools.get(call.tool)
        call = Call(call.tool, redact_value(call.arguments, self._settings.region))
        if tool and not (confirmed or understood):
            if self._puts_off(call, turn) or self._refuses_later(call, turn):
                return
            call = grounded(self._with_results(call, turn), tool, self._sources(turn), self._lengths_in, self._times_in)
        if tool and tool.memory == "keep" and turn.tools.may_run(call.tool):
            call = self._in_place(call, turn)
        step = self._step(call, tool, turn)
        step.outcome = self._refused(call, turn, confirmed) or self._called(call, turn, step)
        if step.outcome == "ok" and tool and tool.memory == "keep" and hides(call.arguments.values()):
            turn.say_once(self._phrases.unkept)
        turn.took(step, since_s)

    def acts(self, call: Call) -> bool:
        """Whether it does more than read."""
        return call.tool in self._tools and self._tools[call.tool].effect != "read"

    def _in_place(self, call: Call, turn: Turn) -> Call:
        """A call that keeps a fact, as the update of the stored fact that it changes."""
        fact = str(call.arguments.get(FACT, ""))
        if not (fact and self._update) or ID in call.arguments or turn.input.unkept:
            return call
        older = self._replaced(fact, turn)
        return Call(self._update, {ID: older.id, FACT: fact}) if older else call

    def _step(self, call: Call, tool: Tool | None, turn: Turn) -> Step:
        kind: StepKind = "recall" if tool and tool.memory == "recall" else "tool"
        if call.tool == ANALYSE:
            kind = "analyse"
        elif call.tool in turn.tools.reviewed:
            kind = "reviewed"
        return Step(kind=kind, tool=call.tool, arguments=call.arguments, effect=tool.effect if tool else None)

    def _puts_off(self, call: Call, turn: Turn) -> bool:
        """Whether a call with "$1" in it waits until the model has read that result, and writes it again."""
        if not self._waits(call, turn):
            return False
        turn.took_branch("dependent")
        if not (turn.unread or turn.away):
            return False
        turn.unread.append(prompt.instruction("nudge_steps", steps=call.text))
        return True

    def _refuses_later(self, call: Call, turn: Turn) -> bool:
        """Whether the line wants it at another time than now: nothing is done then, and that is said."""
        if not self._too_early(call, turn.line.text):
            return False
        turn.say_once(self._phrases.not_later)
        return True

    def _with_results(self, call: Call, turn: Turn) -> Call:
        """With what earlier steps gave in the place of "$1"."""
        return call.put_in([unfenced(each.gave).rstrip(".") for each in turn.done]) if self._waits(call, turn) else call

    def _waits(self, call: Call, turn: Turn) -> bool:
        read = () if turn.unread else turn.results  # before, the model has not read of any price there
        return call.waits(
            len(turn.done), NUMBER.findall(" ".join([turn.line.digits, *turn.known.facts, *map(unfenced, read)]))
        )

    def _sources(self, turn: Turn) -> Sources:
        said = [message.text for message in self._conversation.messages if message.role == "user"]
        return Sources(
            said=f"{turn.line.digits} {turn.line.text}",
            line=turn.line.text,
            known=[turn.input.before, *turn.known.facts],
            earlier=[*said, *(message.text for message in turn.known.profile)],
            results=turn.results + turn.spoken,
        )

    def _refused(self, call: Call, turn: Turn, confirmed: bool) -> StepOutcome | None:
        """Why it is not run; what the model or the user is told of that."""
        tool = self._tools.get(call.tool)
        if tool is None or not turn.tools.may_run(call.tool) or (tool.memory == "keep" and turn.input.confidential):
            turn.unread.append(prompt.note("unknown", tool=call.tool))
            return "denied"
        if turn.tools.is_of_other_body(call.tool):
            turn.say_once(self._phrases.not_there)
            return "denied"
        if len(turn.done) >= turn.tools.channel.calls_max:
            turn.unread.append(prompt.note("enough"))
            return "denied"
        within = self._settings.duplicates_within
        same = [each for each in turn.done[-within:] if each.call == call] if within else []
        if same:
            turn.unread.append(prompt.note("failed" if same[-1].failed else "duplicate", call=call.text))
            return "duplicate"
        if not confirmed and self._waits_for_yes(call, tool, turn):
            return self._ask(call, tool, turn)
        return None

    def _waits_for_yes(self, call: Call, tool: Tool, turn: Turn) -> bool:
        risky = tool.effect != "read" or (tool.untrusted and gives_away(call, turn, self._conversation.carried.calls))
        if tool.effect == "irreversible" or (turn.tainted and risky):
            return True
        return tool.memory == "keep" and self._asks_first(call)

    def _ask(self, call: Call, tool: Tool, turn: Turn) -> StepOutcome | None:
        """Ask before it runs, or for what it lacks; None where nothing needs to be asked now."""
        lacks = lacking(call, tool)
        try:
            question = self._phrases.what_is(call.tool, lacks) if lacks else tool.question(call.arguments)
        except ApplianceError as error:
            turn.done.append(Done(call, failed=True))
            return self._failed(error, call, turn)
        if not question:
            return None
        turn.say_once(question)
        turn.pending = Pending(call, lacks, question).behind(turn.pending)
        return "unconfirmed"

    def _called(self, call: Call, turn: Turn, step: Step) -> StepOutcome:
        turn.done.append(done := Done(call))
        tool = self._tools[call.tool]
        try:
            if extra := self._extras.get(call.tool):
                done.gave = extra(call, turn)
                turn.unread.append(done.gave)
                return "ok"
            self._unsaved()  # what went before is not of this call
            answer, done.reversals = in_time(tool, call.arguments, self._settings.tool_timeout_s)
            self._hand_over(answer, tool, done, turn, step)
            if caveat := self._unsaved():
                turn.say_once(caveat)
            return "ok"
        except Cancelled:
            raise
        except ApplianceError as error:
            outcome = self._failed(error, call, turn)
        except TimeoutError:
            log.error("tool %s: no answer in time (%g s, or its own)", call.tool, self._settings.tool_timeout_s)
            turn.say(self._phrases.late)
            outcome = "timeout"
        except Exception:  # a tool may be the owner's own code: whatever it raises must not take the turn along
            log.exception("tool %s", call.tool)
            turn.say(self._phrases.broke)
            outcome = "error"
        done.failed = True
        return outcome

    def _failed(self, error: ApplianceError, call: Call, turn: Turn) -> StepOutcome:
        if not isinstance(error, ToolError):
            log.error("tool %s: %s", call.tool, error)
            turn.say(error.spoken(self._phrases.language))
            return "error"
        asked = None
        if isinstance(error, BadArgument):  # it asks something itself, and a yes would be one to that
            turn.record.outcome, turn.pending = "asked", None
            if lacks := lacking(call, self._tools[call.tool]):
                asked = turn.pending = Pending(call, lacks, self._phrases.what_is(call.tool, lacks))
            elif error.asks_for:
                kept = call if error.adds else call.without({error.asks_for})
                asked = turn.pending = Pending(kept, error.asks_for, sentence(error.what))
        turn.say(asked.question if asked else sentence(error.what))
        return "error"

    def _hand_over(self, answer: str, tool: Tool, done: Done, turn: Turn, step: Step) -> None:
        if isinstance(answer, Elsewhere):
            turn.away[answer] = Away(answer, done, step, time.monotonic())
            return
        done.gave, done.private = answer.strip(), bool(tool.memory)
        if isinstance(answer, Spoken):
            done.spoken, done.takes_back = True, isinstance(answer, TakenBack)
            turn.say_once(encodable(answer))
            if isinstance(answer, Followed):
                self.run(Call(answer.tool, answer.arguments), turn, understood=True)
            return
        turn.tainted = turn.tainted or tool.untrusted
        done.gave = self._shorten.result(answer, done.call, turn, step, untrusted=tool.untrusted)
        turn.unread.append(done.gave)


def gives_away(call: Call, turn: Turn, before: Sequence[Call]) -> bool:
    """Whether it takes words along that the box remembers, the user did not say in this line, and no call took along.

    A text from outside that has been read can have the model ask another server about what is known of the user.
    before: the calls of the last turn.
    """
    written, line = _words_in(call), {*words(turn.line.text), *chain(*map(_words_in, [*before, *turn.calls]))}
    private = [*turn.known.facts, *(message.text for message in turn.known.profile), *turn.memories]
    return bool((set(written) - line - EMPTY) & {word for text in private for word in words(text)})


def _words_in(call: Call) -> list[str]:
    return words(" ".join(map(str, call.arguments.values())))


def parameters(tool: Tool) -> set[str]:
    """Names of all that it takes."""
    return {*tool.schema.get("properties", {})}


def lacking(call: Call, tool: Tool) -> str:
    """The first argument that a call needs and has not; empty when it lacks nothing."""
    required = tool.schema.get("required", ())
    return next((name for name in required if name not in call.arguments), "")


def with_argument(pending: Pending, tool: Tool, said: str, digits: str) -> Call:
    """The step with what was said for what it lacks; a number where it needs one."""
    numbers = [float(number) for number in digits.replace(",", "").split() if _is_number(number)]
    if pending.lacks in said_parameters(tool) and len(numbers) == 1:
        return replace(pending.call, arguments={**pending.call.arguments, pending.lacks: numbers[0]})
    return pending.filled(said)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
