"""A factory reset of what was remembered."""

from __future__ import annotations

import shutil
from pathlib import Path


def erase(database: Path, *folders: Path) -> None:
    """The database with all that stands beside it under its name (journal, lock, damaged predecessors), and `folders`.

    The process that holds the database goes on with a file without a name, and has to end soon. Flash keeps what was
    written until it is written over: gone here is what can be read by a name. Raises OSError.
    """
    for path in database.parent.glob(f"{database.name}*"):
        path.unlink(missing_ok=True)
    for folder in folders:
        if folder.exists():
            shutil.rmtree(folder)
