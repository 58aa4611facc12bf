"""The whole sentences of every skill, laid beside what is written for reading any line.

A list, phrase or rule of one skill is for its own sentences alone: two skills may each have a rule `timer`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml
from hassil.parse_expression import parse_sentence
from hassil.parser import ParseError

from appliance.reply.languages import LOADER

log = logging.getLogger(__name__)

SECTIONS = ("lists", "phrases", "rules", "requests")
_REFERENCE = re.compile(r"\{(?P<at>@?)(?P<list>\w+)(?P<slot>:\w+)?\}|<(?P<rule>\w+)>")
"""hassil's `{list}`, `{list:argument}` and `{@phrase}`; and `<rule>`."""


def with_skills(base: dict[str, Any], language: str, folders: Sequence[Path]) -> dict[str, Any]:
    """`base` (a file of sentences/) with the sections of `<folder>/<language>.yaml` of each folder added.

    A file that cannot be read is logged and left out; a request that a folder before it has stays as that has it.
    """
    merged = {**base, **{name: dict(base.get(name, {})) for name in SECTIONS}}
    for number, folder in enumerate(folders):
        path = folder / f"{language}.yaml"
        if not path.is_file():
            continue
        try:
            added = _own_names(_sections(path), f"of{number}_")
        except (OSError, UnicodeDecodeError, yaml.YAMLError, ParseError, ValueError) as error:
            log.error("%s is left out (%s); correct it", path, " ".join(str(error).split()))
            continue
        for name in SECTIONS:
            merged[name] |= {key: value for key, value in added[name].items() if key not in merged[name]}
    return merged


def _sections(path: Path) -> dict[str, dict[str, Any]]:
    """Raises ValueError for what is no such file, ParseError for a rule that hassil cannot read."""
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER) or {}
    found = {name: data.get(name) or {} for name in SECTIONS} if isinstance(data, dict) else {}
    if not found or set(data) - set(SECTIONS) or not all(isinstance(each, dict) for each in found.values()):
        raise ValueError(f"it may have the tables {', '.join(SECTIONS)}, and nothing else")
    for rule in found["rules"].values():
        parse_sentence(rule)
    return found


def _own_names(sections: dict[str, dict[str, Any]], prefix: str) -> dict[str, dict[str, Any]]:
    """With `prefix` before the names of its lists, phrases and rules, where they stand and where they are used."""
    lists, rules = sections["lists"].keys() | sections["phrases"].keys(), sections["rules"].keys()

    def renamed(found: re.Match[str]) -> str:
        name = found["list"]
        if found["rule"]:
            return f"<{prefix}{found['rule']}>" if found["rule"] in rules else found[0]
        if name not in lists:
            return found[0]
        return f"{{{found['at']}{prefix}{name}{found['slot'] or ('' if found['at'] else f':{name}')}}}"

    def mended(text: str) -> str:
        return _REFERENCE.sub(renamed, text)

    return {
        "lists": {f"{prefix}{name}": values for name, values in sections["lists"].items()},
        "phrases": {f"{prefix}{name}": said for name, said in sections["phrases"].items()},
        "rules": {f"{prefix}{name}": mended(text) for name, text in sections["rules"].items()},
        "requests": {intent: _each_sentence(body, mended) for intent, body in sections["requests"].items()},
    }


def _each_sentence(intent: dict[str, Any], mended: Callable[[str], str]) -> dict[str, Any]:
    """Raises ValueError for a request that is not written as hassil has it."""
    try:
        blocks = intent["data"]
        return {**intent, "data": [{**each, "sentences": [*map(mended, each["sentences"])]} for each in blocks]}
    except (KeyError, TypeError):
        raise ValueError("a request is written as data: [{sentences: [...]}]") from None
