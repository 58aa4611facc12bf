"""What models were taught for this work: a LoRA adapter in `lora/` for each, made by models/make_lora.py."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).with_name("lora")


def adapter_of(model: str) -> Path | None:
    """model: its name in the manifest, which means one file and no other."""
    path = FOLDER / f"{model}.gguf"
    return path if path.is_file() else None
