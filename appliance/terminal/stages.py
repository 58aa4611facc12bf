"""A spoken turn told in a terminal: each stage as it happens, then the answer and the milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from appliance import events as ev
from appliance.records import TurnRecord
from appliance.service.states import State

MS_NAMES = {
    "endpoint": "end of speech -> turn decided",
    "stt": "speech to text",
    "plan": "plan",
    "tools": "tools",
    "first_audio": "end of speech -> first sound",
    "total": "end of speech -> answer said",
}


class StageLine:
    """Watches the service and writes a line an event."""

    def __init__(self, write: Callable[[str], None], on: bool) -> None:
        self._write, self._on = write, on
        self._began_s = time.monotonic()

    def watch(self, event: ev.Event, state: State) -> None:
        if not self._on:
            return
        match event:
            case ev.Started():
                self._began_s = time.monotonic()
                self._tell("listening for the wake word" if state is State.IDLE else "listening")
            case ev.WakeHeard():
                self._tell(f"wake word {event.word.replace('_', ' ')} (score {event.score:.2f})")
            case ev.SpeechPaused():
                self._tell("a pause: transcribing ahead")
            case ev.UtteranceEnded():
                self._tell("the turn has ended: thinking")
            case ev.ReplyStarted():
                self._tell("speaking")
            case ev.ReplyEnded():
                self._tell("done")
            case ev.ReplyFailed() | ev.PartLost():
                self._tell(str(event.error))

    def summary(self, record: TurnRecord, out: Path | None, picture: Path | None) -> list[str]:
        """The turn in a few lines."""
        steps = ", ".join(_step(step.tool, step.arguments) for step in record.steps if step.tool)
        facts = [("heard", record.heard), ("did", steps), ("said", record.said)]
        facts += [(name, f"{ms:,} ms") for key, name in MS_NAMES.items() if (ms := getattr(record.ms, key)) is not None]
        facts += [("answer", str(out) if out and record.said else ""), ("picture", str(picture or ""))]
        return [f"{name:>30}  {value}" for name, value in facts if value]

    def _tell(self, what: str) -> None:
        self._write(f"{time.monotonic() - self._began_s:6.2f} s  {what}")


def _step(tool: str, arguments: dict[str, object]) -> str:
    return f"{tool}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
