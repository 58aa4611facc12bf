"""A node as one process: lines come in as JSON, and what came of each goes out."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path

from appliance import build
from appliance.audio import never
from appliance.build.noded import NodeParts
from appliance.settings import Settings
from appliance.terminal.chat import quiet
from appliance.tts.text import TextMouth

DEADLINE_S = 20.0
CURTAIN = '''
import os
from appliance.ports import Skill, Spoken
from appliance.skills.schema import tool


def make(context):
    def open_curtain(percent: int) -> str:
        """Open the curtain of this room so far, in percent."""
        file = os.open(context.settings.state / "curtain", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, f"{percent}\\n".encode())
        os.close(file)
        return Spoken(f"The curtain is open by {percent} percent.")

    return Skill("curtain", tools=[tool(open_curtain, "act")])
'''
"""What this node does itself; each act is a line of its file."""


def prepare(folder: Path, hub: str, token: str) -> None:
    """folder: of the node.  hub: its address."""
    (own := folder / "own" / "curtain").mkdir(parents=True)
    (own / "__init__.py").write_text(CURTAIN)
    (folder / "token").touch(0o600)
    (folder / "token").write_text(token)
    (folder / "hub").write_text(hub)


def acts(folder: Path) -> list[int]:
    file = folder / "curtain"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def main(folder: Path) -> None:
    """Until standard input ends, or it is killed."""
    node = {"hub": (folder / "hub").read_text(), "token_file": folder / "token", "room": "kitchen"}
    chosen = Settings.model_validate(
        {
            "state": folder,
            "models": folder / "none",
            "node": node,
            "skills": {"own": folder / "own"},
            "thought": {"deadline_s": DEADLINE_S},
        }
    )
    with ExitStack() as stack:
        parts = NodeParts(chosen, build.clock(chosen), quiet, stack)
        engine = parts.engine
        print(json.dumps({"ready": True}), flush=True)
        for number, told in enumerate(map(json.loads, sys.stdin), 1):
            if told["begins"]:
                parts.conversation.begin()
            record = engine.reply(number, told["line"], "voice", TextMouth(), never)
            engine.after(never)
            print(json.dumps({"said": record.said, "lane": record.lane}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
