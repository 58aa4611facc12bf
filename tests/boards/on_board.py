"""python on_board.py LANGUAGE_MODEL SPEECH_MODEL RECORDING: does what is installed work on this processor?

Imports all of it, lets the appliance's own classes write a few words and hear one second, and prints JSON.
"""

from __future__ import annotations

import importlib
import json
import platform
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import llama_cpp
import numpy as np

from appliance.audio import RATE_HZ, Utterance, never, read_wav, silence
from appliance.llm.llama import LlamaCpp
from appliance.llm.snapshots import Snapshots
from appliance.ports import Message, Usage
from appliance.settings import Thought
from appliance.stt.whisper import WhisperCpp

PROMPT = [Message("system", "You are a helpful assistant."), Message("user", "Say hello.")]
TOKENS = 8
INSTALLER = {"_distutils_hack", "distutils-precedence", "pkg_resources", "setuptools"}
"""They want to be imported before anything else, and installing has shown that they work."""


def imported() -> list[str]:
    """Every module at the top of every distribution. Raises ImportError where one does not load."""
    names = sorted(metadata.packages_distributions().keys() - INSTALLER)
    for name in names:
        importlib.import_module(name)
    return names


def written(model: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        llama = LlamaCpp(model, Thought(context_tokens=1024, threads=2, threads_batch=2), Snapshots(Path(folder)))
        try:
            return "".join(llama.generate(PROMPT, None, TOKENS, Usage(), never))
        finally:
            llama.close()


def heard(model: Path, recording: Path) -> str:
    word = read_wav(recording)
    rest = RATE_HZ - len(word)
    second = np.concatenate([silence(rest / 2 / RATE_HZ), word, silence(rest / 2 / RATE_HZ)])
    return WhisperCpp(model, threads=2).transcribe(Utterance(second), never).text


def main(language: str, speech: str, recording: str, libraries: str = "") -> None:
    """`libraries`: anything, to import every one too: a development machine has some that are not meant for it."""
    marks = [time.monotonic()]
    found: dict[str, object] = {"machine": platform.machine(), "python": platform.python_version()}
    for key, value in (
        ("wrote", lambda: written(Path(language))),
        ("heard", lambda: heard(Path(speech), Path(recording))),
        ("modules", lambda: len(imported()) if libraries else 0),
        ("llama_cpp", lambda: llama_cpp.llama_print_system_info().decode().strip()),
    ):
        found[key] = value()
        marks.append(time.monotonic())
    found["seconds"] = dict(zip(("write", "hear", "import"), np.diff(marks).round(1).tolist(), strict=False))
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
