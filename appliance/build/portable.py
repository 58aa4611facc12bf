"""What is remembered, out of the box and into it, an entry a line of JSON (memory/portable.py)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex
from typing import Any

from appliance.errors import BadArgument, StoreUnusable, WrongUse
from appliance.ports import Answer, Entry, MemoryStore

SKILL, IMPORT = "memory", "import"
"""The command that has the running service take in a staged file: the skill, then its first word."""
_STAGED = re.compile(r"import-[0-9a-f]{16}\.jsonl")
_SPOKEN_KEYS = ("text", "heard", "said")
"""Of an entry: what somebody said, out of which secrets are taken, as out of a line."""


def lines(entries: Iterable[Entry]) -> Iterator[str]:
    return (json.dumps(entry, ensure_ascii=False) for entry in entries)


@contextmanager
def staged(state: Path, source: Iterable[str]) -> Iterator[str]:
    """The name of a file in the state folder, where the service may read it, with `source` in it; gone with the block.

    Raises StoreUnusable.
    """
    for left in state.glob("import-*.jsonl"):  # of an import that was killed
        with suppress(OSError):
            left.unlink()
    path = state / f"import-{token_hex(8)}.jsonl"
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.writelines(source)
        yield path.name
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be written ({error.strerror})", remedy="run: appliance doctor") from None
    finally:
        with suppress(OSError):
            path.unlink()


def take_in(memory: MemoryStore, state: Path, name: str, region: str) -> Answer:
    """All of a staged file, or nothing. Raises WrongUse, StoreUnusable."""
    if not _STAGED.fullmatch(name):
        raise WrongUse(f"{name!r} is no staged file", remedy="run: appliance memory import FILE")
    try:
        with (state / name).open(encoding="utf-8") as file:
            counts = memory.take_in([*_entries(file, region)])
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"the file cannot be read ({error})", remedy="give what an export wrote") from None
    except BadArgument as error:
        raise WrongUse(error.what.rstrip("."), remedy=error.remedy) from None
    told = f"new: {counts.facts} facts, {counts.exchanges} exchanges, {counts.days} days"
    return Answer(said=told, rows=[asdict(counts)])


def _entries(file: Iterable[str], region: str) -> Iterator[Entry]:
    """Raises WrongUse for a line that is no JSON object."""
    from appliance.safety.redact import redact

    def clean(value: Any) -> Any:
        if isinstance(value, list):
            return [clean(each) for each in value]
        if not isinstance(value, dict):
            return value
        spoken = {key: redact(text, region) for key in _SPOKEN_KEYS if isinstance(text := value.get(key), str)}
        return {key: clean(each) for key, each in value.items()} | spoken

    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict):
            raise WrongUse(f"line {number} is no JSON object", remedy="give what an export wrote, one entry a line")
        yield clean(entry)
