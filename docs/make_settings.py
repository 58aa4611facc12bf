"""docs/settings.md from appliance/settings.py and the profiles: `python docs/make_settings.py > docs/settings.md`.

It is of the settings beside this folder, whatever is installed.
"""

from __future__ import annotations

import ast
import inspect
import sys
import typing
from collections.abc import Collection
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance import settings
from appliance.boards import hats, profiles

HEAD = """\
# Settings

Made from `appliance/settings.py` by `docs/make_settings.py`; a test holds the two together.

One file: that of `--config`, else `/etc/voice-appliance/config.toml`, else the user's
`~/.config/voice-appliance/config.toml`. A wrong value stops the start and says which; the service reads it when it
starts (`sudo systemctl restart va`). Keys without a table go above the first `[table]`. `make models`, `demo`, `run`,
`test`, `eval` and `bench` pass over the one in `/etc`, so that they run beside an installed appliance without root.

In the environment: `VOICE_APPLIANCE_CONFIG` is as good as `--config`, `VOICE_APPLIANCE_MODELS` takes the place of
`models`; `XDG_CONFIG_HOME` and `XDG_CACHE_HOME` move the folders of settings, models and wheels.

Over the defaults lie those of the board (`appliance/profiles.toml`; `profile` is chosen by the board), over these those
of a sound hat (`appliance/hats.toml`), then what was chosen on [the hub's page](reference.md#chosen-on-the-page), and
over all the owner's file.
"""
_MADE = {
    "state": "`~/.local/state/voice-appliance`",
    "models": "`~/.cache/voice-appliance/models`",
    "folder": "`~/.local/state/voice-appliance/hub`",
}
"""Defaults that are made where they are needed."""
_LIMITS = {"Ge": "{} or more", "Gt": "more than {}", "Le": "at most {}", "Lt": "less than {}"}


def main() -> None:
    print(HEAD)
    print(_table("(top)", settings.Settings, {"mcp", "channels"}))
    for name, field in settings.Settings.model_fields.items():
        if _is_table(field.annotation):
            print(f"\n{_table(f'[{name}]', typing.cast(type[BaseModel], field.annotation))}")
    print(f"\n{_table('[ears.by_word.NAME]', settings.WakeWord)}")
    print(f"\n{_table('[[thought.servers]]', settings.ModelServer)}")
    print(f"\n{_table('[reply.roles.NAME]', settings.Role)}")
    print(f"\n{_table('[channels.NAME]', settings.ChannelTable)}")
    print(f"\n{_table('[mcp.NAME]', settings.McpServer)}")
    print(f"\n{_table('[mcp.NAME.tools.TOOL]', settings.McpTool)}")
    print("\n## What a board changes\n")
    print("| profile | table | keys |\n|---|---|---|")
    for profile, tables in sorted(profiles().items()):
        for table, keys in tables.items():
            print(f"| {profile} | `[{table}]` | {_keys(keys)} |")
    print("\n## What a sound hat changes\n")
    print("| `body.hat` | keys of `[body]` |\n|---|---|")
    for hat, keys in hats().items():
        print(f"| `{hat}` | {_keys(keys)} |")


def _keys(values: dict[str, Any]) -> str:
    return ", ".join(f"`{key} = {_written(value)}`" for key, value in values.items())


def _table(title: str, model: type[BaseModel], elsewhere: Collection[str] = ()) -> str:
    """elsewhere: keys whose tables have a heading of their own."""
    told = _docstrings(model)
    rows = [f"## {title}\n", "| key | default | range | is |", "|---|---|---|---|"]
    for name, field in model.model_fields.items():
        if not _is_table(field.annotation) and name not in elsewhere:
            rows.append(f"| `{name}` | {_default(name, field)} | {_range(field)} | {told.get(name, '')} |")
    return "\n".join(rows)


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Key -> the text below it in the source, on one line."""
    body = typing.cast(ast.ClassDef, ast.parse(inspect.getsource(model)).body[0]).body
    texts = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            told = " ".join(str(text.value.value).split())
            texts[typing.cast(ast.Name, field.target).id] = told.replace("|", "or")
    return texts


def _default(name: str, field: FieldInfo) -> str:
    if field.default_factory is not None:
        return _MADE[name]
    return "" if field.is_required() or field.default is None else f"`{_written(field.default)}`"


def _written(value: Any) -> str:
    """As TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_written(each)}' for key, each in value.items())}}}"
    return f'"{value}"' if isinstance(value, str | Path) else f"{value:_}" if isinstance(value, int) else str(value)


def _range(field: FieldInfo) -> str:
    if typing.get_origin(field.annotation) is Literal:
        return ", ".join(typing.get_args(field.annotation))
    found = {type(each).__name__: each for each in field.metadata}
    limits = {name: getattr(found[name], name.lower()) for name in _LIMITS if name in found}
    if {"Ge", "Le"} <= limits.keys():
        return f"{limits['Ge']:_} to {limits['Le']:_}"
    return ", ".join(_LIMITS[name].format(f"{value:_}") for name, value in limits.items())


def _is_table(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


if __name__ == "__main__":
    main()
