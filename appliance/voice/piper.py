"""The voice: Piper (VITS on onnxruntime, espeak-ng phonemes; its data ships in the piper package)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
from piper import PiperConfig, PiperVoice, SynthesisConfig

from appliance.audio import Speech
from appliance.errors import ModelDamaged, ModelMissing, TurnFailed

REMEDY = "run: appliance models fetch"


class Piper:
    """One clause in, its sound out. The first one costs no more than the others: loading is what takes long."""

    def __init__(self, onnx: Path, config: Path, threads: int = 2, speed: float = 1.0) -> None:
        """`speed`: 2 is twice as fast. Raises ModelMissing, ModelDamaged."""
        missing = [str(path) for path in (onnx, config) if not path.is_file()]
        if missing:
            raise ModelMissing(f"the voice {' and '.join(missing)} is not there", remedy=REMEDY)
        try:
            settings = PiperConfig.from_dict(json.loads(config.read_text(encoding="utf-8")))
            self._voice = PiperVoice(session=_session(onnx, threads), config=settings)
        except Exception as error:  # onnxruntime's have no base class of their own
            raise ModelDamaged(f"the voice {onnx} cannot be loaded ({error})", remedy=REMEDY) from None
        self._how = SynthesisConfig(length_scale=settings.length_scale / speed)

    def synthesize(self, clause: str) -> Speech:
        """Raises TurnFailed. A clause without a sound in it, such as "?", is empty speech."""
        try:
            chunks = [chunk.audio_int16_array for chunk in self._voice.synthesize(clause, self._how)]
        except Exception as error:  # likewise
            raise TurnFailed(f"the voice failed ({error})", remedy="say something else; look at free memory") from None
        samples = np.concatenate([np.zeros(0, np.int16), *chunks])
        return Speech(samples, self._voice.config.sample_rate)


def _session(onnx: Path, threads: int) -> onnxruntime.InferenceSession:
    """No arena and no spinning: 60 MB less, and a third less processor time (performance.md 3.13).

    Nor a plan of which buffer follows which: for the 2,755 nodes of a voice it takes 2.8 s of a desktop's core at every
    start, and saves nothing (peak of a 600-phoneme clause: 484 MB with it, 419 without).
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_reuse = False
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
