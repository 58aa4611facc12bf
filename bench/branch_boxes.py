"""The boxes of bench/branches.py: real skills, store, bridge and MCP server, around a model that was loaded before."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from appliance import build, settings_file
from appliance.ports import LanguageModel
from appliance.records import TurnRecord
from appliance.reply.router import SERVER_ENDS
from appliance.settings import Settings
from appliance.terminal.chat import quiet
from bench import town_server
from bench.box import ANSWER_S, Box, News

HERE = Path(__file__).parent
FILE = "box.toml"
"""What `config` writes."""
DOCUMENTS = {"boiler": "The boiler is serviced each May by Fairweather and Sons. Its filter has to be rinsed in June."}
SERVER_MODEL = "smollm2-135m"
"""Of the LAN server; what it says counts for nothing."""
SERVER_TOKENS = 8_192
"""Its context: what LanModel assumes of a server."""
NO_TOOLS = {
    "chat_template": (
        "{% if tools %}{{ tool_use() }}{% endif %}{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
        "{{ message['content'] }}{% if not loop.last %}<|im_end|>\n{% endif %}{% endfor %}"
    ),
    "bos_token": "<|endoftext|>",
    "eos_token": "<|im_end|>",
}
"""A chat template that cannot render tools, as those of models without them: the server then answers with an error."""
NOT_HERE = "qwen2.5-1.5b"
"""A model of the manifest that nobody fetched: sentences need none."""
PATIENCE_S = 300.0
TOOL_S = 2.0
"""`reply.tool_timeout_s`: nobody waits long for what hangs."""
LOOK_S = 0.1


class Parts(build.Parts):
    """The appliance, around a model on board that stays; without one it loads its own."""

    def __init__(self, settings: Settings, model: LanguageModel | None, stack: ExitStack) -> None:
        super().__init__(settings, build.clock(settings), quiet, stack)
        if model:
            vars(self)["local_llm"] = model


def config(folder: Path) -> Path:
    """The settings file of a box with documents, a skill of its owner's, and an MCP server."""
    (documents := folder / "documents").mkdir()
    for name, text in DOCUMENTS.items():
        (file := documents / f"{name}.txt").write_text(text)
        os.utime(file, (0, 0))  # one that was written just now is not read yet
    tables: dict[str, dict[str, Any]] = {
        "documents": {"folder": str(documents)},
        "skills": {"own": str(HERE / "own_skills")},
        "bridge": {"socket": str(folder / "bridge.sock")},
        "reply": {"tool_timeout_s": TOOL_S, "plan_timeout_s": PATIENCE_S},  # a plan is late on a busy machine
        "mcp.town": {"command": [sys.executable, str(HERE / "town_server.py")]},
        **{f"mcp.town.tools.{name}": {"effect": "read"} for name in town_server.names()},
    }
    lines = ['place = "Utrecht, Netherlands"']
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    (made := folder / FILE).write_text("\n".join([*lines, ""]))
    return made


def changed(settings: Settings, tables: Mapping[str, Mapping[str, Any]]) -> Settings:
    """With other values in some of its tables."""
    before = settings.model_dump()
    return Settings.model_validate(before | {name: before[name] | dict(table) for name, table in tables.items()})


@contextmanager
def box(settings: Settings, model: LanguageModel | None, connected: bool = False) -> Iterator[Parts]:
    """One on which nobody has ever said anything. connected: with the tools of its MCP server, by a running bridge."""
    with tempfile.TemporaryDirectory() as state, ExitStack() as stack:
        made = Parts(settings.model_copy(update={"state": Path(state)}), model, stack)
        if made.settings.documents.folder:
            for chore in made.skills.chores:
                chore(lambda: True)
        if connected:
            coming = made.skills.coming
            assert coming
            until(lambda: len(coming()) >= len(town_server.names()), "the MCP server's tools never came")
        yield made


@contextmanager
def bridge(file: Path) -> Iterator[None]:
    """`appliance bridge run`, as va-bridge.service starts it."""
    command = [sys.executable, "-m", "appliance", "bridge", "run", "--config", str(file)]
    path = settings_file.load(file).bridge.socket
    assert path
    with _running(command):
        until(path.exists, "the bridge did not start")
        yield


@contextmanager
def server(settings: Settings) -> Iterator[Settings]:
    """llama.cpp's own server as the model of a box, one that takes no tools."""
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        (template := Path(folder, "tokenizer.json")).write_text(json.dumps(NO_TOOLS))
        options = {
            "model": build.catalog(settings).path(SERVER_MODEL), "host": "127.0.0.1", "port": port,
            "n_ctx": SERVER_TOKENS, "n_threads": settings.thought.threads,
            "chat_format": "hf-tokenizer-config", "hf_tokenizer_config_path": template,
        }  # fmt: skip
        command = [sys.executable, "-m", "llama_cpp.server"]
        command += [str(word) for name, value in options.items() for word in (f"--{name}", value)]
        free.close()
        with _running(command):
            until(lambda: _accepts(port), "the model server did not start")
            thought = {"server": f"http://127.0.0.1:{port}/v1", "server_model": "local"}
            yield changed(settings, {"thought": thought})


def aloud(folder: Path, line: str, press: bool) -> TurnRecord:
    """The whole service with its own voice and no model, its ears and loudspeaker doubles (bench/box.py): one turn.

    press: its button, as soon as the first words are there. Raises TimeoutError.
    """
    (config := folder / "aloud.toml").write_text(f'[thought]\nmodel = "{NOT_HERE}"\n')
    asked, pressed = list[str](), list[News]()

    def take(news: News) -> None:
        if press and asked and news.kind == "voiced" and not pressed:
            pressed.append(news)
            service.order(press=True)

    with Box(folder / "aloud", config, take, ["--own-voice"]) as service:
        service.ready()
        asked.append(line)  # before, it tells that it has no model
        service.order(say=line)
        record = service.until("record", ANSWER_S)
        service.end()
    if record is None:
        raise TimeoutError(f"the service gave no record of: {line}")
    return TurnRecord.model_validate(record.value)


def lose_index(settings: Settings) -> None:
    """Take the full-text index out of a box's database from outside, as a damaged file may have lost it."""
    with closing(sqlite3.connect(settings.database, timeout=PATIENCE_S)) as other:
        other.execute("DROP TABLE memory_words")


def await_withdrawn(parts: Parts, record: TurnRecord) -> None:
    """Until the box knows that a tool is gone which its server withdrew in that turn."""
    name = f"town{SERVER_ENDS}{town_server.GOES}"
    coming = parts.skills.coming
    if coming and any(step.tool == name for step in record.steps):
        until(lambda: name not in {tool.name for tool in coming()}, f"{name} never went")


def until(holds: Callable[[], bool], otherwise: str) -> None:
    """Raises TimeoutError."""
    ends_s = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > ends_s:
            raise TimeoutError(otherwise)
        time.sleep(LOOK_S)


def _accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextmanager
def _running(command: list[str]) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)
