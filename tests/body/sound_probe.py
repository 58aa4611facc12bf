"""A process in the virtual room: uses the sound card adapters and prints what happened as one JSON line.

ALSA reads its environment when a process first opens it, so the tests do not do this in their own.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from appliance import events as ev
from appliance.audio import Frame, Speech, never
from appliance.body.portaudio import devices
from appliance.body.soundcard import PyAudioMicrophone, PyAudioSpeaker
from appliance.body.soundcheck import CardCheck
from appliance.body.volume import Volume
from appliance.build.simulation import Simulation
from appliance.errors import DeviceMissing
from appliance.service.states import State
from appliance.settings import Sound
from appliance.simulated import CannedSynthesizer, MemoryValues, SeenLight
from appliance.terminal.sound import Asked, checks
from appliance.tts.speak import Voice
from bench.processes import opened


def loud() -> Volume:
    volume = Volume(MemoryValues())
    volume.set(100)
    return volume


def tone(seconds: float) -> Speech:
    """440 Hz at a rate that is neither the card's nor the microphone's."""
    at_s = np.arange(round(seconds * 22_050)) / 22_050
    return Speech((10_000 * np.sin(2 * np.pi * 440 * at_s)).astype(np.int16), 22_050)


def listed() -> object:
    return [device.name for device in devices()]


def hear(out: str, seconds: str, rate_hz: str) -> object:
    """`rate_hz` other than 16 000: a device that takes only that one."""
    microphone = PyAudioMicrophone()
    if int(rate_hz) != 16_000:
        only_rate(int(rate_hz))
    microphone.open()
    microphone.read()
    print("listening", flush=True)
    frames = list[Frame]()
    while len(frames) * 0.032 < float(seconds):
        frames.append(microphone.read())
    late_s = time.monotonic() - frames[-1].at_s
    Path(out).write_bytes(np.concatenate([frame.samples for frame in frames]).tobytes())
    gaps = np.diff([frame.at_s for frame in frames])
    before = open_sounds()
    microphone.close()
    microphone.close()
    return {"gap_s": float(np.median(gaps)), "late_s": late_s, "sockets": [before, open_sounds()]}


def only_rate(rate_hz: int) -> None:
    import pyaudio

    plain = pyaudio.PyAudio.open

    def strict(self: pyaudio.PyAudio, rate: int, *rest: object, **named: object) -> object:
        if rate != rate_hz:
            raise OSError(-9997, "Invalid sample rate")
        return plain(self, rate, *rest, **named)

    pyaudio.PyAudio.open = strict


def open_sounds() -> int:
    """File descriptors of this process that lead to the sound server."""
    return sum(name.startswith("socket:") for name in opened())


def play(seconds: str) -> object:
    speaker, starts = PyAudioSpeaker("", loud()), list[float]()
    speaker.play([tone(float(seconds))], never, starts.append)
    speaker.play([tone(float(seconds))], never, starts.append)
    ended_s = time.monotonic()
    speaker.close()
    speaker.close()
    return {"starts_s": starts, "ended_s": ended_s}


def stop(after_s: str) -> object:
    speaker, stopped = PyAudioSpeaker("", loud()), threading.Event()
    moments = dict[str, float]()

    def later() -> None:
        moments["stop_s"] = time.monotonic()
        stopped.set()

    speaker.play([tone(10)], stopped.is_set, lambda at_s: threading.Timer(float(after_s), later).start())
    return moments | {"returned_s": time.monotonic()}


def close_while_reading() -> object:
    microphone = PyAudioMicrophone()
    microphone.open()
    told = list[str]()

    def read() -> None:
        try:
            while True:
                microphone.read()
        except DeviceMissing as error:
            told.append(error.what)

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(0.3)
    begin_s = time.monotonic()
    microphone.close()
    took_s = time.monotonic() - begin_s
    reader.join(timeout=2)
    return {"took_s": took_s, "told": told}


def lose() -> object:
    """Read until the server is gone."""
    microphone = PyAudioMicrophone()
    microphone.open()
    print("listening", flush=True)
    try:
        while True:
            microphone.read()
    except DeviceMissing as error:
        microphone.close()
        return {"what": error.what, "remedy": error.remedy}


def mute() -> object:
    """The real service on the real microphone: what is open, and what the light shows, as it is muted and unmuted."""
    lamp, kept = SeenLight(), MemoryValues()
    box = Simulation(lamp, kept, microphone=PyAudioMicrophone())
    seen = list[tuple[str, int, bool]]()

    def look(state: State, open_: bool) -> None:
        wait_until(lambda: box.service.state is state and bool(open_sounds()) is open_)
        time.sleep(1)  # opening looks at every device, and the red flash lasts 0.2 s
        seen.append((state.name, open_sounds(), any(max(colour) == 0 for colour in lamp.shown[-3:])))

    with box.running() as service:
        look(State.IDLE, True)
        service.post(ev.MuteToggled())
        look(State.MUTED, False)
        service.post(ev.MuteToggled())
        look(State.IDLE, True)
        service.post(ev.MuteToggled())
        look(State.MUTED, False)
    again = Simulation(SeenLight(), kept, microphone=PyAudioMicrophone())
    with again.running():
        time.sleep(1)
        seen.append((again.service.state.name, open_sounds(), True))
    return seen


class Sensitive(PyAudioMicrophone):
    """Notes when it gave a frame last, when a loud one, and the longest time between two."""

    loud_s = heard_s = longest_gap_s = 0.0

    def read(self) -> Frame:
        frame = super().read()
        now_s = time.monotonic()
        self.longest_gap_s = max(self.longest_gap_s, now_s - self.heard_s if self.heard_s else 0)
        self.heard_s = now_s
        if np.abs(frame.samples.astype(int)).max() > 1_000:
            self.loud_s = now_s
        return frame


def unplugged() -> object:
    """The real service as its microphone goes and comes back: the states that it says it is in, and its log."""
    lines, lamp, microphone = logged(), SeenLight(), Sensitive()
    box = Simulation(lamp, microphone=microphone)
    with box.running() as service:

        def reached(state: State) -> float:
            wait_until(lambda: service.state is state)
            return time.monotonic()

        def heard() -> float:
            since_s = reached(State.IDLE)
            wait_until(lambda: microphone.heard_s > since_s)
            print("heard", flush=True)
            return since_s

        heard()
        reached(State.FAULTED)
        before = len(lamp.shown)
        time.sleep(2)
        blinking = lamp.shown[before:]
        print("lost", flush=True)
        back_s = heard()
        wait_until(lambda: microphone.loud_s > back_s)
    return {"log": lines, "light": blinking}


def busy(seconds: str) -> object:
    """A reply while somebody else has the speaker, and one once it is free; the microphone is read all the while."""
    import pyaudio

    plain, tries, free = pyaudio.PyAudio.open, list[float](), threading.Event()

    def held(self: pyaudio.PyAudio, *words: object, **named: object) -> object:
        if named.get("output") and not free.is_set():
            tries.append(time.monotonic())
            raise OSError(-9985, "Device unavailable")  # as PortAudio says where ALSA says EBUSY
        return plain(self, *words, **named)

    pyaudio.PyAudio.open = held
    told, microphone, done = list[str](), Sensitive(), threading.Event()
    microphone.open()

    def listen() -> None:
        while not done.is_set():
            microphone.read()

    listener = threading.Thread(target=listen)
    listener.start()
    with Voice(
        CannedSynthesizer(), PyAudioSpeaker("", loud()), lambda error: told.append(str(error or "well"))
    ) as voice:

        def said(text: str) -> str:
            mouth = voice.begin(never, lambda at_s: None)
            mouth.say(text)
            return mouth.finish()

        silent = said("One two three. Four five six. ")
        time.sleep(float(seconds))
        free.set()
        heard = said("Seven. ")
    done.set()
    listener.join()
    microphone.close()
    return {
        "silent": silent,
        "heard": heard,
        "told": told,
        "tries": len(tries),
        "gap_s": microphone.longest_gap_s,
    }


def logged() -> list[str]:
    """Every line of a warning or worse, as the journal gets it."""
    lines = list[str]()

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    logging.basicConfig(level=logging.WARNING, handlers=[Lines()])
    return lines


def wait_until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 30
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def wrong_name() -> object:
    told = {}
    for part, use in (
        ("microphone", PyAudioMicrophone("Bananaphone").open),
        ("speaker", lambda: PyAudioSpeaker("Bananaphone", loud()).play([tone(1)], never, print)),
    ):
        try:
            use()
        except DeviceMissing as error:
            told[part] = {"what": error.what, "remedy": error.remedy}
    return told


def examine(acoustic: str = "") -> object:
    """What the doctor says of the sound; "acoustic": with a chirp."""
    card = CardCheck(Sound(), loud())
    found = checks(Sound(), Asked(card, None, bool(acoustic)))
    return {check.part: check.as_dict() for check in found}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
