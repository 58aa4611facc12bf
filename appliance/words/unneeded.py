"""Keeps a library from bringing along what it never needs here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def unneeded(name: str) -> Iterator[None]:
    """Imports within find an empty module `name`, unless the real one is loaded already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = ModuleType(name)
    try:
        yield
    finally:
        del sys.modules[name]
