"""`python -m bench.stop [FOLDER]`: is "stop" heard over what the box plays, how soon, and what else passes for it?

By the detector that the ears use while the box is busy, alone: no transcription, no language model. Voices are those of
`bench/speakers.py`, which it did not learn from; FOLDER may hold more of them, `stop/*.flac` with the word alone, and
`human/` as bench.human has it, of whose recordings only those count that it did not learn from. Faster than real time.

Exit code 0 when 95 % are obeyed in each room within 300 ms, and the box's own voice never stops it, else 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse, pairwise
from pathlib import Path

import numpy as np

from appliance import settings_file
from appliance.audio import FRAME, FRAME_S, RATE_HZ, Samples, silence
from appliance.ears.stopping import WINDOW, StopHubert, Stopping
from appliance.models.registry import WAKE_FEATURES, Catalog
from appliance.tts.ring import RINGS, chime
from bench import exit_with, noise, results
from bench.recorded import recording
from bench.results import Row
from bench.speakers import VOICES, Speakers
from bench.tunes import tune
from bench.wake import frames, passages

KIND = "stop"
SAID = ("Stop.", "Stop it.")
BELOW_DB = (0, 6, 12, 20)
"""How far what the box plays is below the word, at its microphone."""
BEFORE_S, AFTER_S = 1.5, 0.4
WITHIN_S = 0.3
PLAYED_S = 0.12
"""What a sound card still plays once the box was told to be silent: its buffer (appliance/body/soundcard.py)."""
OBEYED = 0.95
MINUTES = 30
LOUD_DBFS = -26.0


@dataclass(frozen=True)
class Word:
    name: str
    samples: Samples

    @property
    def ends_s(self) -> float:
        """The first word of what was said: of "stop it" some 60 %."""
        return len(self.samples) / RATE_HZ * (0.6 if self.name.endswith("it.") else 1.0)


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    chosen = settings_file.load(options.config)
    row = results.new(chosen)
    print(results.heading(row), end="\n\n", flush=True)
    speakers = Speakers(chosen)
    ear = Stopping(StopHubert(Catalog(chosen.models).path(WAKE_FEATURES)))
    parts: dict[str, Callable[[], Row]] = {
        "obeyed": lambda: obeyed(ear, words(speakers, options.folder), Rooms(speakers)),
        "own": lambda: false_stops("its own voice", ear, filter(by_box, passages(speakers, options.minutes * 60))),
        "talk": lambda: false_stops("other voices", ear, filterfalse(by_box, passages(speakers, options.minutes * 60))),
        "people": lambda: false_stops("people", ear, people(options.folder)),
    }
    row |= {name: measure() for name, measure in parts.items() if options.part in (None, name)}
    if options.part:
        return 0
    if options.minutes >= MINUTES:
        print(results.kept(row, KIND))
    return 0 if is_good(row) else 1


def is_good(row: Row) -> bool:
    heard = all(
        each["obeyed"] >= OBEYED * each["n"] and each["late_s"]["p95"] <= WITHIN_S for each in row["obeyed"].values()
    )
    return heard and not row["own"]["stops"]


def words(speakers: Speakers, folder: Path | None) -> list[Word]:
    found = [Word(f"{voice}: {text}", speakers.say(voice, text)) for voice in VOICES for text in SAID]
    more = sorted((folder / "stop").glob("*.flac")) if folder else []
    return [*found, *(Word(path.stem, noise.at_level(noise.trimmed(recording(path)), LOUD_DBFS)) for path in more)]


class Rooms:
    """What is heard behind the word: nothing, the box's own voice, its ring, music."""

    def __init__(self, speakers: Speakers) -> None:
        own = next(sound for title, sound in passages(speakers, 60) if by_box((title, sound)))
        ring = np.concatenate([np.concatenate([chime(name).samples, silence(1)]) for name in RINGS])
        self._sounds = {"voice": own, "ring": ring, "music": tune(30, 0)}

    def all(self) -> Iterator[tuple[str, int]]:
        yield "quiet", 40
        yield from ((name, below) for name in self._sounds for below in BELOW_DB)

    def around(self, word: Word, name: str, below_db: int, number: int) -> Samples:
        """With the word `BEFORE_S` from its beginning."""
        whole = np.concatenate([silence(BEFORE_S), word.samples, silence(AFTER_S)])
        if name == "quiet":
            return noise.mix(whole, noise.pink(len(whole), number), below_db)
        sound = np.roll(self._sounds[name], -number * RATE_HZ)[: len(whole)].astype(np.float64)
        gain = noise.speech_rms(word.samples) / noise.speech_rms(self._sounds[name]) / 10 ** (below_db / 20)
        return np.clip(whole + sound * gain, -noise.FULL_SCALE, noise.FULL_SCALE).astype(np.int16)


def obeyed(ear: Stopping, said: Sequence[Word], rooms: Rooms) -> Row:
    row: Row = {}
    for name, below in rooms.all():
        late = {
            word.name: _late_s(ear, rooms.around(word, name, below, number), word) for number, word in enumerate(said)
        }
        heard = [each for each in late.values() if each is not None]
        where = f"{name} -{below} dB"
        row[where] = {
            "n": len(said),
            "obeyed": len(heard),
            "missed": [word for word, each in late.items() if each is None],
            "late_s": results.spread([round(each, 3) for each in heard]),
        }
        soon = row[where]["late_s"]
        print(
            f"{where}: {len(heard)} of {len(said)} obeyed, silent after {soon['p50']} s, p95 {soon['p95']}", flush=True
        )
    return row


def _late_s(ear: Stopping, sound: Samples, word: Word) -> float | None:
    """From the end of the word until nothing sounds any more, at least 0; None where it was not heard."""
    ear.reset()
    first = round(BEFORE_S * RATE_HZ) // FRAME * FRAME
    ear.hear(sound[first - WINDOW : first])
    for number, frame in enumerate(frames([sound[first:]]), first // FRAME + 1):
        if ear.hear(frame):
            return max(0.0, number * FRAME_S - BEFORE_S - word.ends_s + PLAYED_S)
    return None


def by_box(passage: tuple[str, Samples]) -> bool:
    return VOICES[passage[0].partition(",")[0]].engine == "piper"


def people(folder: Path | None) -> Iterator[tuple[str, Samples]]:
    """Every other recording: it learnt from the rest."""
    for path in sorted((folder / "human").glob("[!n]*/*.flac"))[1::2] if folder else []:
        yield path.name, recording(path)


def false_stops(what: str, ear: Stopping, sounds: Iterable[tuple[str, Samples]]) -> Row:
    """How often it took something else for "stop", and how often it suspected it."""
    heard_s, stops, suspected = 0.0, list[str](), 0
    ear.reset()
    for title, sound in sounds:
        found = [ear.hear(frame) for frame in frames([sound])]
        stops += [title.partition(":")[0]] * found.count(True)
        suspected += sum(before is None and now is False for before, now in pairwise(found))
        heard_s += len(sound) // FRAME * FRAME_S
    print(
        f"{what}: {len(stops)} false stops in {heard_s / 60:.0f} minutes, {suspected} suspicions",
        *stops,
        sep="\n  ",
        flush=True,
    )
    return {"minutes": round(heard_s / 60, 1), "stops": stops, "suspected": suspected}


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.stop", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help="of talk by synthetic voices; fewer than 30 write no row"
    )
    parser.add_argument(
        "--part", choices=("obeyed", "own", "talk", "people"), help="one of them alone; no row is written"
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
