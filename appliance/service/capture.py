"""The ears thread: frames in, events out, for as long as a microphone is wanted; one that was lost is tried again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event as Flag
from threading import Thread

from appliance import events as ev
from appliance.errors import ApplianceError, DeviceMissing, PartMissing
from appliance.ports import Ears, Microphone
from appliance.retries import Retries
from appliance.service.vitals import Part, Vitals

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""Longest wait between two looks at whether a microphone is wanted, and between two signs of life."""
JOIN_S = 2.0


class Capture:
    def __init__(
        self, microphone: Microphone, ears: Ears, retry_s: float, vitals: Vitals, post: Callable[[ev.Event], None]
    ) -> None:
        """`retry_s`: between two attempts with a microphone that is not there."""
        self._microphone, self._ears, self._vitals, self._post = microphone, ears, vitals, post
        self._retries = Retries(retry_s)
        self._wanted, self._closing = Flag(), Flag()
        self._closed = Flag()
        self._closed.set()
        self._lost = False
        """The loop has been told so."""
        self._told = False
        """The log has been told so."""
        self._opened_s: float | None = None
        """When it was opened; None where it could not be."""
        self._thread = Thread(target=self._listen, name="ears", daemon=True)
        self.ended = False
        """A recorded microphone has no more to give."""

    def start(self) -> None:
        self._thread.start()

    def open(self) -> None:
        """From now on a microphone is wanted."""
        self._wanted.set()

    def close(self) -> None:
        """From now on none is."""
        self._wanted.clear()

    def await_closed(self, within_s: float) -> bool:
        """After `close`: whether the microphone is closed by then."""
        return self._closed.wait(within_s)

    def stop(self) -> None:
        self._closing.set()

    def join(self) -> None:
        if self._thread.is_alive():
            self._thread.join(timeout=JOIN_S)

    def _listen(self) -> None:
        while not (self._closing.is_set() or self.ended):
            self._vitals.beat(Part.CAPTURE)
            self._closed.clear()  # before the look: whoever closes it after the look waits for the next one
            if not self._wanted.is_set():
                self._lost = self._told = False
                self._vitals.microphone = "closed"
                self._closed.set()
                self._wanted.wait(timeout=LOOK_S)
            elif error := self._hear():
                self._lose(error)
        self._closed.set()

    def _hear(self) -> ApplianceError | None:
        """Open it, hear it, close it in any case. Returns why it ended against everybody's will."""
        self._opened_s = None
        try:
            self._microphone.open()
            self._opened_s = time.monotonic()
            self._ears.begin_anew()
            self._vitals.hearing.begin()
            self._vitals.microphone = "open"
            self._hear_frames()
        except DeviceMissing as error:
            return error
        except EOFError:
            self.ended = True
        except Exception as error:  # what breaks the ears must not leave a box that looks as if it listened
            broke = PartMissing(f"the ears broke ({error})", remedy="see the journal")
            broke.__cause__ = error
            return broke
        finally:
            self._microphone.close()
            self._vitals.hearing.begin()
        return None

    def _hear_frames(self) -> None:
        while self._wanted.is_set() and not self._closing.is_set():
            frame = self._microphone.read()
            for event in self._ears.feed(frame):
                self._post(event)
            if self._lost:
                self._recover()
            self._vitals.hearing.follow(frame)
            self._vitals.hearing.take(frame.samples)
            self._vitals.beat(Part.CAPTURE)

    def _recover(self) -> None:
        """A frame was heard again: what can be opened, and breaks at once, is not back."""
        self._post(ev.PartRecovered(part="microphone"))
        if self._told:
            log.info("the microphone is back")
        self._lost = self._told = False

    def _lose(self, error: ApplianceError) -> None:
        """Tell of it, and wait until the next attempt."""
        worked_s = None if self._opened_s is None else time.monotonic() - self._opened_s
        failed = self._retries.failed(error.what, worked_s)
        if failed.is_news:
            self._told, often = True, f" ({self._retries.count:,} times)" if self._retries.count > 1 else ""
            log.error("%s%s", error, often, exc_info=error.__cause__)
        self._post(ev.PartLost(part="microphone", error=error))
        self._vitals.losses = self._retries.count
        self._lost, self._vitals.missing, self._vitals.microphone = True, str(error), "lost"
        self._pause(failed.pause_s)

    def _pause(self, pause_s: float) -> None:
        """With signs of life, and no longer than a microphone is wanted."""
        ends_s = time.monotonic() + pause_s
        while self._wanted.is_set() and not self._closing.is_set() and (left_s := ends_s - time.monotonic()) > 0:
            self._vitals.beat(Part.CAPTURE)
            self._closing.wait(min(left_s, LOOK_S))
