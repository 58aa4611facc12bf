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
from appliance.service.vitals import Part, Vitals

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""Longest wait between two looks at whether a microphone is wanted, and between two signs of life."""
JOIN_S = 2.0


class Capture:
    def __init__(
        self, microphone: Microphone, ears: Ears, retry_s: float, vitals: Vitals, post: Callable[[ev.Event], None]
    ) -> None:
        self._microphone, self._ears, self._retry_s, self._vitals, self._post = microphone, ears, retry_s, vitals, post
        self._wanted, self._closing = Flag(), Flag()
        self._lost = False
        """The loop has been told so."""
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

    def stop(self) -> None:
        self._closing.set()

    def join(self) -> None:
        self._thread.join(timeout=JOIN_S)

    def _listen(self) -> None:
        while not (self._closing.is_set() or self.ended):
            self._vitals.beat(Part.CAPTURE)
            if not self._wanted.wait(timeout=LOOK_S):
                self._lost, self._vitals.microphone = False, "closed"
            elif error := self._hear():
                self._post(ev.PartLost(part="microphone", error=error))
                self._lost, self._vitals.missing, self._vitals.microphone = True, str(error), "lost"
                self._pause()

    def _hear(self) -> ApplianceError | None:
        """Open it, hear it, close it in any case. Returns why it ended against everybody's will."""
        try:
            self._microphone.open()
            self._ears.begin_anew()
            self._vitals.microphone = "open"
            if self._lost:
                self._post(ev.PartRecovered(part="microphone"))
            self._lost = False
            self._hear_frames()
        except DeviceMissing as error:
            return error
        except EOFError:
            self.ended = True
        except Exception as error:  # what breaks the ears must not leave a box that looks as if it listened
            log.exception("the ears broke")
            return PartMissing(f"the ears broke ({error})", remedy="see the journal")
        finally:
            self._microphone.close()
        return None

    def _hear_frames(self) -> None:
        while self._wanted.is_set() and not self._closing.is_set():
            for event in self._ears.feed(self._microphone.read()):
                self._post(event)
            self._vitals.beat(Part.CAPTURE)

    def _pause(self) -> None:
        """Until the next attempt, with signs of life."""
        ends_s = time.monotonic() + self._retry_s
        while not self._closing.is_set() and (left_s := ends_s - time.monotonic()) > 0:
            self._vitals.beat(Part.CAPTURE)
            self._closing.wait(min(left_s, LOOK_S))
