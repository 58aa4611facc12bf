"""A tool's call that may take so long and no longer."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from appliance.ports import Tool

_hanging: dict[str, Thread] = {}
"""Tool -> its last call, where that took too long."""


def in_time(tool: Tool, arguments: dict[str, Any], timeout_s: float) -> str:
    """Run on a thread of its own, which is left alone when it hangs. Raises TimeoutError, and what the tool raises.

    One that hangs still is not called again: each call would leave another thread.
    """
    if tool.name in _hanging and _hanging[tool.name].is_alive():
        raise TimeoutError
    outcome: SimpleQueue[str | Exception] = SimpleQueue()

    def call() -> None:
        try:
            outcome.put(tool.call(arguments))
        except BaseException as error:  # for the thread that waits; and the box does not end because a tool wants to
            ends = RuntimeError(f"the tool {tool.name} raised {error!r}")
            outcome.put(error if isinstance(error, Exception) else ends)

    thread = Thread(target=call, name=f"tool {tool.name}", daemon=True)
    thread.start()
    try:
        result = outcome.get(timeout=timeout_s)
    except Empty:
        _hanging[tool.name] = thread
        raise TimeoutError from None
    if isinstance(result, Exception):
        raise result
    return result
