"""The box in a terminal: keys in, the light out."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator

from appliance.build.simulation import simulated
from appliance.service.states import IN_CALL, State
from appliance.terminal.simulate import KEYS, Panel, play

FASTER = 5


def slowly(keys: str) -> Iterator[str]:
    for key in keys:
        yield key
        time.sleep(0.8)


def test_every_state_is_seen_and_a_long_hold_ends_it() -> None:
    out = io.StringIO()
    panel = Panel(out)
    with simulated(panel, FASTER) as world:
        play(world, slowly("wsnt uuhh"))
        until_s = time.monotonic() + 20
        world.hold()
        while not world.over:
            assert time.monotonic() < until_s, out.getvalue()
            time.sleep(0.01)
    told = out.getvalue()
    seen = {state for state in State if f"  {state.name.lower():<10} " in told}
    assert seen == set(State) - {*IN_CALL}, "a box alone has nobody to call"
    assert all(text in told for text, _ in KEYS.values())
    for line in told.splitlines():
        assert not ("(0.00 0.00 0.00)" in line and "microphone open" in line)


def read_until(source: int, text: str) -> str:
    shown, ends_s = "", time.monotonic() + 20
    while text not in shown:
        assert time.monotonic() < ends_s, shown
        shown += os.read(source, 4096).decode(errors="replace")
    return shown


def test_it_is_drawn_in_colour_on_a_terminal() -> None:
    here, there = pty.openpty()
    command = [sys.executable, "-m", "appliance", "simulate"]
    with subprocess.Popen(command, stdin=there, stdout=there) as process:
        os.close(there)
        read_until(here, "microphone open")
        os.write(here, b" ")
        shown = read_until(here, "listening")
        assert "\033[38;2;0;140;255m\u2b24" in shown, "blue"
        os.write(here, b"q")
        assert process.wait(timeout=10) == 0
    os.close(here)
