"""The command line that both evaluations share, and the settings that a measurement asks for."""

from __future__ import annotations

import argparse
from pathlib import Path

from appliance import settings_file
from appliance.settings import Settings


def parser(module: str, description: str | None, only: str) -> argparse.ArgumentParser:
    """`only`: what the option of that name picks."""
    made = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    made.add_argument("--only", default="", metavar="TEXT", help=f"{only}; no row is written")
    made.add_argument("--model", metavar="NAME", help="another language model")
    made.add_argument("--profile", metavar="NAME")
    made.add_argument("--config", type=Path, metavar="FILE")
    made.add_argument("--show-held-out", action="store_true", help="show what was held out too; it is then spent")
    return made


def settings_of(
    state: Path, *, config: Path | None = None, profile: str | None = None, model: str | None = None
) -> Settings:
    """`model`: another language model than that of file and profile."""
    chosen = settings_file.load(config, profile, state)
    thought = chosen.thought.model_copy(update={"model": model or chosen.thought.model})
    return chosen.model_copy(update={"thought": thought})
