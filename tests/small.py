"""The settings that let a whole service run with the smallest models."""

from __future__ import annotations

from pathlib import Path

SMALL_MODELS = ("smollm2-135m", "whisper-tiny.en", "wake/hey_jarvis", "smart-turn-v3.2", "silero-vad")
SETTINGS = """
profile = "desktop"
[thought]
model = "smollm2-135m"
{thought}
[words]
model = "whisper-tiny.en"
{words}
[voice]
{voice}
[sound]
retry_s = 0.5
[reply]
fast_lane = false  # so that the language model has its part
"""


class Small:
    """A state folder with the snapshot in it, and settings for the small models."""

    def __init__(self, folder: Path) -> None:
        self.state, self.config, self.single = folder / "state", folder / "config.toml", folder / "single.toml"
        self.config.write_text(SETTINGS.format(thought="", words="", voice=""))
        one = "threads = 1"
        self.single.write_text(SETTINGS.format(thought=f"{one}\nthreads_batch = 1", words=one, voice=one))
