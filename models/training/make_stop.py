"""Writes appliance/ears/stop.npz: whether a window of sound ends in "stop" (English) or "stopp" (German).

    python -m models.training.make_stop FOLDER

FOLDER holds what `stop_clips.py` tells, and music, by which it is covered: `music/*.flac`. Where each comes from stands
in models/cards/stop.md. It needs espeak-ng, flite and sox of Debian, and no library that the box lacks. What is drawn
by lot has a seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from appliance import settings_file
from appliance.audio import RATE_HZ, Samples
from appliance.ears import onnx
from appliance.ears.stopping import LEARNT, ROWS, WINDOW, Floats, rows, scores
from appliance.models.registry import WAKE_FEATURES, Catalog
from appliance.tts.ring import RINGS, chime
from bench import noise
from bench.recorded import recording
from bench.speakers import Speakers
from models.training.stop_clips import Clips, clips, lines, people

PARTS, WORKERS = 8, 2
"""In which windows are made, each by lots of its own, two at a time."""
STOPS, OTHERS, NEAR_IT, COVERED = 800, 1_300, 400, 3_000
"""Windows of a part that end in the word, in another word, in a part of it, and in what is else heard in a room."""
ENDS_S = (-0.02, 0.14)
"""Where the word may end, before the end of the window: three frames of the microphone find it."""
TOO_EARLY_S, TOO_LATE_S = (-0.5, -0.16), (0.4, 0.7)
"""Where it counts as not yet said, and no longer."""
SNR_DB = (-5.0, 22.0)
PITCHES = (0.85, 1.2)
ECHOED, QUIET = 0.3, 0.2
"""Shares of windows with the echo of a room, and with nothing behind the word."""
LOUD_DBFS = (-42.0, -10.0)
EACH, ALL = 24, 48
"""Numbers that one row of features becomes, and that all rows together do."""
EPOCHS, BATCH, RATE, DECAY = 10, 128, 1.5e-3, 1e-4
SAID_BY_BOX = 16
"""Sentences in the box's own voice."""


@dataclass(frozen=True)
class Windows:
    rows: Floats
    """Shape (n, 36, 128)."""
    is_stop: NDArray[np.bool_]


