"""A tool's call that may take so long and no longer."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from appliance.ports import Reversal, Tool, WaitedCall, current_call

_hanging: dict[str, Thread] = {}
"""Tool -> its last call, where that took too long."""


def in_time(tool: Tool, arguments: dict[str, Any], timeout_s: float) -> tuple[str, list[Reversal]]:
    """Its answer, and what takes back what it did. Raises TimeoutError, and what the tool raises.

    Run on a thread of its own, which is left alone when it hangs. One that hangs still is not called again: each call
    would leave another thread. What was given up does nothing afterwards (ports/calls.py); one that had begun to act by
    then is waited for once more, for it cannot be stopped.
    """
    if tool.name in _hanging and _hanging[tool.name].is_alive():
        raise TimeoutError
    outcome: SimpleQueue[str | Exception] = SimpleQueue()
    state = WaitedCall()

    def call() -> None:
        current_call.set(state)
        try:
            outcome.put(tool.call(arguments))
        except BaseException as error:  # for the thread that waits; and the box does not end because a tool wants to
            ends = RuntimeError(f"the tool {tool.name} raised {error!r}")
            outcome.put(error if isinstance(error, Exception) else ends)

    thread = Thread(target=call, name=f"tool {tool.name}", daemon=True)
    thread.start()
    try:
        result = _awaited(outcome, state, timeout_s)
    except Empty:
        _hanging[tool.name] = thread
        raise TimeoutError from None
    if isinstance(result, Exception):
        raise result
    return result, state.reversals


def _awaited(outcome: SimpleQueue[str | Exception], state: WaitedCall, timeout_s: float) -> str | Exception:
    """Raises Empty."""
    try:
        return outcome.get(timeout=timeout_s)
    except Empty:
        if state.abandon():
            raise
    return outcome.get(timeout=timeout_s)
