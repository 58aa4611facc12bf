"""A box that nothing has happened to, and the row that its figures go into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import card
import debian
import pytest
import vm

from bench import results


@contextmanager
def row(name: str, **more: object) -> Iterator[results.Row]:
    """Written at the end, whatever failed: what was measured until then, if anything was."""
    box = {"system": "Debian 12", "cores": vm.CORES, "memory_mb": vm.MEMORY_MB, "emulator": vm.version()}
    begun = results.head() | {"box": box, **more}
    head = set(begun)
    yield begun
    if begun.keys() > head:
        results.save(begun, name)


@contextmanager
def box(folder: Path, finish: Callable[[Path], None] = debian.as_it_is) -> Iterator[vm.Machine]:
    """Switched off, and nothing but what the card holds. `finish`: see card.write."""
    if todo := vm.missing():
        pytest.fail(f"nothing is shown here: {todo}")
    with vm.Machine(card.write(folder, vm.BOX, finish), folder) as made:
        yield made
