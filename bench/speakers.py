"""Synthetic people who talk to the appliance, the same samples each time.

Piper is the appliance's own voice at other paces and pitches; flite and espeak-ng are other people and other accents.
Debian packages: espeak-ng, flite, sox. What was spoken once lies in the XDG cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
import onnxruntime
from piper import PiperConfig, PiperVoice, SynthesisConfig
from platformdirs import user_cache_path

from appliance.audio import RATE_HZ, Samples, Speech, read_wav, resample, silence, write_wav
from appliance.errors import PartMissing
from appliance.models.registry import Catalog
from appliance.settings import APP, Settings
from bench import noise

CACHE = user_cache_path(APP) / "bench"
LEVEL_DBFS = -26.0
"""RMS of speech at the microphone: the active speech level that ITU-T P.56 tests are run at."""
ROOM_DBFS = -66.0
"""RMS of a quiet room: no microphone gives digital silence."""
BEFORE_S, AFTER_S = 1.0, 2.0
"""Quiet around what is said."""
PIPER_MODEL = "piper-en-us-joe"

Noise = Literal["pink", "babble"]


@dataclass(frozen=True)
class Voice:
    engine: Literal["piper", "flite", "espeak"]
    variant: str = ""
    """The engine's name of the voice; empty for Piper, which has one."""
    pace: float = 1.0
    """Piper: length of each sound, 2 is half as fast. espeak-ng: words a minute."""
    variation: float = 0.667
    """Piper: how much each rendering differs (`noise_scale`, 0 to 1)."""
    pitch_cents: int = 0


VOICES = {
    "joe": Voice("piper"),
    "joe-slow": Voice("piper", pace=1.2, pitch_cents=-150),
    "joe-quick": Voice("piper", pace=0.85, variation=0.8, pitch_cents=100),
    "joe-high": Voice("piper", pace=1.05, pitch_cents=400),
    "slt": Voice("flite", "slt"),
    "rms": Voice("flite", "rms"),
    "awb": Voice("flite", "awb"),
    "espeak-f2": Voice("espeak", "en-us+f2", pace=130),
    "espeak-klatt": Voice("espeak", "en-us+klatt", pace=150),
}
"""A US woman and man (slt, rms), a Scotsman (awb), two that sound like machines, and the box's own voice in four moods.

The espeak-ng variants are those of 12 that whisper base understood best, on sentences that are not in `requests.yaml`:
still one word in six goes wrong.
"""
WAKE_BY = {"awb": "joe"}
"""Voice -> who says the wake word for it. In a quiet room awb scores over 0.8 twice, with a dip under 0.5 in between,
and never wakes it; the others wake it 6 times of 6 in quiet. At 15 dB of babble slt does 2 times of 6: that is counted.
"""

BABBLERS = ("joe", "slt", "rms", "awb", "espeak-f2")
BABBLE = (
    "The bus was late again, so we walked along the river until it started to rain.",
    "She said the garden needs a new fence before the winter, and I suppose she is right.",
    "There was a programme about lighthouses on the other evening, did you see any of it?",
)


@dataclass(frozen=True)
class Recording:
    """Someone who talks to the appliance, as its microphone hears it."""

    samples: Samples
    clean: Samples
    """The same without what is heard behind it: here the end of speech can be found."""
    said_s: float
    """Length of what is said, from the wake word to the end of the request."""


