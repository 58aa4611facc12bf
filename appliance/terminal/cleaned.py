"""What is personal, taken out of settings, of reports and of the journal before somebody else reads them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from appliance.records import TurnRecord

SET, REMOVED = "(set)", "(removed)"
USUAL = {Path("/var/lib/va"), Path("/srv/va/models"), Path("/run/va-work/va.prom")}
"""Places on an installed box."""
LEFT_OUT = "(left out)"
CODE = 3
"""Letters of the code of a language or a country: nobody is known by it."""
SHORT = 4

_QUOTED = re.compile(r"""(?<!\w)(["']).*?\1(?!\w)""")
"""Messages quote what an owner wrote."""
_CHOICES = re.compile(r"(?<=one of: ).*|(?<=: )[\w.]+ = .*")
"""Messages end in what there is to choose from, such as the names of sound devices, or quote a line of the settings."""
_PATH = re.compile(r"(?<![\w.])/(?!(?:dev|etc|opt|proc|run|srv|sys|usr|var)\b)(?:\(removed\)|[^\s:;,)\"'])+")
"""Of somebody's own folders."""
_ENTRY = re.compile(r"(?P<head>\S+ [\w@.-]+(?:\[\d+\])?: )(?P<text>.*)")
"""A line of journalctl -o short-iso --no-hostname: time, program, text."""
_OURS = re.compile(r"(?P<head>(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<logger>[\w.]+): )(?P<message>.*)")
"""A line of a service's log."""
OUTSIDE = re.compile(r"(?!appliance\.)|appliance\.(?:skills|reply\.understanding)\b")
"""Loggers of others, and those that tell of an owner's own skills, in the words of those."""
_STACK = re.compile(
    r'\s*(?:File "[^"]*", line \d+,? in \S+|Traceback \(.*|(?:Current t|T)hread 0x\w+ .*|Fatal Python .*)'
)
_RAISED = re.compile(r"[\w.]*(?:Error|Exception|Exit|Interrupt)\b(?=:|$)")
"""How a traceback ends; what follows it may hold anybody's words."""


def settings(chosen: BaseModel, known: Collection[str]) -> tuple[dict[str, Any], set[str]]:
    """Numbers, switches, choices, codes and what is as we ship it; of all other texts whether they are set.

    And the texts that were left out: they may stand in other places as well.  known: ours, such as names of models.
    """
    shown, removed = dict[str, Any](), set[str]()
    for name, field in type(chosen).model_fields.items():
        value = getattr(chosen, name)
        if isinstance(value, BaseModel):
            shown[name], more = settings(value, known)
        elif _is_ours(value, field, known):
            shown[name], more = value, set()
        else:
            shown[name], more = f"({len(value)} set)" if isinstance(value, dict | list) else SET, {*_texts(value)}
        removed |= more
    return shown, removed


def _is_ours(value: Any, field: FieldInfo, known: Collection[str]) -> bool:
    if isinstance(value, Path):
        return value in USUAL
    if get_origin(field.annotation) is Literal or value == field.get_default(call_default_factory=True):
        return True
    each = value if isinstance(value, list) else [value]
    return not any(
        isinstance(one, dict | BaseModel | Path) or (isinstance(one, str) and _is_own(one, known)) for one in each
    )


def _is_own(text: str, known: Collection[str]) -> bool:
    """Of the owner's own wording."""
    return len(text) > CODE and text not in known


def _texts(value: Any) -> Iterator[str]:
    """Every one within; of a path also the folders it lies in."""
    if isinstance(value, BaseModel):
        yield from _texts([*value.model_dump().values()])
    elif isinstance(value, dict):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, Path):
        yield from (str(path) for path in (value, *value.parents) if len(path.parts) > 2)
    elif isinstance(value, str):
        yield value


class Cleaner:
    """Takes texts out of whatever it is given."""

    def __init__(self, terms: Iterable[str]) -> None:
        longest_first = sorted((term for term in terms if term.strip()), key=len, reverse=True)
        self._terms = re.compile("|".join(map(_found, longest_first)) or r"(?!)", re.IGNORECASE)

    def clean(self, value: Any) -> Any:
        """Every text within."""
        if isinstance(value, dict):
            return {key: self.clean(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.clean(each) for each in value]
        return self._terms.sub(REMOVED, value) if isinstance(value, str) else value

    def message(self, text: str) -> str:
        """A sentence of ours, without what it quotes."""
        text = str(self.clean(text))
        for pattern in (_QUOTED, _CHOICES, _PATH):
            text = pattern.sub(REMOVED, text)
        return text

    def journal(self, lines: Iterable[str]) -> str:
        """Each line without anybody's words; what is no line of ours is left out, of tracebacks the places stay."""
        return "".join(f"{self._entry(line)}\n" for line in lines)

    def _entry(self, line: str) -> str:
        if not (entry := _ENTRY.fullmatch(line)):
            return LEFT_OUT
        return f"{entry['head']}{self._line(entry['text'], entry['head'].split()[1].startswith('systemd'))}"

    def _line(self, text: str, is_systemd: bool) -> str:
        if ours := _OURS.fullmatch(text):
            return f"{ours['head']}{self._said(ours['logger'], ours['message'])}"
        if _STACK.fullmatch(text):
            return str(self.clean(text))
        if raised := _RAISED.match(text):
            return raised[0]
        return self.message(text) if is_systemd else LEFT_OUT

    def _said(self, logger: str, message: str) -> str:
        if OUTSIDE.match(logger):
            return LEFT_OUT
        return _record(message) if message.startswith("{") else self.message(message)


def _found(term: str) -> str:
    """The pattern of it; a short one as a word alone, for it stands in others by chance."""
    return re.escape(term) if len(term) > SHORT else rf"(?<!\w){re.escape(term)}(?!\w)"


def _record(line: str) -> str:
    try:
        return TurnRecord.model_validate_json(line).as_log()
    except ValidationError:
        return LEFT_OUT
