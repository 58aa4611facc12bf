"""A recorded voice in a call between two whole services: it gets there whole, and while it is being said."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_boxes import NAMES, House
from typed_service import Running, running

from appliance import events as ev
from appliance.audio import FRAME, RATE_HZ, Frame, Samples, read_wav, silence
from appliance.build.typed import TypedParts
from appliance.ears.absent import NoTurnEnd, NoWake
from appliance.ears.listen import Listener
from appliance.ears.speech import Silero
from appliance.ports import Attention, Ears, SoundCard
from appliance.service.states import State
from appliance.simulated import QuietMicrophone, RecordingSpeaker, TypedEars

VOICE = read_wav(Path(__file__).parents[1] / "recordings" / "tokyo.wav")
LATE_S = 3.0
"""Longest delay that passes here, where other processes are busy as well."""
BEFORE_S = 0.5
"""Of quiet before the voice: nobody speaks into the echo of what was played (ears/talk.py)."""


class Room(QuietMicrophone):
    """In which somebody speaks now and then, at the pace of a microphone."""

    def __init__(self) -> None:
        super().__init__(FRAME / RATE_HZ)
        self._said, self.began_s = deque[Samples](), 0.0

    def speak(self, samples: Samples) -> None:
        samples = np.concatenate([silence(BEFORE_S), samples])
        whole = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME)
        self.began_s = time.monotonic()
        self._said.extend(whole)

    def read(self) -> Frame:
        frame = super().read()
        return Frame(self._said.popleft(), frame.at_s) if self._said else frame


class VoiceEars(TypedEars):
    """Typed lines, but in a call what the microphone hears."""

    def __init__(self, real: Ears) -> None:
        super().__init__()
        self._real, self._talks = real, False

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self._talks = attention is Attention.TALK
        if self._talks:
            self._real.attend(attention, turn, window_s)
        else:
            super().attend(attention, turn, window_s)

    def feed(self, frame: Frame) -> list[ev.Event]:
        return self._real.feed(frame) if self._talks else super().feed(frame)


class Home:
    def __init__(self, folder: Path, stack: ExitStack, silero: Path, patch: pytest.MonkeyPatch) -> None:
        self.speakers, self.rooms = dict[str, RecordingSpeaker](), dict[str, Room]()
        made = TypedParts.__init__

        def init(parts: TypedParts, *of: Any) -> None:
            made(parts, *of)
            ears = parts.settings.ears
            parts.ears = VoiceEars(Listener(NoWake(), Silero(silero), NoTurnEnd(), ears))
            parts.microphone = self.rooms[parts.settings.boxes.own] = Room()

        def sound_card(parts: TypedParts) -> SoundCard:
            speaker = self.speakers[parts.settings.boxes.own] = RecordingSpeaker(realtime=True)
            return SoundCard(parts.microphone, speaker, dict)

        patch.setattr(TypedParts, "__init__", init)
        patch.setattr(TypedParts, "sound_card", sound_card)
        house = House(folder, NAMES[:2], stack)
        self.boxes = dict[str, Running]()
        for name in NAMES[:2]:
            house.start(name)
            (state := folder / name).mkdir()
            tables = {"boxes": house.settings(name), "bridge": {"socket": folder / f"{name}.sock"}}
            self.boxes[name] = stack.enter_context(running(state, **tables))

    def is_in(self, name: str, state: State) -> bool:
        return self.boxes[name].comes(lambda: self.boxes[name].vitals.state is state)


@pytest.fixture
def home(tmp_path: Path, model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    with ExitStack() as stack:
        yield Home(tmp_path, stack, model("silero-vad"), monkeypatch)


def test_a_voice_is_heard_at_the_other_box_while_it_speaks_and_each_in_turn(home: Home) -> None:
    attic, bath = home.boxes["attic"], home.boxes["bath"]
    assert home.is_in("attic", State.IDLE)
    assert home.is_in("bath", State.IDLE)
    assert attic.comes(lambda: bool(attic.parts.others and attic.parts.others.present))
    attic.type("call the bath")
    assert bath.says("Attic is calling.")
    bath.type("yes")
    for name, other in (("attic", "bath"), ("bath", "attic")):
        for each in ("attic", "bath"):
            assert home.is_in(each, State.TALKING)
        before = len(home.speakers[other].played)
        home.rooms[name].speak(VOICE)
        assert home.is_in(other, State.PLAYING)
        assert home.is_in(other, State.TALKING)
        began_s, heard = home.speakers[other].played[before]
        assert holds(heard.samples, VOICE)
        assert began_s - home.rooms[name].began_s - BEFORE_S < LATE_S


def holds(heard: Samples, voice: Samples) -> bool:
    """Whether nearly all of the voice is in it, sample by sample: what is quiet at its ends may be missing."""
    spoken = np.flatnonzero(np.abs(voice.astype(np.int32)) > 1_000)
    middle = voice[spoken[0] : spoken[-1]]
    return middle.astype("<i2").tobytes() in heard.astype("<i2").tobytes()
