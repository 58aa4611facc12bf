"""Questions of the world at large, in `questions/`: `make_sure` is fitted on the first file; `bench.quiz` asks both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).with_name("questions")
FILES = ("first", "second")


class Question(BaseModel):
    model_config = ConfigDict(extra="forbid")
    say: str
    key: str = ""
    """A regular expression that is found in every right answer; none where nobody can know."""
    unknowable: Literal["", "unheard_of", "changes"] = ""


def questions(names: Sequence[str]) -> list[Question]:
    """Of the files of those names."""
    rows = (row for name in names for row in yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8")))
    return [Question.model_validate(row) for row in rows]