class Speakers:
    def __init__(self, settings: Settings, cache: Path = CACHE) -> None:
        """Raises PartMissing when a synthesiser or the Piper voice is absent."""
        for program in ("espeak-ng", "flite", "sox"):
            if not shutil.which(program):
                raise PartMissing(f"{program} is not installed", remedy=f"run: apt install {program}")
        catalog = Catalog(settings.models)
        self._model = catalog.path(PIPER_MODEL, "onnx")
        self._config = PiperConfig.from_dict(json.loads(catalog.path(PIPER_MODEL, "json").read_text()))
        self._cache = cache
        cache.mkdir(parents=True, exist_ok=True)

    def say(self, voice: str, text: str) -> Samples:
        """Without silence around it, at `LEVEL_DBFS`."""
        person = VOICES[voice]
        path = self._cache / f"{_key(person, text, self._model.parent.name)}.wav"
        if not path.exists():
            speech = noise.at_level(noise.trimmed(self._render(person, text)), LEVEL_DBFS)
            fresh = path.with_suffix(f".{os.getpid()}")
            write_wav(fresh, Speech(speech, RATE_HZ))
            fresh.replace(path)
        return read_wav(path)

    def ask(self, voice: str, request: str, behind: Noise | None = None, snr_db: float = 15) -> Recording:
        """ "Hey Jarvis", a short pause, the request, then 2 s in which nobody speaks."""
        wake, words = self.say(WAKE_BY.get(voice, voice), "Hey Jarvis."), self.say(voice, request)
        clean = np.concatenate((silence(BEFORE_S), wake, silence(0.3), words, silence(AFTER_S)))
        seed = int(_key(VOICES[voice], request)[:8], 16)
        return Recording(self._in_room(clean, behind, snr_db, seed), clean, len(clean) / RATE_HZ - BEFORE_S - AFTER_S)

    def noise(self, kind: Noise, count: int, seed: int) -> noise.Floats:
        """Shape (count,), RMS 1."""
        return noise.pink(count, seed) if kind == "pink" else noise.babble(count, self._babblers, seed)

    def _in_room(self, clean: Samples, behind: Noise | None, snr_db: float, seed: int) -> Samples:
        if behind:
            return noise.mix(clean, self.noise(behind, len(clean), seed), snr_db)
        return noise.mix(clean, noise.pink(len(clean), seed), LEVEL_DBFS - ROOM_DBFS)

    @cached_property
    def _babblers(self) -> list[Samples]:
        return [np.concatenate([self.say(voice, text) for text in BABBLE]) for voice in BABBLERS]

    def _render(self, person: Voice, text: str) -> Samples:
        samples = self._piper(person, text) if person.engine == "piper" else _program(person, text)
        return _pitched(samples, person.pitch_cents) if person.pitch_cents else samples

    def _piper(self, person: Voice, text: str) -> Samples:
        """A session of its own each time: its random numbers then begin at the seed."""
        onnxruntime.set_seed(int(_key(person, text)[:7], 16))
        session = onnxruntime.InferenceSession(str(self._model), providers=["CPUExecutionProvider"])
        options = SynthesisConfig(length_scale=person.pace, noise_scale=person.variation)
        chunks = PiperVoice(session=session, config=self._config).synthesize(text, options)
        spoken = np.concatenate([chunk.audio_int16_array for chunk in chunks])
        return resample(spoken, self._config.sample_rate, RATE_HZ)


def _key(person: Voice, *inputs: str) -> str:
    return hashlib.sha256(json.dumps([asdict(person), *inputs]).encode()).hexdigest()


def _program(person: Voice, text: str) -> Samples:
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        if person.engine == "flite":
            command = ["flite", "-voice", person.variant, "-t", text, "-o", file.name]
        else:
            command = ["espeak-ng", "-v", person.variant, "-s", f"{person.pace:.0f}", "-w", file.name, text]
        subprocess.run(command, check=True, capture_output=True)
        return read_wav(Path(file.name))


def _pitched(samples: Samples, cents: int) -> Samples:
    raw = ["-t", "raw", "-r", str(RATE_HZ), "-e", "signed", "-b", "16", "-c", "1", "-"]
    command = ["sox", "-D", *raw, *raw, "pitch", str(cents)]
    done = subprocess.run(command, input=samples.tobytes(), check=True, capture_output=True)
    return np.frombuffer(done.stdout, dtype=np.int16)
