"""The models by name: which ones the settings use, where their verified files are, and how they come here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import BadSettings, ModelDamaged, ModelMissing
from appliance.models import choice, fetch, manifest
from appliance.models.fetch import Progress, Wanted
from appliance.models.manifest import File, Model
from appliance.models.store import FETCH, ModelStore
from appliance.settings import Settings

WAKE_FEATURES = "wake/features"
SPEECH = "silero-vad"
TURN_END = "smart-turn-v3.2"
SPEAKER = "d-vector"
ENCYCLOPEDIA = "encyclopedia"
"""Before the language: what the skill of that name reads."""


@dataclass(frozen=True)
class Row:
    """One model, as `appliance models list` and `verify` show it."""

    name: str
    role: str
    licence: str
    bytes: int
    state: str
    """here, absent or damaged."""
    what: str = ""
    """What is wrong, with its remedy; empty when it is here."""
    files: tuple[tuple[str, ...], ...] = ()
    """Of each file, the places in a store where it may lie."""
    hashed_at: str = ""
    """The day on which every byte of it was last read and found right, as 2026-11-27; empty when that is not known."""


class Catalog:
    def __init__(self, store: Path, manifest_file: Path | None = None) -> None:
        """`store`: the folder `settings.models`. `manifest_file`: None is the appliance's own."""
        self.models: dict[str, Model] = manifest.read(manifest_file)
        self._store = ModelStore(store)

    def model(self, name: str) -> Model:
        """Raises BadSettings."""
        if name not in self.models:
            raise BadSettings(f"there is no model {name!r}", remedy=f"choose one of: {', '.join(self.models)}")
        return self.models[name]

    def path(self, name: str, key: str = "") -> Path:
        """The verified file of a model. Raises BadSettings, ModelMissing or ModelDamaged."""
        try:
            return self._store.find(_file(self.model(name), key))
        except ModelMissing:
            raise ModelMissing(f"model {name} is not here", remedy=FETCH) from None

    def paths(self, name: str) -> dict[str, Path]:
        """Key -> verified file, of all that a model has. Raises BadSettings, ModelMissing or ModelDamaged."""
        return {file.key: self.path(name, file.key) for file in self.model(name).files}

    def wanted(self, settings: Settings) -> list[str]:
        """Names of the models these settings use."""
        wake = [f"wake/{word}" for word in settings.ears.wake_words]
        heard = [choice.words(settings), *choice.voice_models(settings), *wake, WAKE_FEATURES, SPEECH, TURN_END]
        heard += [SPEAKER] if settings.speaker.on else []
        if settings.node.hub:  # which thinks, and reads up
            return heard
        reading = [name for name in [f"{ENCYCLOPEDIA}/{settings.words.language}"] if name in self.models]
        return [settings.thought.model, *heard, *reading]

    def voices(self) -> list[str]:
        """What `voice.model` may be, beside `auto`."""
        return [each.name for each in self.models.values() if each.role == "voice" and each.name != choice.NETWORK] + [
            choice.ESPEAK
        ]

    def fetch(self, names: Iterable[str], progress: Progress) -> None:
        """Bring what is absent or damaged. Raises BadSettings, PartMissing (disk) or ModelMissing."""
        wanted = [
            Wanted(f"{name}/{file.key}" if file.key else name, file)
            for name in dict.fromkeys(names)
            for file in self.model(name).files
        ]
        fetch.fetch(self._store, wanted, progress)

    def rows(self, names: Sequence[str] = (), *, fully: bool = False) -> list[Row]:
        """The state of these models, or of all. `fully` reads every byte, even if nothing changed since it last was."""
        return [self._row(self.model(name), fully) for name in names or self.models]

    def _row(self, model: Model, fully: bool) -> Row:
        state, what, hashed = "here", "", list[str]()
        try:
            for file in model.files:
                at = self._store.hashed_at(self._store.find(file, fully=fully))
                hashed.append(f"{at:%Y-%m-%d}" if at else "")
        except ModelMissing as error:
            state, what = "absent", str(error)
        except ModelDamaged as error:
            state, what = "damaged", str(error)
        size = sum(file.bytes for file in model.files)
        places = tuple(tuple(f"{sha256}/{file.name}" for sha256 in file.accepted) for file in model.files)
        return Row(model.name, model.role, model.licence, size, state, what, places, min(hashed, default=""))


def _file(model: Model, key: str) -> File:
    for file in model.files:
        if file.key == key:
            return file
    keys = ", ".join(file.key for file in model.files)
    raise BadSettings(f"model {model.name} has no file {key!r}", remedy=f"choose one of: {keys}")
