"""The voice: Piper (VITS on onnxruntime, espeak-ng phonemes; its data ships in the piper package)."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from piper import PiperConfig, PiperVoice

from appliance.audio import Speech, Stale, never
from appliance.errors import ModelDamaged, ModelMissing, TurnFailed, explained
from appliance.tts.graph import parted
from appliance.tts.loudness import SAMPLE, gain_of, levelled

REMEDY = "run: appliance models fetch"
FIRST_FRAMES = 40
"""Least in the first piece: 0.46 s of sound, made in 20 ms (2 EPYC cores, 2026-11-23); each further one has twice."""
LONGEST_FRAMES = 96
"""1.1 s: a stop is heeded between two pieces, and what a piece takes of memory grows with it."""
SLOW_FRAMES = 690
"""On a slow board: 8 s of sound, made in as long at the worst. A part that is at work for 30 s counts as hung."""
HURRY = 3
"""Times as long as at its best a piece may take while the model writes, and still be there when it is to be played."""
SEEN_FRAMES = 12
"""On either side of a piece, for it to be what it is in the whole to seven digits; 16 give it bit by bit."""

Frames = NDArray[np.float32]


class Piper:
    """One clause in, its sound out in pieces. The first one costs no more than others: loading is what takes long."""

    def __init__(self, onnx: Path, config: Path, threads: int = 2, speed: float = 1.0) -> None:
        """`speed`: 2 is twice as fast. Raises ModelMissing, ModelDamaged."""
        missing = [str(path) for path in (onnx, config) if not path.is_file()]
        if missing:
            raise ModelMissing(f"the voice {' and '.join(missing)} is not there", remedy=REMEDY)
        with explained(lambda error: ModelDamaged(f"the voice {onnx} cannot be loaded ({error})", remedy=REMEDY)):
            settings = PiperConfig.from_dict(json.loads(config.read_text(encoding="utf-8")))
            self._text, self._sound = (_session(part, threads) for part in parted(onnx.read_bytes()))
            self._voice = PiperVoice(session=self._text, config=settings)
            self._scales = settings.noise_scale, settings.length_scale / speed, settings.noise_w_scale
            self._effort, self._phonemes = 1.0, Lock()
            self._gain = gain_of(self._raw(SAMPLE))

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        """See Synthesizer. Raises TurnFailed. A clause without a sound in it, such as "?", has no pieces."""
        remedy = "say something else; look at free memory"
        with explained(lambda error: TurnFailed(f"the voice failed ({error})", remedy=remedy)):
            for piece in self._raw(clause):
                yield Speech(levelled(piece, self._gain), self._voice.config.sample_rate)

    def _raw(self, clause: str) -> Iterator[Frames]:
        with self._phonemes:  # espeak-ng is for one thread at a time; the rest may be asked by several
            sentences = [*self._voice.phonemize(clause)]
        for phonemes in sentences:
            if phonemes:
                yield from self._pieces(self._voice.phonemes_to_ids(phonemes))

    def _pieces(self, phonemes: list[int]) -> Iterator[Frames]:
        """Each made from its frames and those around it."""
        names = [output.name for output in self._text.get_outputs()]
        given = dict(zip(names, self._text.run(None, self._feed(phonemes)), strict=True))
        name = names[0]
        frames = given[name]
        start, length = 0, self._first()
        while start < frames.shape[2]:
            end, first = min(start + length, frames.shape[2]), max(0, start - SEEN_FRAMES)
            seen = frames[:, :, first : end + SEEN_FRAMES]
            began_s = time.monotonic()
            sound = self._sound.run(None, given | {name: seen})[0].squeeze()
            took_s, played_s = time.monotonic() - began_s, len(sound) / self._voice.config.sample_rate
            self._effort = min(self._effort, took_s / played_s)
            hop = len(sound) // seen.shape[2]
            yield sound[(start - first) * hop : (end - first) * hop]
            start, length = end, max(length, min(2 * length, LONGEST_FRAMES))

    def _first(self) -> int:
        """Frames in the first piece: while it is played, the next one of twice as many can be made.

        HURRY * effort * (2 * first + 2 * SEEN_FRAMES) <= first, solved for it. A slow board makes as much as can be.
        """
        effort = HURRY * self._effort
        if effort >= 0.5:
            return SLOW_FRAMES
        return min(SLOW_FRAMES, max(FIRST_FRAMES, math.ceil(2 * SEEN_FRAMES * effort / (1 - 2 * effort))))

    def _feed(self, phonemes: list[int]) -> dict[str, Any]:
        feed: dict[str, Any] = {
            "input": np.array([phonemes], np.int64),
            "input_lengths": np.array([len(phonemes)], np.int64),
            "scales": np.array(self._scales, np.float32),
        }
        if self._voice.config.num_speakers > 1:
            feed["sid"] = np.zeros(1, np.int64)
        return feed


def _session(model: bytes, threads: int) -> onnxruntime.InferenceSession:
    """No arena and no spinning: 60 MB less, and a third less processor time (docs/design/facts.md).

    Nor a plan of which buffer follows which: for the 2,755 nodes of a voice it takes 2.8 s of a desktop's core at every
    start, and saves nothing (peak of a 600-phoneme clause: 484 MB with it, 419 without). All that can be done to a
    graph takes 0.8 s and saves 5 of 50 ms; the basic part of it 0.3 s (2 EPYC cores, 2026-11-23).
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_reuse = False
    options.enable_mem_pattern = False
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    with open(os.memfd_create("voice"), "wb") as file:  # given as bytes, the session would keep all 60 MB of them
        file.write(model)
        file.flush()
        return onnxruntime.InferenceSession(
            f"/proc/self/fd/{file.fileno()}", options, providers=["CPUExecutionProvider"]
        )
