"""Does the wake word wake it, and nothing else? `python -m bench.wake`, faster than real time, with the settings' ears.

Exit code 0 when none is missed and nothing else wakes it, else 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from appliance import build, settings_file
from appliance.audio import FRAME, FRAME_S, RATE_HZ, Frame, Samples, silence
from appliance.events import WakeHeard
from appliance.ports import Attention, Ears
from bench import chatter, exit_with, noise, results
from bench.results import Row
from bench.speakers import VOICES, Noise, Speakers

PIPER = [name for name, voice in VOICES.items() if voice.engine == "piper"]
LEVELS_DBFS = (-6, -18, -30)
"""Loudest sample of the wake word: next to the box, across a table, across a room."""
AFTER = ("", "what time is it?", "set a timer.", "good morning!", "are you there?")
"""20 utterances: each Piper voice with nothing after the wake word, and with each of these."""
MINUTES = 30
SENTENCES_IN_PASSAGE = 8
SENTENCE_LEAST_S = 2
NOISES: tuple[tuple[Noise | None, float], ...] = ((None, 0), ("pink", 15), ("babble", 15), ("pink", 5), ("babble", 5))
"""Behind the passages in turn, with its dB below the speech."""
NOISE_ALONE_S = 10
"""Of it between two passages."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.wake", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="of other speech; fewer than 30 write no row")
    options = parser.parse_args(argv)
    chosen = settings_file.load()
    speakers = Speakers(chosen)
    row = results.new(chosen)
    print(results.heading(row), end="\n\n", flush=True)
    with build.parts(chosen, build.clock(chosen)) as parts:
        parts.listener.attend(Attention.WAKE, 0)
        row |= measure(parts.listener, speakers, options.minutes * 60)
    good = not row["false_accepts"] and not any(row["missed"].values())
    print("0 missed and no false wake: " + ("ok" if good else "missed"))
    if options.minutes >= MINUTES:
        results.save(row, "wake")
    return 0 if good else 1


def measure(ears: Ears, speakers: Speakers, seconds: float) -> Row:
    """What is missed at each level, what else woke it, and which near misses did."""
    missed = {level: missed_at(level, speakers, ears) for level in LEVELS_DBFS}
    for level, texts in missed.items():
        _tell(f"wake word at {level} dBFS: {len(texts)} missed of {len(utterances())}", texts)
    heard_s, woken = false_accepts(ears, speakers, seconds)
    per_hour = round(len(woken) / heard_s * 3600, 2)
    _tell(f"{heard_s / 60:.0f} minutes of other speech and noise: {per_hour:g} wakes an hour", woken)
    near, tries = near_misses(ears, speakers), len(VOICES) * len(chatter.NEAR_MISSES)
    _tell(f"near misses, for information: {len(near)} of {tries} woke it", near)
    return {
        "utterances": len(utterances()),
        "missed": missed,
        "minutes": round(heard_s / 60, 1),
        "false_accepts": woken,
        "false_accepts_per_hour": per_hour,
        "near_misses": {"n": tries, "woke": near},
    }


def _tell(what: str, which: Sequence[str]) -> None:
    print(what, *which, sep="\n  ", flush=True)


def utterances() -> list[tuple[str, str]]:
    """Voice and text."""
    return [(voice, f"Hey Jarvis, {text}" if text else "Hey Jarvis.") for voice in PIPER for text in AFTER]


def missed_at(level_dbfs: float, speakers: Speakers, ears: Ears) -> list[str]:
    """The utterances that did not wake it, spoken with that peak, in a quiet room."""
    missed = []
    for voice, text in utterances():
        clip = speakers.say(voice, text).astype(np.float64)
        clip *= noise.FULL_SCALE * 10 ** (level_dbfs / 20) / np.abs(clip).max()
        if not _wakes_it(ears, clip.astype(np.int16)):
            missed.append(f"{voice}: {text}")
    return missed


def near_misses(ears: Ears, speakers: Speakers) -> list[str]:
    """Those that woke it, each spoken by everybody in a quiet room."""
    pairs = [(voice, text) for text in chatter.NEAR_MISSES for voice in VOICES]
    return [f"{voice}: {text}" for voice, text in pairs if _wakes_it(ears, speakers.say(voice, text))]


def false_accepts(ears: Ears, speakers: Speakers, seconds: float) -> tuple[float, list[str]]:
    """How long it listened to other speech and noise, and each wake with its minute, voice, noise and passage."""
    heard = list(passages(speakers, seconds))
    ends_s = np.cumsum([len(sound) / RATE_HZ for _, sound in heard])
    woken = []
    for at_s in wakes(ears, frames(sound for _, sound in heard)):
        number = int(np.searchsorted(ends_s, at_s))
        into_s = at_s - (ends_s[number - 1] if number else 0)
        woken.append(f"minute {at_s / 60:.1f}, {into_s:.1f} s into {heard[number][0]}")
    return float(ends_s[-1]), woken


def passages(speakers: Speakers, seconds: float) -> Iterator[tuple[str, Samples]]:
    """A title and the sound, until `seconds` are full."""
    lines = chatter.sentences(round(seconds / SENTENCE_LEAST_S))
    total = 0
    for number, first in enumerate(range(0, len(lines), SENTENCES_IN_PASSAGE)):
        text = " ".join(lines[first : first + SENTENCES_IN_PASSAGE])
        voice = list(VOICES)[number % len(VOICES)]
        behind, snr_db = NOISES[number % len(NOISES)]
        sound = np.concatenate((speakers.say(voice, text), silence(NOISE_ALONE_S if behind else 2)))
        if behind:
            sound = noise.mix(sound, speakers.noise(behind, len(sound), number), snr_db)
        yield f"{voice}, {behind or 'no'} noise {snr_db} dB: {text}", sound
        total += len(sound)
        if total >= seconds * RATE_HZ:
            return


def _wakes_it(ears: Ears, clip: Samples) -> bool:
    return any(wakes(ears, frames([np.concatenate((silence(1), clip, silence(1.5)))])))


def frames(sounds: Iterable[Samples]) -> Iterator[Samples]:
    """512 samples each; the rest of one sound joins the next."""
    rest = silence(0)
    for sound in sounds:
        rest = np.concatenate((rest, sound))
        whole = len(rest) // FRAME * FRAME
        yield from rest[:whole].reshape(-1, FRAME)
        rest = rest[whole:]


def wakes(ears: Ears, frames: Iterable[Samples]) -> Iterator[float]:
    """Seconds from the first frame at which the appliance would have woken; never 0."""
    for number, samples in enumerate(frames, 1):
        for event in ears.feed(Frame(samples, number * FRAME_S)):
            if isinstance(event, WakeHeard):
                yield event.at_s


if __name__ == "__main__":
    exit_with(main)
