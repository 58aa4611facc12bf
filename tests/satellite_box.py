"""A whole service that is a satellite: its ears say what the test says, and its microphone counts its frames."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import numpy as np

from appliance import build
from appliance import events as ev
from appliance.audio import FRAME, FRAME_S, Frame, Samples
from appliance.build import hubbed
from appliance.build.typed import TypedParts
from appliance.ports import Ears, SoundCard
from appliance.records import TurnRecord
from appliance.service import heap
from appliance.service.loop import Service
from appliance.service.states import State
from appliance.service.vitals import Vitals
from appliance.settings import Memory, Settings, Thought, Voice, Wyoming
from appliance.simulated import CannedModel, RecordingSpeaker, ScriptedEars
from appliance.simulated.typed import as_sound

PATIENCE_S = 30.0
START_S = 300.0
"""On a machine that does other things as well."""
DEADLINE_S = 20.0


class CountingMicrophone:
    """A `Microphone` each of whose frames holds its number, or what somebody says, at the pace of a sound card."""

    def __init__(self) -> None:
        self.heard = 0
        self.opened = False
        self._said = deque[Samples]()

    def say(self, samples: Samples) -> None:
        whole = len(samples) // FRAME * FRAME
        self._said.extend(samples[:whole].reshape(-1, FRAME))

    def open(self) -> None:
        self.opened = True

    def read(self) -> Frame:
        time.sleep(FRAME_S)
        self.heard += 1
        samples = self._said.popleft() if self._said else np.full(FRAME, self.heard % 30_000, dtype=np.int16)
        return Frame(samples, time.monotonic())

    def close(self) -> None:
        self.opened = False


class SatelliteParts(TypedParts):
    def __init__(self, settings: Settings, stack: ExitStack, told: Callable[[str], None]) -> None:
        super().__init__(settings, build.clock(settings), stack, told, 0.01, own_voice=False)
        self.speaker_used, self.counting, self.scripted = (
            RecordingSpeaker(realtime=True),
            CountingMicrophone(),
            ScriptedEars(),
        )
        vars(self)["llm"] = CannedModel()

    def sound_card(self) -> SoundCard:
        return SoundCard(self.counting, self.speaker_used, dict)

    @property
    def listener(self) -> Ears:
        return self.scripted


class SatelliteBox:
    def __init__(self, parts: SatelliteParts, path: Path, vitals: Vitals) -> None:
        self.parts, self.path, self.vitals = parts, path, vitals
        self.said, self.records = list[str](), list[TurnRecord]()
        self.service: Service

    def rest(self) -> None:
        """For the next test."""
        self.until(lambda: not self.parts.host_now.there, "no host")
        self.rest_by_button()
        self.parts.private.end()
        for each in (self.said, self.records, self.parts.speaker_used.played):
            each.clear()

    def rest_by_button(self) -> None:
        while self.service.state is not State.IDLE:
            self._press(self.service.state)

    def _press(self, before: State) -> None:
        self.service.post(ev.MuteToggled() if before is State.MUTED else ev.ButtonPressed())
        self.until(lambda: self.service.state is not before, "another state")

    def wake(self) -> int:
        """The number of the frame in which the wake word ended."""
        frame = self.parts.counting.heard
        self.service.post(ev.WakeHeard(word="hey_jarvis", score=0.9, at_s=time.monotonic()))
        self.reaches(State.LISTENING)
        return frame

    def says(self, line: str) -> None:
        """In the turn that is listened to now: the box's own ears heard its end."""
        now_s = time.monotonic()
        self.service.post(ev.UtteranceEnded(self.turn, as_sound(line), now_s, now_s))

    @property
    def turn(self) -> int:
        return self.parts.scripted.attended[-1][1]

    def played(self) -> Samples:
        return np.concatenate([np.zeros(0, np.int16), *(each.samples for _, each in self.parts.speaker_used.played)])

    def reaches(self, state: State) -> None:
        self.until(lambda: self.service.state is state, f"state {state.name}")

    def until(self, true: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
        ends_s = time.monotonic() + patience_s
        while not true():
            assert time.monotonic() < ends_s, f"never: {what}; {self.service.state}; {self.said}; {self.records}"
            time.sleep(0.005)

    def record(self) -> TurnRecord:
        self.until(lambda: bool(self.records), "a record")
        return self.records.pop(0)


@contextmanager
def satellite_box(folder: Path, satellite_of: str = "127.0.0.0/8") -> Iterator[SatelliteBox]:
    settings = Settings(
        state=folder / "state",
        models=folder / "none",
        thought=Thought(deadline_s=DEADLINE_S),
        memory=Memory(final_step=False),
        voice=Voice(cues=False),
        wyoming=Wyoming(satellite_of=satellite_of),
    )
    settings.state.mkdir()
    heap.share()
    listener, vitals = socket.socket(socket.AF_UNIX), Vitals()
    listener.bind(str(folder / "speech.sock"))
    listener.listen()
    with ExitStack() as stack:
        parts = SatelliteParts(settings, stack, lambda text: box.said.append(text))
        box = SatelliteBox(parts, folder / "speech.sock", vitals)
        ended, watch = hubbed.opened([], parts, vitals, lambda record, _: box.records.append(record), stack, [listener])
        box.service = stack.enter_context(parts.service(ended, vitals, watch=watch))
        loop = Thread(target=box.service.run, daemon=True)
        loop.start()
        box.until(lambda: box.service.state is State.IDLE, "ready", START_S)
        yield box
        box.service.stop()
        loop.join(PATIENCE_S)
