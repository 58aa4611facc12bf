"""What `make_stop` learns from: "stop" by many voices, and what is not "stop". The same samples each time.

Rendered once, into FOLDER/clips; needs espeak-ng, flite and sox. The voices of `bench/speakers.py` but for the box's
own, and those of `HELD_OUT`, say nothing here: `python -m bench.stop` measures with them.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance.audio import RATE_HZ, Samples, Speech, read_wav, write_wav
from bench import noise
from bench.recorded import recording
from models.training.kokoro import Kokoro

HELD_OUT = ("af_heart", "af_sarah", "am_adam", "am_puck", "bf_emma", "bf_lily", "bm_george", "bm_lewis")
"""Voices of Kokoro that it does not learn from."""
STOPS = ("stˈɑp.", "stˈɒp!", "ʃtˈɔp.")
"""American, British, and German: as espeak-ng writes the sounds."""
SPEEDS = (0.75, 0.95, 1.2, 1.45)
BLENDS = 12
ESPEAK = tuple(
    f"{accent}+{variant}"
    for accent in ("en-us", "en-gb", "de")
    for variant in ("m1", "m3", "m5", "m7", "f1", "f3", "f5")
)
"""Those of the bench are f2 and klatt."""
FLITE = ("kal", "kal16")
NEAR = (
    "shop", "top", "stock", "step", "stuff", "start", "store", "stomp", "spot", "drop", "cop", "hop", "pop", "mop",
    "chop", "swap", "stab", "stoop", "stub", "scope", "sop", "what", "okay", "yes", "no", "thanks", "hello", "play",
    "go on", "louder", "stamp", "star", "stay", "soap", "stack", "slap", "up", "got it", "hot", "lot", "stoked",
    "crop", "top it", "sock", "pot", "stool", "steep", "job", "tock", "dot",
)  # fmt: skip
GERMAN_NEAR = (
    "Stock",
    "Topf",
    "Kopf",
    "Stoff",
    "Shop",
    "Stadt",
    "stumpf",
    "Stab",
    "Stern",
    "doch",
    "Strom",
    "Stuhl",
    "Storch",
    "Post",
)
TALK = Path(__file__).with_name("none.en.tsv")


@dataclass(frozen=True)
class Clips:
    stops: list[Samples]
    """Each the word alone, without silence around it."""
    others: list[Samples]
    """What is not "stop", by synthetic voices and by people."""


def clips(folder: Path) -> Clips:
    """`folder`: what `Kokoro` needs, `human/` as bench.human has it, of which every other recording is taken."""
    return Clips(
        [*_kept(folder / "clips/stops", _stops(folder))],
        [*_kept(folder / "clips/others", _others(folder)), *people(folder, 0)],
    )


def lines() -> list[str]:
    """What people say at home, none of it with "stop"."""
    found = [line.split("\t")[-1] for line in TALK.read_text().splitlines() if "stop" not in line]
    random.Random(1).shuffle(found)
    return found


def people(folder: Path, half: int) -> Iterator[Samples]:
    """Recordings of people, none of them with "stop": every other one, from number `half` on."""
    for kind in ("orders", "alexa", "jarvis"):
        for path in sorted((folder / "human" / kind).glob("*.flac"))[half::2]:
            yield recording(path)


def _kept(folder: Path, made: Iterator[Samples]) -> Iterator[Samples]:
    """What lies there is as many as there are, once it was finished."""
    done = folder / "done"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for number, sound in enumerate(made):
            write_wav(folder / f"{number:04}.wav", Speech(noise.trimmed(sound), RATE_HZ))
        done.touch()
    yield from map(read_wav, sorted(folder.glob("*.wav")))


def _stops(folder: Path) -> Iterator[Samples]:
    many, chance = Kokoro(folder), random.Random(0)
    voices = [voice for voice in many.voices if voice not in HELD_OUT]
    english = [voice for voice in voices if voice[0] in "ab"]
    for voice in ESPEAK:
        for pace in (120, 170):
            word = "Stopp!" if voice.startswith("de") else "Stop!"
            yield program("espeak-ng", "-v", voice, "-s", str(pace), "-p", str(chance.randrange(20, 80)), word)
    for voice in FLITE:
        yield program("flite", "-voice", voice, "-t", "Stop.")
    for number, voice in enumerate(english):
        for sounds in STOPS[:2]:
            yield many.say_sounds(sounds, voice, SPEEDS[number % len(SPEEDS)])
    for voice in voices[::2]:
        yield many.say_sounds(STOPS[2], voice, chance.choice(SPEEDS))
    for _ in range(BLENDS):
        one, other = chance.sample(english, 2)
        yield many.say_sounds(chance.choice(STOPS), one, chance.choice(SPEEDS), other, chance.uniform(0.3, 0.7))


def _others(folder: Path) -> Iterator[Samples]:
    many, chance = Kokoro(folder), random.Random(1)
    voices = [voice for voice in many.voices if voice not in HELD_OUT]
    said = lines()
    for voice in ESPEAK:
        for word in chance.sample(GERMAN_NEAR if voice.startswith("de") else NEAR, 8):
            yield program("espeak-ng", "-v", voice, "-s", str(chance.randrange(110, 200)), f"{word}.")
    for line in said[:60]:
        yield program("espeak-ng", "-v", chance.choice(ESPEAK[:14]), "-s", str(chance.randrange(120, 190)), line)
    for line in said[80:95]:
        yield program("flite", "-voice", "kal16", "-t", line)
    for word in NEAR[::2]:
        yield many.say(f"{word.capitalize()}.", chance.choice(voices), chance.choice(SPEEDS))
    for line in said[100:104]:
        yield many.say(line, chance.choice(voices), chance.uniform(0.9, 1.2))


def program(name: str, *words: str) -> Samples:
    """What espeak-ng or flite says."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        subprocess.run(
            [name, "-w" if name == "espeak-ng" else "-o", file.name, *words], check=True, capture_output=True
        )
        return read_wav(Path(file.name))


if __name__ == "__main__":
    import sys

    found = clips(Path(sys.argv[1]))
    print(
        len(found.stops),
        len(found.others),
        sum(map(len, found.others)) / RATE_HZ,
        np.mean([*map(len, found.stops)]) / RATE_HZ,
    )
