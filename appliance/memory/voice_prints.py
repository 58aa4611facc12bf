"""Voice prints on disk: a file for each person, that nobody but the service may read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import numpy as np

from appliance import whole_file
from appliance.errors import StoreUnusable
from appliance.ports.speaker import Print

SUFFIX = ".voice"


class VoicePrints:
    """Implements ports.speaker.Prints. Not in the database: so no backup and no export of it holds them."""

    def __init__(self, folder: Path, encoder: str) -> None:
        """folder: made with the first print.  encoder: what the prints are made by; those of another one count not."""
        self._folder, self._encoder = folder, encoder

    def all(self) -> dict[str, Print]:
        with self._used():
            found = [self._read(path) for path in sorted(self._folder.glob(f"*{SUFFIX}"))]
        return dict(each for each in found if each is not None)

    def keep(self, name: str, learnt: Print) -> None:
        told = {"name": name, "encoder": self._encoder, "print": [round(float(value), 6) for value in learnt]}
        with self._used():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            whole_file.write(self._path(name), json.dumps(told, ensure_ascii=False).encode())
            whole_file.sync_folder(self._folder.parent)

    def forget(self, name: str) -> bool:
        with self._used():
            try:
                self._path(name).unlink()
            except FileNotFoundError:
                return False
            whole_file.sync_folder(self._folder)
        return True

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name.casefold(), safe='')}{SUFFIX}"

    def _read(self, path: Path) -> tuple[str, Print] | None:
        """None for what another encoder made, or nobody did: that voice is not known any more."""
        try:
            told = json.loads(path.read_bytes())
            learnt = np.array(told["print"], dtype=np.float32)
            name, encoder = str(told["name"]), told["encoder"]
        except (ValueError, KeyError, TypeError):
            return None
        return (name, learnt) if encoder == self._encoder and learnt.ndim == 1 and learnt.size else None

    @contextmanager
    def _used(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            what = f"the voice prints in {self._folder} cannot be used ({error.strerror})"
            raise StoreUnusable(what, remedy="check the disk, and who owns that folder") from None
