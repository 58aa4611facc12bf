"""What was said and by whom, made out of an utterance: the words on this thread, meanwhile the voice on another one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from appliance.audio import Stale, Utterance
from appliance.errors import logged

log = logging.getLogger(__name__)

Hear = Callable[[Utterance, Stale], str]
"""An utterance -> its text, empty when it was not speech."""
Who = Callable[[Utterance], str]
"""An utterance -> the name of whose voice it is, empty where it is nobody's whom the box knows."""


@dataclass(frozen=True)
class Heard:
    text: str
    ms: int
    """What it took."""
    speaker: str = ""
    """Whose voice it is, by name."""


class MadeOut:
    def __init__(self, hear: Hear, is_own: Callable[[str], bool], who: Who | None = None) -> None:
        """is_own: whether words are the box's own.  who: None where no voice is told from another."""
        self.hear, self._is_own, self._who = hear, is_own, who
        self._voices = ThreadPoolExecutor(1, thread_name_prefix="who")

    def of(self, utterance: Utterance, stale: Stale) -> Heard:
        started_s = time.monotonic()
        whose = self._recognising(utterance)
        text = self.words(utterance, stale)
        return Heard(text, round((time.monotonic() - started_s) * 1000), whose.result() if whose else "")

    def words(self, utterance: Utterance, stale: Stale) -> str:
        """Nobody asks whose voice it is."""
        text = self.hear(utterance, stale)
        own = not utterance.called and self._is_own(text)  # a called box is spoken to, whatever is said
        return "" if own else text

    def close(self) -> None:
        self._voices.shutdown(wait=False, cancel_futures=True)

    def _recognising(self, utterance: Utterance) -> Future[str] | None:
        with suppress(RuntimeError):  # closed meanwhile
            return self._voices.submit(self._recognise, utterance, self._who) if self._who else None
        return None

    def _recognise(self, utterance: Utterance, who: Who) -> str:
        """A voice that cannot be looked at is nobody's."""
        with logged(log, "nobody was recognised"):
            return who(utterance)
        return ""
