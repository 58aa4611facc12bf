"""A whole appliance with the smallest models, and the head of its prompt read once: the longest part of a start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MODELS = ("smollm2-135m", "whisper-tiny.en", "wake/hey_jarvis", "smart-turn-v3.2", "silero-vad")
SETTINGS = """
profile = "desktop"
[thought]
model = "smollm2-135m"
{thought}
[words]
model = "whisper-tiny.en"
{words}
[sound]
retry_s = 0.5
[reply]
fast_lane = false  # so that the language model has its part
"""


class Small:
    """A state folder with the snapshot in it, and settings for the small models."""

    def __init__(self, folder: Path) -> None:
        self.state, self.config, self.single = folder / "state", folder / "config.toml", folder / "single.toml"
        self.config.write_text(SETTINGS.format(thought="", words=""))
        one = "threads = 1"
        self.single.write_text(SETTINGS.format(thought=f"{one}\nthreads_batch = 1", words=one))

    def read_instructions(self) -> None:
        """Leave the snapshot behind: 3,200 tokens."""
        options = ["--config", str(self.config), "--state", str(self.state)]
        command = [sys.executable, "-m", "appliance", "prompts", *options, "hello"]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
