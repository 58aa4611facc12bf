"""A whole running service that hears typed lines, for tests: without a sound card, and without a language model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from threading import Thread
from typing import Any

from appliance.body.clock import SystemClock
from appliance.build.typed import TypedParts, typed_parts
from appliance.service.vitals import Vitals
from appliance.settings import Settings

PATIENCE_S = 20.0


class Running:
    """The whole service, without a language model: it hears typed lines, and `said` is what it says."""

    def __init__(self, parts: TypedParts, vitals: Vitals, said: list[str]) -> None:
        self.parts, self.vitals, self.said = parts, vitals, said

    def type(self, line: str) -> None:
        self.parts.ears.type(line)

    def says(self, words: str) -> bool:
        """Whether it does, within some seconds."""
        return self.comes(lambda: words in " ".join(self.said))

    def comes(self, there: Callable[[], bool]) -> bool:
        """Whether it comes to that, within some seconds."""
        ends_s = time.monotonic() + PATIENCE_S
        while not there() and time.monotonic() < ends_s:
            time.sleep(0.05)
        return there()


@contextmanager
def running(state: Path, **more: Any) -> Iterator[Running]:
    """more: tables of its settings."""
    with running_with(Settings.model_validate({"state": state, "models": state / "none"} | more)) as made:
        yield made


@contextmanager
def running_with(settings: Settings, own_voice: bool = False) -> Iterator[Running]:
    said, vitals = list[str](), Vitals()
    with (
        typed_parts(settings, SystemClock(UTC), said.append, frame_s=0.032, own_voice=own_voice) as parts,
        parts.service(lambda record, moments: None, vitals) as service,
    ):
        thread = Thread(target=service.run, daemon=True)
        thread.start()
        try:
            yield Running(parts, vitals, said)
        finally:
            service.stop()
            thread.join()
