"""The small models, and the instructions read once by the smallest: 3,200 tokens, the longest part of a first start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small import Small

ModelPath = Callable[..., Path]
ROOT = Path(__file__).parents[2]
MODELS = ("smollm2-135m", "whisper-tiny.en", "wake/hey_jarvis", "smart-turn-v3.2", "silero-vad")


@pytest.fixture(scope="session")
def small(model: ModelPath, tmp_path_factory: pytest.TempPathFactory) -> Small:
    for name in MODELS:
        model(name)
    model("piper-en-us-joe", "onnx")
    made = Small(tmp_path_factory.mktemp("small"))
    options = ["--config", str(made.config), "--state", str(made.state)]
    command = [sys.executable, "-m", "appliance", "prompts", *options, "hello"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=600)
    return made
