"""Was a turn right, and if not, which part is to blame? Arguments are compared by what they mean, not by spelling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from appliance.records import Step, TurnRecord
from bench.meaning import Arguments, comes_to, converts, lasts, near
from bench.requests import Request

Cause = Literal["wake", "endpoint", "stt", "plan", "argument"]
CAUSES: tuple[Cause, ...] = ("wake", "endpoint", "stt", "plan", "argument")

CUT_S = 0.5
"""An utterance shorter than the request by more than this was cut off: half a second is a word."""
_HERE = {"", "here", "home", "local", "unknown"}


@dataclass(frozen=True)
class Spoken:
    """A turn that was taken aloud."""

    record: TurnRecord
    woke: bool
    said_s: float
    """Length of what was said, wake word and all."""


def fault(request: Request, record: TurnRecord) -> Cause | None:
    """What is wrong with the steps of a turn: the wrong tools, or a wrong argument; None when they are right."""
    done = [step for step in record.steps if step.tool]
    if sorted(step.tool or "" for step in done) != sorted(tool for tool, _ in request.calls):
        return "plan"
    if record.outcome == "error" or not (done or record.said):
        return "plan"
    for order in permutations(done):
        if all(_holds(tool, wanted, step) for (tool, wanted), step in zip(request.calls, order, strict=True)):
            return None
    return "argument"


def cause(request: Request, spoken: Spoken, written: Callable[[], TurnRecord]) -> Cause | None:
    """Which part failed a spoken turn; None when it went right.

    `written`: the same turn with the request typed; asked only where the blame lies between the speech recogniser and
    the plan.
    """
    wrong = fault(request, spoken.record)
    if wrong is None:
        return None
    if not spoken.woke:
        return "wake"
    audio = spoken.record.audio
    if audio is None or (audio.seconds or 0) < spoken.said_s - CUT_S:
        return "endpoint"
    return fault(request, written()) or "stt"


def _holds(tool: str, wanted: Arguments, step: Step) -> bool:
    """A tool that answered with an error got an argument it could not use."""
    if step.tool != tool or step.outcome != "ok":
        return False
    return all(CHECKS[tool, fact](step.arguments, value) for fact, value in wanted.items())


def _names(key: str) -> Callable[[Arguments, list[str]], bool]:
    """The argument holds one of these words, in any case."""
    return lambda arguments, words: any(word in str(arguments.get(key, "")).lower() for word in words)


def _place(arguments: Arguments, wanted: str | list[str]) -> bool:
    if wanted == "here":
        return str(arguments.get("place") or "").lower() in _HERE
    return _names("place")(arguments, list(wanted))


def _level(arguments: Arguments, wanted: float) -> bool:
    return arguments.get("level") is not None and near(float(arguments["level"]), wanted)


CHECKS: dict[tuple[str, str], Callable[[Arguments, Any], bool]] = {
    ("get_time", "what"): lambda arguments, wanted: (arguments.get("what") or "time") == wanted,
    ("get_time", "place"): _place,
    ("set_timer", "seconds"): lasts,
    ("set_timer", "label"): _names("label"),
    ("cancel_timer", "which"): _names("label"),
    ("calculate", "value"): comes_to,
    ("convert_units", "asks"): lambda arguments, wanted: converts(arguments, *wanted),
    ("set_volume", "level"): _level,
    ("set_volume", "direction"): lambda arguments, wanted: arguments.get("direction") == wanted,
}
"""(tool, what must hold) -> does it, given the arguments and the value in `requests.yaml`."""
