"""`python -m bench.voice`: how fast the voice of the settings is: its first piece, its effort, its memory.

One row: for each number of threads, the median of clauses of three lengths. `effort` is the seconds of making for a
second of sound, by the clock and of the processor, which says more on a machine that does other things as well.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from dataclasses import asdict, dataclass
from statistics import median

from appliance import build, settings_file
from appliance.settings import Settings
from bench import results

CLAUSES = (
    "It is a quarter past nine.",
    "Your next appointment is on Thursday, with the dentist.",
    "Somebody has put the good cups on the table by the window, and the kettle is on as well.",
)
REPEATS = 5


@dataclass(frozen=True)
class Speed:
    threads: int
    first_s: float
    """To the first piece of the shortest clause."""
    effort: float
    effort_core: float
    peak_mb: int
    """Resident, of the whole process so far."""
    told: str
    """Why another voice said the rest: on a machine with no time to spare the figures are that one's."""


def measure(chosen: Settings, threads: int) -> Speed:
    voice = chosen.voice.model_copy(update={"threads": threads})
    with build.parts(chosen.model_copy(update={"voice": voice}), build.clock(chosen)) as parts:
        took = [_took(parts, clause) for _ in range(REPEATS) for clause in CLAUSES]
        told = parts.voices.told
    firsts = [first for first, *_ in took[:: len(CLAUSES)]]
    efforts = [(wall / sound, core / sound) for _, wall, core, sound in took]
    wall, core = (round(median(each), 3) for each in zip(*efforts, strict=True))
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000
    return Speed(threads, round(median(firsts), 3), wall, core, peak_mb, told)


def _took(parts: build.Parts, clause: str) -> tuple[float, float, float, float]:
    """Seconds to the first piece, of making, of the processor, and of sound."""
    began_s, core_s, first_s, sound_s = time.perf_counter(), time.process_time(), 0.0, 0.0
    for piece in parts.synthesizer.synthesize(clause):
        first_s = first_s or time.perf_counter() - began_s
        sound_s += piece.seconds
    return first_s, time.perf_counter() - began_s, time.process_time() - core_s, sound_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--voice", default="", help="one of `appliance say --list`")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    chosen = settings_file.load()
    if options.voice:
        chosen = chosen.model_copy(update={"voice": chosen.voice.model_copy(update={"model": options.voice})})
    row = results.new(chosen) | {"speed": [asdict(measure(chosen, threads)) for threads in options.threads]}
    print(json.dumps(row))


if __name__ == "__main__":
    main()