class Mixer:
    """Windows as a microphone hears them."""

    def __init__(self, found: Clips, covers: Sequence[Samples], chance: Generator) -> None:
        """covers: what a word is heard over."""
        self._found, self._covers, self._chance = found, covers, chance

    def stop(self, ends_s: tuple[float, float]) -> Samples:
        return self._window(self._varied(self._any(self._found.stops)), self._chance.uniform(*ends_s))

    def other(self) -> Samples:
        return self._window(self._varied(self._any(self._found.others)), self._chance.uniform(-0.6, 0.6))

    def cover(self) -> Samples:
        """What else is heard, as often as not two at once."""
        sound = self._cover()
        if self._chance.random() < 0.5:
            sound = sound + self._cover() / 10 ** (self._chance.uniform(0, 20) / 20)
        return self._at_level(self._echo(sound) if self._chance.random() < ECHOED else sound)

    def _any(self, sounds: Sequence[Samples]) -> Samples:
        return sounds[int(self._chance.integers(len(sounds)))]

    def _varied(self, clip: Samples) -> Samples:
        """Lower and slower, or higher and quicker: so few voices are more."""
        places = np.arange(0, len(clip) - 1, self._chance.uniform(*PITCHES))
        return np.asarray(np.interp(places, np.arange(len(clip)), clip), dtype=np.int16)

    def _window(self, clip: Samples, ends_s: float) -> Samples:
        """`clip` in the window, its last sample `ends_s` before the end of it (or after, where that is negative)."""
        start = WINDOW - len(clip) - round(ends_s * RATE_HZ)
        word = np.zeros(WINDOW)
        first, last = max(0, start), min(WINDOW, start + len(clip))
        if first < last:
            word[first:last] = clip[first - start : last - start]
        if self._chance.random() < ECHOED:
            word = self._echo(word)
        if self._chance.random() < QUIET:
            return self._at_level(word + self._chance.normal(0, 10, WINDOW))
        cover = self._cover()
        ratio = noise.speech_rms(clip) / max(1.0, float(np.sqrt(np.mean(cover**2))))
        return self._at_level(word + cover * ratio / 10 ** (self._chance.uniform(*SNR_DB) / 20))

    def _cover(self) -> NDArray[np.float64]:
        """At one loudness, and as many voices as there are pitches."""
        sound = self._any(self._covers)
        start = self._chance.integers(max(1, len(sound) - 2 * WINDOW))
        piece = np.resize(self._varied(sound[start : start + 2 * WINDOW]), WINDOW).astype(np.float64)
        return piece * 1_000 / max(1.0, float(np.sqrt(np.mean(piece**2))))

    def _echo(self, sound: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of a room in which it takes 0.15 to 0.5 s to fall by 60 dB."""
        at_s = np.arange(WINDOW // 2) / RATE_HZ
        room = self._chance.normal(0, 0.02, len(at_s)) * np.exp(-6.9 * at_s / self._chance.uniform(0.15, 0.5))
        room[0] = 1.0
        size = 2 * WINDOW
        return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(room, size), size)[:WINDOW]

    def _at_level(self, sound: NDArray[np.float64]) -> Samples:
        rms = max(1.0, float(np.sqrt(np.mean(sound**2))))
        loud = sound * noise.FULL_SCALE * 10 ** (self._chance.uniform(*LOUD_DBFS) / 20) / rms
        return np.clip(loud, -noise.FULL_SCALE, noise.FULL_SCALE).astype(np.int16)


def covers(folder: Path, found: Clips) -> list[Samples]:
    """The box's own voice and its ringing as often as all else."""
    speakers = Speakers(settings_file.load())
    own = [speakers.say("joe", line) for line in lines()[-SAID_BY_BOX:]]
    rings = [np.concatenate([chime(name).samples, np.zeros(RATE_HZ // 2, np.int16)]) for name in RINGS]
    talk = sorted(found.others, key=len)[-100:]  # sentences, not words
    music = [recording(path) for path in sorted((folder / "music").glob("*.flac"))]
    kitchen = recording(folder / "human/noise/kitchen.flac")
    hiss = (noise.pink(20 * RATE_HZ, 0) * 1_000).astype(np.int16)
    babble = [(noise.babble(20 * RATE_HZ, talk[first::5], first) * 1_000).astype(np.int16) for first in range(5)]
    return [
        *own * 10,
        *rings * 5,
        *talk,
        *people(folder, 0),
        *music * 13,
        *[kitchen[: len(kitchen) // 2], hiss] * 10,
        *babble * 6,
    ]


def windows(folder: Path, part: int) -> Windows:
    chance = np.random.default_rng([0, part])
    found = clips(folder)
    mixer = Mixer(found, covers(folder, found), chance)
    features = onnx.session(Catalog(settings_file.load().models).path(WAKE_FEATURES))
    made: list[Samples] = [
        *(mixer.stop(ENDS_S) for _ in range(STOPS)),
        *(mixer.other() for _ in range(OTHERS)),
        *(mixer.stop(TOO_EARLY_S if chance.random() < 0.5 else TOO_LATE_S) for _ in range(NEAR_IT)),
        *(mixer.cover() for _ in range(COVERED)),
    ]
    read = np.stack([rows(features, each) for each in made]).astype(np.float16)  # half the memory
    return Windows(read.astype(np.float32), np.arange(len(made)) < STOPS)


def joined(parts: Sequence[Windows]) -> Windows:
    return Windows(np.concatenate([each.rows for each in parts]), np.concatenate([each.is_stop for each in parts]))


def teach(told: Windows, chance: Generator) -> list[Floats]:
    """Three layers, by Adam; of the loss a window with the word counts as much as one without."""
    sizes = ((told.rows.shape[2], EACH), (ROWS * EACH, ALL), (ALL, 1))
    layers = [
        each.astype(np.float32)
        for size in sizes
        for each in (chance.normal(0, np.sqrt(2 / size[0]), size), np.zeros(size[1]))
    ]
    means, squares = ([np.zeros_like(each) for each in layers] for _ in range(2))
    steps = 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        order = chance.permutation(len(told.rows))
        for first in range(0, len(order) - BATCH + 1, BATCH):
            steps += 1
            some = order[first : first + BATCH]
            for place, slope in enumerate(slopes(told.rows[some], told.is_stop[some], layers)):
                slope = slope + DECAY * layers[place]
                means[place] = 0.9 * means[place] + 0.1 * slope
                squares[place] = 0.999 * squares[place] + 0.001 * slope**2
                mean, square = means[place] / (1 - 0.9**steps), squares[place] / (1 - 0.999**steps)
                layers[place] = (layers[place] - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        right = (scores(told.rows, layers) >= 0.5) == told.is_stop
        stops, others = right[told.is_stop].mean(), right[~told.is_stop].mean()
        print(f"epoch {epoch + 1}: {stops:.3%} of stops, {others:.3%} of others", flush=True)
    return layers


def slopes(rows: Floats, is_stop: NDArray[np.bool_], layers: list[Floats]) -> list[Floats]:
    """Of the cross-entropy, by weight and bias of each layer."""
    w0, b0, w1, b1, w2, b2 = layers
    each = np.maximum(rows @ w0 + b0, 0)
    flat = each.reshape(len(rows), -1)
    whole = np.maximum(flat @ w1 + b1, 0)
    found = 1 / (1 + np.exp(-np.clip(whole @ w2 + b2, -30, 30)))
    off = ((found[:, 0] - is_stop) / len(rows)).astype(np.float32)[:, None]
    back = off @ w2.T * (whole > 0)
    deep = (back @ w1.T).reshape(each.shape) * (each > 0)
    return [
        np.tensordot(rows, deep, ([0, 1], [0, 1])), deep.sum((0, 1)), flat.T @ back, back.sum(0), whole.T @ off,
        off.sum(0),
    ]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training.make_stop", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(argv).folder
    covers(folder, clips(folder))  # rendered once, before two want them
    with ProcessPoolExecutor(WORKERS) as pool:
        told = joined([*pool.map(partial(windows, folder), range(PARTS))])
    layers = teach(told, np.random.default_rng(0))
    names = [f"{kind}{layer}" for layer in range(3) for kind in "wb"]
    held: dict[str, Any] = {name: each.astype(np.float16) for name, each in zip(names, layers, strict=True)}
    np.savez_compressed(LEARNT, **held)


if __name__ == "__main__":
    main()
