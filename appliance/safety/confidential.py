"""Lines whose speaker asks that nothing of them be kept: "off the record", "between you and me"."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import yaml


def is_confidential(text: str, language: str) -> bool:
    """Whether a line says so; in a language without a row in confidential.yaml the English one is asked."""
    return _pattern(language).search(text.replace("’", "'")) is not None


@cache
def _pattern(language: str) -> re.Pattern[str]:
    rows = yaml.safe_load(resources.files("appliance.safety").joinpath("confidential.yaml").read_text("utf-8"))
    return re.compile(rf"(?<!\w)(?:{rows.get(language) or rows['en']})(?!\w)", re.IGNORECASE)
