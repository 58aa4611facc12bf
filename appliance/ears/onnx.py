"""One way to open an ONNX model: one thread, no spinning, no arena."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

from appliance.errors import ModelDamaged, ModelMissing, explained


def session(path: Path) -> onnxruntime.InferenceSession:
    """The options of docs/design/facts.md: the models are small and other rooms need the cores and the memory.

    Raises ModelMissing, ModelDamaged.
    """
    if not path.is_file():
        raise ModelMissing(f"there is no model at {path}", remedy="run: appliance models fetch")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    remedy = "run: appliance models verify"
    with explained(lambda error: ModelDamaged(f"{path} is not a usable model ({error})", remedy=remedy)):
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
