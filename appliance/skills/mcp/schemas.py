"""The schema of a server's tool, reduced to what a plan can write, and the way back for the arguments.

A plan writes text, numbers, truths and choices. Several of one kind are written as one text with commas; whatever else
a parameter takes, it is left out where it may be, and the tool is where it may not. All names and texts are a server's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

SCALARS = ("string", "number", "integer", "boolean")
MOST_PARAMETERS, MOST_OPTIONS, MOST_OPTION_CHARS, MOST_MEANING_CHARS = 8, 20, 40, 40
"""As much as a small model can mind, and as its prompt has room for (judgements)."""
DEEPEST = 4
"""References followed one after the other, and unions within unions."""
SEVERAL = "several, with commas"
_STRANGE = re.compile(r"[^a-z0-9_]+")

Clean = Callable[[str, int], str]


class Unusable(Exception):
    """A plan cannot write what the tool wants; the text names it in a few words."""


@dataclass(frozen=True)
class Parameter:
    name: str
    """As the server has it."""
    kind: str
    """One of SCALARS."""
    several: bool = False
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reduced:
    schema: dict[str, Any]
    """With names that are identifiers."""
    parameters: Mapping[str, Parameter]
    """By those names."""

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """As the server has them; what is no parameter is left out. Raises ValueError, naming one that is wrong."""
        return {
            self.parameters[name].name: _value(name, self.parameters[name], value)
            for name, value in given.items()
            if name in self.parameters and value is not None
        }


def reduced(schema: Mapping[str, Any], clean: Clean) -> Reduced:
    """clean: takes out of a text what could pass for a mark. Raises Unusable, also for what is no schema at all."""
    properties, required = _object(schema)
    shown, parameters = dict[str, Any](), dict[str, Parameter]()
    for name in sorted(properties, key=lambda each: each not in required):
        safe = _STRANGE.sub("_", name.casefold()).strip("_")
        try:
            if not safe or safe in shown or len(shown) >= MOST_PARAMETERS:
                raise Unusable("too many parameters")
            shown[safe], parameters[safe] = _parameter(name, properties[name], name in required, schema, clean)
        except Unusable as error:
            if name in required:
                raise Unusable(f"{error} ({clean(name, MOST_OPTION_CHARS)})") from None
    needed = [safe for safe, parameter in parameters.items() if parameter.name in required]
    return Reduced({"type": "object", "properties": shown, "required": needed}, parameters)


def _object(schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Its properties, and the names of those that are required. Raises Unusable."""
    properties, required = schema.get("properties") or {}, schema.get("required") or []
    if not isinstance(properties, dict) or not isinstance(required, list):
        raise Unusable("no object")
    if not all(isinstance(name, str) and name in properties for name in required):
        raise Unusable("a parameter that it does not tell of")
    return properties, required


def _parameter(
    name: str, told: Any, required: bool, schema: Mapping[str, Any], clean: Clean
) -> tuple[dict[str, Any], Parameter]:
    """What the model reads of it, and the way back."""
    part = _plain(told, schema)
    several = part.get("type") == "array"
    item = _plain(part.get("items"), schema) if several else part
    options = _options(item, clean)
    kind = "string" if options else item.get("type")
    if kind not in SCALARS:
        raise Unusable(f"what is no text, number, truth or choice: {clean(str(kind), MOST_OPTION_CHARS)}")
    if several:
        shown: dict[str, Any] = {"type": "string", "description": SEVERAL}
    elif options:
        shown = {"type": "string", "enum": list(options)}
    else:
        shown = {"type": kind, **_meaning(part, required, clean), **_of_a_number(part, required)}
    return shown, Parameter(name, kind, several, options)


def _meaning(part: Mapping[str, Any], required: bool, clean: Clean) -> dict[str, str]:
    """Of what must be given: the others are told by their names."""
    meaning = part.get("description")
    told = required and isinstance(meaning, str)
    return {"description": clean(" ".join(str(meaning).split()), MOST_MEANING_CHARS)} if told else {}


def _of_a_number(part: Mapping[str, Any], required: bool) -> dict[str, Any]:
    """A number that may be left out must have been said: "said" is what grounding looks for (reply/ground.py)."""
    if part.get("type") not in ("number", "integer"):
        return {}
    least = part.get("minimum")
    found = {"minimum": least} if isinstance(least, int | float) and not isinstance(least, bool) else {}
    return found if required else found | {"said": True}


def _plain(part: Any, schema: Mapping[str, Any], depth: int = 0) -> Mapping[str, Any]:
    """Behind references, and of a union the first that is not null. Raises Unusable."""
    if not isinstance(part, dict) or depth > DEEPEST:
        raise Unusable("what cannot be followed")
    if "$ref" in part:
        return _plain(_referred(str(part["$ref"]), schema), schema, depth + 1)
    for key in ("anyOf", "oneOf"):
        if isinstance(ways := part.get(key), list):
            way = next((each for each in ways if isinstance(each, dict) and each.get("type") != "null"), None)
            return {**part, key: None, **_plain(way, schema, depth + 1)}
    if isinstance(kinds := part.get("type"), list):
        return {**part, "type": next((kind for kind in kinds if kind != "null"), None)}
    return part


def _referred(to: str, schema: Mapping[str, Any]) -> Any:
    place: Any = schema
    for step in to.removeprefix("#/").split("/"):
        place = place.get(step) if isinstance(place, dict) else None
    return place


def _options(part: Mapping[str, Any], clean: Clean) -> tuple[str, ...]:
    """Of a choice between texts; those that cleaning changes could not be sent back, and are none."""
    options = part.get("enum", [part["const"]] if "const" in part else [])
    texts = [each for each in options if isinstance(each, str)] if isinstance(options, list) else []
    if len(texts) > MOST_OPTIONS:
        return ()
    usable = tuple(each for each in texts if each and '"' not in each and clean(each, MOST_OPTION_CHARS) == each)
    if texts and not usable:
        raise Unusable("a strange choice")
    return usable


def _value(name: str, parameter: Parameter, value: Any) -> Any:
    """Raises ValueError with the parameter's name."""
    if parameter.several:
        parts = value if isinstance(value, list) else str(value).split(",")
        return [_scalar(name, parameter, str(part).strip()) for part in parts if str(part).strip()]
    return _scalar(name, parameter, value)


def _scalar(name: str, parameter: Parameter, value: Any) -> Any:
    try:
        if parameter.kind == "integer" and float(value) == int(float(value)):
            return int(float(value))
        if parameter.kind == "number":
            return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(name) from None
    if parameter.kind == "boolean" and isinstance(value, bool):
        return value
    if parameter.kind == "string" and (not parameter.options or value in parameter.options):
        return str(value)
    raise ValueError(name)
