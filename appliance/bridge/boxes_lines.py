"""The calls that a bridge holds: what the core says in one goes to its line, what comes from there to the core."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from functools import partial
from typing import Any

from appliance.bridge.boxes_call import LOST, Kind, Line
from appliance.bridge.boxes_questions import InCall


class Lines:
    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """tell: is given what happens at the other end of a call, as `InCall` has it."""
        self._tell = tell
        self._lines, self._held = dict[str, Line](), set[asyncio.Task[None]]()

    def begin(self, line: Line) -> None:
        """Hold a call that this box makes."""
        self._lines[line.id] = line  # from now on the core may say something in it
        self._held.add(task := asyncio.create_task(self.hold(line)))
        task.add_done_callback(self._held.discard)

    async def hold(self, line: Line) -> None:
        """A call, to its end."""
        self._lines[line.id] = line
        try:
            await line.run(partial(self.told, line.id))
        finally:
            self._lines.pop(line.id, None)

    def told(self, call: str, kind: Kind, body: bytes) -> None:
        """It happened at the other end of a call."""
        told = {"call": call, "kind": kind}
        if kind == "sound":
            told["pcm"] = base64.b64encode(body).decode()
        elif kind == "ended":
            told["why"] = body.decode("ascii", "replace")[:20]
        self._tell(told)

    def say(self, happens: InCall) -> bool:
        """It happens at this end. Whether there is such a call."""
        line = self._lines.get(happens.call)
        if line:
            line.say(happens.kind, base64.b64decode(happens.pcm) if happens.kind == "sound" else happens.why.encode())
        return line is not None

    def close(self) -> None:
        for line in [*self._lines.values()]:
            line.say("ended", LOST)
