"""A hub as one process: the real server, and behind its socket the real service with a model that is a table."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

from appliance import build
from appliance.audio import Stale
from appliance.build import hub as building
from appliance.build import hubbed
from appliance.build.typed import typed_parts
from appliance.hub.serve import listener
from appliance.ports import Grammar, Message, Usage
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedModel

FRAME_S = 0.05
ORDER = re.compile(r"the curtain by (\d+) percent")
MANY = 100_000
"""Requests of one node a minute: nobody here is to be kept from asking."""


class CurtainModel(CannedModel):
    """Calls the curtain's tool with the number in the line, then says that number."""

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        lines = [message for message in prompt if message.turn_begins and ORDER.search(message.text)]
        number = ORDER.findall(lines[-1].text)[-1] if lines else "0"
        done = bool(lines) and any(message is lines[-1] for message in prompt[:-1])
        self._texts = [f"say Curtain {number} it is." if done else f"open_curtain(percent={number})"]
        yield from super().generate(prompt, grammar, limit, usage, stale)


def settings(folder: Path) -> Settings:
    """folder: of this hub, kept over its ends."""
    hub = {"folder": folder / "hub", "core_socket": folder / "core.sock", "per_minute": MANY}
    return Settings.model_validate(
        {"state": folder / "state", "models": folder / "none", "memory": {"final_step": False}, "hub": hub}
    )


def main(folder: Path, address: str, port: int) -> None:
    """Until it is killed. "ready" on standard output once it answers."""
    chosen, stack = settings(folder), ExitStack()
    chosen.state.mkdir(exist_ok=True)
    chosen.hub.core_socket.unlink(missing_ok=True)
    core, vitals = socket.socket(socket.AF_UNIX), Vitals()
    core.bind(str(chosen.hub.core_socket))
    core.listen()
    with typed_parts(chosen, build.clock(chosen), lambda text: None, FRAME_S) as parts, stack:
        vars(parts)["llm"] = CurtainModel()
        ended, watch = hubbed.opened([core], parts, vitals, lambda record, moments: None, stack)
        service = stack.enter_context(parts.service(ended, vitals, watch=watch))
        Thread(target=service.run, daemon=True).start()
        asyncio.run(_serve(chosen, address, port))


async def _serve(chosen: Settings, address: str, port: int) -> None:
    serving = building.serving(chosen, building.made(chosen))
    await serving.run([listener(address, port)], lambda: print("ready", flush=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
