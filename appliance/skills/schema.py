"""One typed function becomes one tool: its signature is the schema, its docstring tells the model when to use it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from appliance.errors import BadArgument
from appliance.ports import Effect, MemoryUse, Spoken
from appliance.skills.written import FALLBACK, Words

_FILING = re.compile(r"(?P<verb>[a-z]+)_(?P<where>to|on|from|in|into)_(?P<place>[a-z]+)")
_ENDS = re.compile(r"[.!?]*\?$")
"""The end of a question, which may be behind a sentence of the user's."""


@dataclass(frozen=True, eq=False)
class FunctionTool:
    """Implements ports.Tool."""

    name: str
    description: str
    schema: dict[str, Any]
    effect: Effect
    function: Callable[..., str]
    arguments: type[BaseModel]
    """Checks what the model wrote."""
    untrusted: bool = False
    ask: str | Callable[..., str] = ""
    """The question before it runs, with the arguments' names in braces; or what gives it for the arguments."""
    ready: Callable[[], bool] = lambda: True
    """Whether there is anything for it to act on now."""
    memory: MemoryUse = ""
    order: str = ""
    """What it does, as said after "Shall I"; empty is told by its name. Set by the loader, as `language` is."""
    language: str = FALLBACK

    def question(self, arguments: dict[str, Any]) -> str:
        """What to ask before it runs with `arguments`; see ports.Tool."""
        return _ENDS.sub("?", self._asked(arguments))

    def _asked(self, arguments: dict[str, Any]) -> str:
        if not isinstance(self.ask, str):
            return self.ask(**self._checked(arguments))
        if self.ask and arguments.keys() >= self.schema.get("properties", {}).keys():
            return self.ask.format_map(arguments).replace("the the ", "the ")  # a name with its article
        return _filed(self, arguments) or _listed(self, arguments)

    def call(self, arguments: dict[str, Any]) -> str:
        """Run with the arguments that were given; null counts as not given. Raises BadArgument or CannotBeDone."""
        return self.function(**self._checked(arguments))

    def _checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            checked = self.arguments.model_validate(given)
        except ValidationError as error:
            raise BadArgument(_sentence(error.errors()[0], _words(self.language))) from None
        return {name: getattr(checked, name) for name in checked.model_fields_set}


@cache
def _words(language: str) -> Words:
    return Words(Path(__file__).parent, language)


def _filed(tool: FunctionTool, arguments: Mapping[str, Any]) -> str:
    """`add_to_list` of basil and shopping is to add basil to the shopping list; empty for other names."""
    found = None if tool.order else _FILING.fullmatch(tool.name)
    things = [value for key, value in arguments.items() if not found or key != found["place"]]
    if not found or len(things) != 1:
        return ""
    place = " ".join(filter(None, (arguments.get(found["place"]), found["place"])))
    return _words(tool.language).say(
        "ask_filed", verb=found["verb"], thing=things[0], where=found["where"], place=place
    )


def _listed(tool: FunctionTool, arguments: Mapping[str, Any]) -> str:
    words = _words(tool.language)
    given = [
        str(value) if isinstance(value, str) else words.say("number", value=value, name=_called(key, words, key))
        for key, value in arguments.items()
    ]
    order = tool.order or _order(tool.name, tool.description, words)
    return words.say("ask_with" if given else "ask", order=order, given=", ".join(given))


def _order(name: str, description: str, words: Words) -> str:
    """A name that begins with its verb tells what is done: `set_timer`; of others the description's first word."""
    first, _, thing = name.replace("_", " ").partition(" ")
    told = description.casefold().split()
    if first not in told and set(thing.split()) & set(told[:3]):
        return told[0]
    return words.say("order", verb=first, thing=thing) if thing else first


def _called(argument: str, words: Words, other: str) -> str:
    return str(words.phrases["names"].get(argument, other))


def _sentence(error: ErrorDetails, words: Words) -> str:
    """What a person is told of an argument that is wrong."""
    argument = str(error["loc"][0]) if error["loc"] else ""
    name = _called(argument, words, argument.replace("_", " ") or words.phrases["request"])
    told = {key: str(value).replace(" or ", words.phrases["or"]) for key, value in error.get("ctx", {}).items()}
    wrong: Mapping[str, str] = words.phrases["wrong"]
    return wrong.get(error["type"], wrong["other"]).format(name=name, **told)


def tool(
    function: Callable[..., str],
    effect: Effect,
    *,
    untrusted: bool = False,
    ask: str | Callable[..., str] = "",
    ready: Callable[[], bool] = lambda: True,
    memory: MemoryUse = "",
) -> FunctionTool:
    """`function` has annotated parameters; `Annotated[..., Field(ge=..., description=...)]` sets range and meaning.

    untrusted: its results come from outside the device.  ask: what to ask before it runs, such as "Forget {what}?", or
    a function of the same parameters; it may raise as the tool does, and gives nothing where no leave is needed.
    ready: whether there is anything for it to act on now.
    """
    signature = inspect.signature(function, eval_str=True)
    fields: dict[str, Any] = {
        name: (parameter.annotation, Field() if parameter.default is parameter.empty else Field(parameter.default))
        for name, parameter in signature.parameters.items()
    }
    rules = ConfigDict(extra="forbid", str_strip_whitespace=True, allow_inf_nan=False, coerce_numbers_to_str=True)
    arguments: type[BaseModel] = create_model(function.__name__, __config__=rules, **fields)
    description = (inspect.getdoc(function) or "").partition("\n\n")[0]
    schema = _schema(arguments)
    return FunctionTool(
        function.__name__, description, schema, effect, function, arguments, untrusted, ask, ready, memory
    )


class _Line(BaseModel):
    said: str = ""


def answering(name: str, say: Callable[[str], Spoken]) -> FunctionTool:
    """A tool that no model calls: `say` gives the sentence for a line that means it."""
    return FunctionTool(name, "", _schema(_Line), "read", lambda said="": say(said), _Line)


def _schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """pydantic's own, without titles, and without defaults: a small model would write them out."""
    full = arguments.model_json_schema()
    properties = {
        name: {key: value for key, value in part.items() if key not in ("title", "default")}
        for name, part in full.get("properties", {}).items()
    }
    return {"type": "object", "properties": properties, "required": full.get("required", [])}
