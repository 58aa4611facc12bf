"""Wake words said by real people: how many are missed, in quiet, in a kitchen and among voices, and what else wakes it.

By the listener of the service. Before and after each recording is what the room sounds like, for a microphone is open
long before anybody calls.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from appliance import build
from appliance.audio import RATE_HZ, Samples, silence
from appliance.errors import WrongUse
from appliance.ports import Attention, Ears
from appliance.settings import Settings
from bench import noise, wake
from bench.recorded import recording
from bench.results import Row

SPOKEN = {"alexa": "alexa", "hey_jarvis": "jarvis", "jarvis": "jarvis"}
"""Wake word -> the folder of its recordings. Those for "hey jarvis" lack the "hey"."""
BEFORE_S, AFTER_S = 2.0, 1.0
SNR_DB = 10.0
QUIET = 3.0
"""Deviation of the noise of a quiet room, in int16 steps."""
VOICES = 4
"""Of the babble."""
ROOMS = ("quiet", "kitchen", "babble")


def measure(chosen: Settings, folder: Path) -> Row:
    """By word that the settings name. Raises WrongUse where there is no recording of any."""
    words = [word for word in chosen.ears.wake_words if (folder / SPOKEN.get(word, "-")).is_dir()]
    if not words:
        known = ", ".join(SPOKEN)
        raise WrongUse(f"{folder} has no recordings of the wake words that are set", remedy=f"set some of: {known}")
    rooms = Rooms(folder)
    row: Row = {}
    for word in words:
        alone = chosen.model_copy(update={"ears": chosen.ears.model_copy(update={"wake_words": [word]})})
        with build.parts(alone, build.clock(alone)) as parts:
            parts.listener.attend(Attention.WAKE, 0)
            row[word] = _of(parts.listener, sounds(folder / SPOKEN[word]), others(folder, SPOKEN[word]), rooms)
        print(f"{word}: {told(row[word])}", flush=True)
    return row


def told(row: Row) -> str:
    missed = ", ".join(f"{count} in {room}" for room, count in row["missed"].items())
    return (
        f"of {row['n']} missed {missed}; {row['false']} false in {row['other_minutes']} minutes; "
        f"{row['core_pct']} % of a core"
    )


def _of(ears: Ears, calls: Mapping[str, Samples], other: Mapping[str, Samples], rooms: Rooms) -> Row:
    missed = {
        room: [name for name, call in calls.items() if not wakes(ears, rooms.around(call, room))] for room in ROOMS
    }
    heard = [(name, rooms.around(sound, room)) for room in ROOMS for name, sound in other.items()]
    began_s = time.process_time()
    false = [name for name, sound in heard for _ in range(wakes(ears, sound))]
    took_s, seconds = time.process_time() - began_s, sum(len(sound) for _, sound in heard) / RATE_HZ
    return {
        "n": len(calls),
        "missed": {room: len(names) for room, names in missed.items()},
        "which": missed,
        "false": len(false),
        "woken_by": false,
        "other_minutes": round(seconds / 60, 1),
        "core_pct": round(100 * took_s / seconds, 2),
    }


def sounds(folder: Path) -> dict[str, Samples]:
    return {path.name: recording(path) for path in sorted(folder.glob("*.flac"))}


def others(folder: Path, word: str) -> dict[str, Samples]:
    """All that is not the word: orders, and other wake words."""
    folders = [folder / name for name in ("orders", *dict.fromkeys(SPOKEN.values())) if name != word]
    return {f"{each.name}/{name}": sound for each in folders for name, sound in sounds(each).items()}


def wakes(ears: Ears, sound: Samples) -> int:
    """How often it does."""
    ears.begin_anew()
    return sum(1 for _ in wake.wakes(ears, wake.frames([sound])))


class Rooms:
    """What is heard around a recording; the same for each run."""

    def __init__(self, folder: Path) -> None:
        self._kitchen = recording(folder / "noise/kitchen.flac").astype(np.float64)
        self._voices = [*sounds(folder / "orders").values()]
        self._rng = np.random.default_rng(0)

    def around(self, sound: Samples, room: str) -> Samples:
        """`sound` with the room before, behind and after it, SNR_DB softer than its speech."""
        whole = np.concatenate([silence(BEFORE_S), sound, silence(AFTER_S)])
        if room == "quiet":
            return whole + self._rng.normal(0, QUIET, len(whole)).astype(np.int16)
        return noise.mix(whole, self._noise(room, len(whole)), SNR_DB)

    def _noise(self, room: str, length: int) -> noise.Floats:
        """RMS 1."""
        if room == "kitchen":
            start = self._rng.integers(len(self._kitchen) - length)
            return noise.unit(self._kitchen[start : start + length])
        talkers = [self._voices[number] for number in self._rng.choice(len(self._voices), VOICES, replace=False)]
        return noise.babble(length, talkers, int(self._rng.integers(1 << 31)))
