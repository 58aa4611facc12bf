"""The mixer's levels, as `amixer` tells them; it comes with alsa-utils and is not needed for anything else."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

from appliance.ports.soundcheck import Control, Direction

PATIENCE_S = 5
_NAME = re.compile(r"Simple mixer control '(.*)',\d+$", re.MULTILINE)
_LEVEL = re.compile(r"(Playback|Capture)(?: \d+)?((?: \[[^\]]*\])+)")
"""Of one channel: "Playback 65536 [100%] [0.00dB] [on]", with or without each of them."""
_DIRECTIONS: dict[str, Direction] = {"Capture": "capture", "Playback": "playback"}


def read(card: str = "") -> list[Control]:
    """Those of a card, by its id; empty is the default's. None where there is no `amixer`, or no mixer."""
    command = ["amixer", *(["-c", card] if card else []), "scontents"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return parse(done.stdout)


def parse(text: str) -> list[Control]:
    _, *pieces = _NAME.split(text)
    return [control for name, piece in zip(pieces[::2], pieces[1::2], strict=True) for control in _control(name, piece)]


def _control(name: str, text: str) -> Iterator[Control]:
    for word, direction in _DIRECTIONS.items():
        channels = [marks for which, marks in _LEVEL.findall(text) if which == word]
        if not channels:
            continue
        percents = [int(each) for marks in channels for each in re.findall(r"\[(\d+)%\]", marks)]
        switches = [each == "on" for marks in channels for each in re.findall(r"\[(on|off)\]", marks)]
        yield Control(name, direction, max(percents, default=None), any(switches) or not switches)
