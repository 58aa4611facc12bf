"""`python -m bench.speaker FOLDER`: how often one voice is taken for another's, and what is told to it then.

FOLDER: recordings of people as bench/human.py has them (`orders/*.flac`); nobody wrote down who says which.

- Halves: the first and the last 2 s of each recording of at least 3.2 s; the same voice by nature, though in one room
  and one breath. All pairs of two recordings count as two voices, those of one person too: so it errs upwards.
- Learnt: bench/orders_by_voice.json has ten voices with four recordings or more, as another encoder found them
  (Resemblyzer 0.1.4 on whole recordings, cosine over 0.85; Apache-2.0), and for each those that are `perhaps` the same
  (0.72 to 0.85), which are left out. A voice is learnt from three of its recordings, and is to be known in the first
  2 s of each other one. What neither encoder finds alike counts as two voices, so it errs downwards.
- Facts: 200 private facts of the ten in a real database, each asked for by 2 s of somebody else, by their words and by
  all that is known; told counts what comes out.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from appliance.audio import RATE_HZ, Samples
from appliance.ears.known_voices import PHRASES, KnownVoices
from appliance.ears.voice_print import DVector
from appliance.memory.by_voice import ByVoice
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.voice_prints import VoicePrints
from appliance.models.registry import SPEAKER, Catalog
from appliance.ports.speaker import Print
from bench import command, exit_with, noise, results
from bench.recorded import recording
from bench.results import Row

KIND = "speaker"
COMMAND = 2 * RATE_HZ
"""Samples that somebody is known by."""
HALVED = round(3.2 * RATE_HZ)
SHORTEST = round(1.5 * RATE_HZ)
"""Of a recording that is asked with."""
FACTS = 200


@dataclass(frozen=True)
class Voice:
    name: str
    said: tuple[str, ...]
    perhaps: frozenset[str]

    @property
    def learnt_from(self) -> tuple[str, ...]:
        return self.said[:PHRASES]


class Scores(NamedTuple):
    own: list[float]
    others: list[float]


class People:
    def __init__(self, folder: Path, encoder: DVector) -> None:
        self.sounds = {path.name: noise.trimmed(recording(path)) for path in sorted(folder.glob("orders/*.flac"))}
        self._encoder = encoder
        groups = json.loads(Path(__file__).with_name("orders_by_voice.json").read_text())
        self.voices = [
            Voice(f"P{number}", tuple(group["said"]), frozenset(group["perhaps"]))
            for number, group in enumerate(groups)
        ]

    def print_of(self, sound: Samples) -> Print:
        found = self._encoder.of(sound)
        assert found is not None, "each recording has enough speech"
        return found

    def commands(self) -> dict[str, Samples]:
        return {name: sound[:COMMAND] for name, sound in self.sounds.items() if len(sound) >= SHORTEST}

    def halves(self) -> Scores:
        long = [sound for sound in self.sounds.values() if len(sound) >= HALVED]
        first, last = (
            np.stack([self.print_of(sound[part]) for sound in long]) for part in (slice(COMMAND), slice(-COMMAND, None))
        )
        all_ = first @ last.T
        return Scores([*map(float, np.diag(all_))], [*map(float, all_[~np.eye(len(long), dtype=bool)])])

    def learnt(self) -> Scores:
        """Each voice from any three of its recordings: the next ones behind the one that is asked with."""
        asked = {name: self.print_of(sound) for name, sound in self.commands().items()}
        whole = {name: self.print_of(self.sounds[name]) for voice in self.voices for name in voice.said}
        own, others = list[float](), list[float]()
        for voice in self.voices:
            for place, name in enumerate(voice.said):
                behind = [voice.said[(place + step) % len(voice.said)] for step in range(1, PHRASES + 1)]
                own += [float(_mean(whole, behind) @ asked[name])] if name in asked else []
            kept = _mean(whole, voice.learnt_from)
            others += [float(kept @ asked[name]) for name in asked if self.is_other(voice, name)]
        return Scores(own, others)

    def is_other(self, voice: Voice, name: str) -> bool:
        return name not in voice.said and name not in voice.perhaps


def _mean(prints: dict[str, Print], names: Sequence[str]) -> Print:
    middle = np.mean([prints[name] for name in names], axis=0)
    found: Print = middle / np.linalg.norm(middle)
    return found


def equal_error(scores: Scores) -> tuple[float, float]:
    """The rate at which as many own voices are refused as others are taken, and the likeness at which that is so."""
    best = min(sorted({*scores.own, *scores.others}), key=lambda at: abs(_refused(scores, at) - _taken(scores, at)))
    return (_refused(scores, best) + _taken(scores, best)) / 2, best


def _refused(scores: Scores, at: float) -> float:
    return float(np.mean(np.array(scores.own) < at))


def _taken(scores: Scores, at: float) -> float:
    return float(np.mean(np.array(scores.others) >= at))


def rates(scores: Scores, likeness: float) -> Row:
    error, at = equal_error(scores)
    return {
        "own": len(scores.own),
        "others": len(scores.others),
        "equal_error_pct": round(100 * error, 2),
        "at": round(at, 3),
        "refused_pct": round(100 * _refused(scores, likeness), 2),
        "taken_pct": round(100 * _taken(scores, likeness), 2),
        "taken": sum(score >= likeness for score in scores.others),
    }


def facts_told(people: People, encoder: DVector, folder: Path, likeness: float) -> Row:
    """Of FACTS private facts, those that come out when somebody else asks; and what a voice takes of a core."""
    known = KnownVoices(encoder, VoicePrints(folder / "voices", SPEAKER), likeness, "en")
    for voice in people.voices:
        known.learn(voice.name, [people.sounds[name] for name in voice.learnt_from])
    heard, told, ms, now = "", 0, list[float](), datetime.now().astimezone()
    choose, commands = random.Random(46), people.commands()
    with Store(folder / "appliance.db") as store:
        memory = SqliteMemory(store)
        asked = ByVoice(memory, lambda: heard)
        for number in range(FACTS):
            voice = people.voices[number % len(people.voices)]
            fact = memory.save(f"The secret word number {number} is plum.", "user", now, person=voice.name)
            name = choose.choice([each for each in commands if people.is_other(voice, each)])
            began_s = time.thread_time()
            heard = known.who(commands[name]).name
            ms.append(1_000 * (time.thread_time() - began_s))
            found = [each.text for each in [*asked.nearest(fact.text, 5), *asked.facts(person=voice.name)]]
            told += fact.text in [*found, *(each.text for each in asked.search(fact.text, 5))]
    return {"n": FACTS, "told": told, "core_ms": results.spread([round(each, 1) for each in ms])}


def main(argv: Sequence[str] | None = None) -> int:
    whole = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m bench.speaker", description=__doc__, formatter_class=whole)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--config", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as state:
        chosen = command.settings_of(Path(state), config=options.config)
        likeness = chosen.speaker.likeness
        encoder = DVector(Catalog(chosen.models).path(SPEAKER))
        people = People(options.folder, encoder)
        row = results.head() | {
            "likeness": likeness,
            "halves": rates(people.halves(), likeness),
            "learnt": rates(people.learnt(), likeness),
            "facts": facts_told(people, encoder, Path(state), likeness),
        }
    for part in ("halves", "learnt", "facts"):
        print(f"{part}: {row[part]}")
    print(results.kept(row, KIND))
    return 0


if __name__ == "__main__":
    exit_with(main)
