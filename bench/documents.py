"""`python -m bench.documents [MB]`: a folder of that size, read whole: time, memory, and how soon a search answers.

The files are texts of made-up words, for which the index is at its largest; a PDF of the same size holds less text.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from appliance.skills.documents.index import Index
from appliance.skills.documents.keeper import Keeper
from appliance.skills.documents.tools import DocumentTools
from appliance.skills.written import Words

SKILL = Path(__file__).parents[1] / "appliance" / "skills" / "documents"
WORDS, FILE_BYTES, SEARCHES = 20_000, 1_000_000, 50


def write(folder: Path, size_mb: int) -> list[str]:
    """Files of 1 MB each; returns the words they are made of, some far more frequent than others."""
    rng = random.Random(43)
    words = ["".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randint(3, 10))) for _ in range(WORDS)]
    weights = [1 / at for at in range(1, WORDS + 1)]
    for number in range(size_mb):
        text = " ".join(rng.choices(words, weights, k=FILE_BYTES // 7))
        sentences = ". ".join(text[at : at + 90] for at in range(0, len(text), 90))
        (folder / f"{number}.txt").write_text(sentences[:FILE_BYTES])
    return words


def main() -> None:
    size_mb = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as home:
        folder, state = Path(home, "papers"), Path(home, "state")
        folder.mkdir()
        words = write(folder, size_mb)
        index = Index(state)
        began_s = time.monotonic()
        Keeper(folder, index, {}, settled_s=0).tend(lambda: True)
        took_s = time.monotonic() - began_s
        own_mb, other_mb = _peak_mb(resource.RUSAGE_SELF), _peak_mb(resource.RUSAGE_CHILDREN)
        print(f"{size_mb} MB in {took_s:.0f} s; index {index.path.stat().st_size / 1e6:.0f} MB")
        print(f"memory at most: {own_mb:.0f} MB of this process, {other_mb:.0f} MB of the one that reads")
        print(f"searches: {_searches(DocumentTools(index, Words(SKILL, 'en')), words)}")


def _peak_mb(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1e3


def _searches(tools: DocumentTools, words: list[str]) -> str:
    took_s, rng = list[float](), random.Random(44)
    for _ in range(SEARCHES):
        began_s = time.monotonic()
        tools.search_documents(" ".join([words[rng.randrange(100)], *rng.choices(words, k=2)]))
        took_s.append(time.monotonic() - began_s)
    return f"median {statistics.median(took_s) * 1e3:.0f} ms, slowest {max(took_s) * 1e3:.0f} ms"


if __name__ == "__main__":
    main()
