"""Two boxes in one room hear somebody call: does the nearer one answer? `python -m bench.earshot FOLDER`

FOLDER: recordings as bench/human.py has them. The nearer box stands at 1 m, the other one at 2 or 4 m; each hears the
direct sound (1/r), a hall (RT60 0.4 s, as strong as the direct sound at 1 m), noise of its own, and has a gain of its
own. Of the calls that woke both it is counted how often the nearer box wins, by what a whole point of the score
counts beside a decibel of the level (contest.SCORE_DB).
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from appliance import build, settings_file
from appliance.audio import FRAME, RATE_HZ, Frame, Samples, silence
from appliance.ears.listen import CALL_S, RECENT_S
from appliance.ears.loudness import over_quiet_db
from appliance.ears.utterance import frames_of
from appliance.events import WakeHeard
from appliance.ports import Attention, Ears
from bench import exit_with, human_wake, noise, results, wake
from bench.results import Row

NEAR_M, FAR_M = 1.0, (2.0, 4.0)
RT60_S = 0.4
GAIN_DB = 6.0
"""The gain of each microphone is between this and as much less."""
NOISE_DB = {"quiet": -45.0, "fan": -15.0}
"""Against the speech at 1 m."""
LATE_S = 0.1
"""From the end of a word to its event (ears/listen.py: 30 to 230 ms)."""
SCORES_DB = (0.0, 5.0, 10.0, 20.0, 40.0, 1_000.0)
"""What is tried; the last one is the score alone."""


class Room:
    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def heard(self, sound: Samples, distance_m: float, noise_db: float) -> Samples:
        """What the microphone of a box so far away gives."""
        call = np.concatenate([silence(human_wake.BEFORE_S), sound, silence(human_wake.AFTER_S)]).astype(np.float64)
        reverberant = np.fft.irfft(np.fft.rfft(call, 2 * len(call)) * np.fft.rfft(self._hall(), 2 * len(call)))
        whole = call / distance_m + reverberant[: len(call)]
        own = noise.pink(len(call), int(self._rng.integers(1 << 31)))
        whole += own * noise.speech_rms(sound) * 10 ** (noise_db / 20)
        gain = 10 ** (self._rng.uniform(-GAIN_DB, GAIN_DB) / 20) / 4
        heard: Samples = np.clip(whole * gain, -noise.FULL_SCALE, noise.FULL_SCALE).astype(np.int16)
        return heard

    def _hall(self) -> noise.Floats:
        """Of energy 1, as the direct sound at 1 m has."""
        decay = np.exp(-3 * np.log(10) * np.arange(round(RT60_S * RATE_HZ)) / (RT60_S * RATE_HZ))
        tail = decay * self._rng.standard_normal(len(decay))
        hall: noise.Floats = tail / np.sqrt((tail**2).sum())
        return hall


def measure(folder: Path, most: int | None) -> Row:
    """most: calls of each word; None is all."""
    row: Row = {}
    for word, name in (("alexa", "alexa"), ("hey_jarvis", "jarvis")):
        calls = human_wake.sounds(folder / name)
        chosen = settings_file.load()
        alone = chosen.model_copy(update={"ears": chosen.ears.model_copy(update={"wake_words": [word]})})
        with build.parts(alone, build.clock(alone)) as parts:
            parts.listener.attend(Attention.WAKE, 0)
            row[word] = _of(parts.listener, [*calls.values()][:most])
        row[word]["levels"] = _levels([*calls.values()])
        print(f"{word}: {row[word]}", flush=True)
    return row


def _levels(calls: list[Samples]) -> Row:
    """How often the nearer box has the higher level, as the word ends; no model is asked."""
    room, pairs, right = Room(), Counter[str](), Counter[str]()
    for call in calls:
        for name, noise_db in NOISE_DB.items():
            near = _level(room.heard(call, NEAR_M, noise_db), call)
            for far_m in FAR_M:
                pairs[f"{name}, {far_m:g} m"] += 1
                right[f"{name}, {far_m:g} m"] += near > _level(room.heard(call, far_m, noise_db), call)
    return {"pairs": dict(pairs), "nearer": dict(right)}


def _level(sound: Samples, call: Samples) -> float:
    ends = round((human_wake.BEFORE_S + LATE_S) * RATE_HZ) + len(call)
    recent = sound[:ends][-frames_of(CALL_S + RECENT_S) * FRAME :]
    return over_quiet_db(recent[len(recent) % FRAME :].reshape(-1, FRAME), frames_of(CALL_S))


def _of(ears: Ears, calls: list[Samples]) -> Row:
    room, both, right = Room(), Counter[str](), {f"{score_db:g}": Counter[str]() for score_db in SCORES_DB}
    for call in calls:
        for name, noise_db in NOISE_DB.items():
            near = _woken(ears, room.heard(call, NEAR_M, noise_db))
            for far_m in FAR_M:
                far, where = _woken(ears, room.heard(call, far_m, noise_db)), f"{name}, {far_m:g} m"
                if near is None or far is None:
                    continue
                both[where] += 1
                for score_db in SCORES_DB:
                    right[f"{score_db:g}"][where] += _merit(near, score_db) > _merit(far, score_db)
    return {"calls": len(calls), "both": dict(both), "nearer": {name: dict(each) for name, each in right.items()}}


def _woken(ears: Ears, sound: Samples) -> WakeHeard | None:
    ears.begin_anew()
    events = (event for samples in wake.frames([sound]) for event in ears.feed(Frame(samples, 0.0)))
    return next((event for event in events if isinstance(event, WakeHeard)), None)


def _merit(event: WakeHeard, score_db: float) -> float:
    return event.level_db + score_db * event.score


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.earshot", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calls", type=int, metavar="N", help="of each word, instead of all")
    options = parser.parse_args()
    print(results.kept(results.head() | measure(options.folder, options.calls), "earshot"))
    return 0


if __name__ == "__main__":
    exit_with(main)
