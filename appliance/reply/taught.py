"""What models were taught for this work: LoRA adapters in `lora/`, made by models/training/make_lora.py."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

FOLDER = Path(__file__).with_name("lora")
PARTS = ("", ".talk")
"""Of the file names: what serves behind the plan's head, and behind that of talk. The third head, the world's, is for
the model as its makers left it (reading.py)."""


def adapters_of(model: str) -> tuple[Path, ...]:
    """One for each of those heads, in their order, as far as there are any.

    model: its name in the manifest, one file's alone.
    """
    return tuple(takewhile(Path.is_file, (FOLDER / f"{model}{part}.gguf" for part in PARTS)))
