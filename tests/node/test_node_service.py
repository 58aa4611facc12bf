"""The whole service of a node: its ears, states and voice go on while its hub answers, hangs, or is away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC
from pathlib import Path
from threading import Thread

from hub_server import HubServer
from node_box import TypedNode, node_settings

from appliance.body.clock import SystemClock
from appliance.service.vitals import Vitals
from appliance.simulated.hub import SimulatedHub, result

PATIENCE_S = 30.0


class Running:
    def __init__(self, parts: TypedNode, said: list[str]) -> None:
        self.parts, self.said = parts, said

    def type(self, line: str) -> None:
        self.parts.ears.type(line)

    def says(self, words: str) -> bool:
        """Whether it does, within some seconds."""
        return comes(lambda: words in " ".join(" ".join(self.said).split()))


def comes(there: Callable[[], bool]) -> bool:
    ends_s = time.monotonic() + PATIENCE_S
    while not there() and time.monotonic() < ends_s:
        time.sleep(0.05)
    return there()


@contextmanager
def running(hub: SimulatedHub, state: Path, deadline_s: float) -> Iterator[tuple[Running, HubServer]]:
    said = list[str]()
    with HubServer(hub.app) as server, ExitStack() as stack:
        settings = node_settings(state, server.url, deadline_s)
        parts = TypedNode(settings, SystemClock(UTC), stack, said.append, frame_s=0.032, own_voice=False)
        with parts.service(lambda record, moments: None, Vitals()) as service:
            thread = Thread(target=service.run, daemon=True)
            thread.start()
            try:
                yield Running(parts, said), server
            finally:
                service.stop()
                thread.join()


def test_it_speaks_what_the_hub_says_and_asks_what_it_asks(tmp_path: Path) -> None:
    hub = SimulatedHub({"get me the score": [result(asks="Which game?"), result("They won.")]})
    hub.streams = True
    with running(hub, tmp_path, 20) as (box, _):
        box.type("get me the score")
        assert box.says("Which game?")
        box.type("the panthers")
        assert box.says("They won.")
        assert hub.asked[-1][1]["validation_response"] == "the panthers"


def test_a_hung_hub_holds_up_nothing_but_its_own_line(tmp_path: Path) -> None:
    hub = SimulatedHub()
    with running(hub, tmp_path, 12) as (box, server):
        box.type("set a pasta timer for four seconds")
        assert box.says("Pasta timer")
        hub.instead = ["hang"]
        box.type("tell me about the lighthouse")
        assert comes(lambda: "Your pasta timer is done." in " ".join(box.said)), "it rings while the hub hangs"
        box.type("stop")
        server.stop()
        box.type("set the volume to 30 percent")
        assert comes(lambda: box.parts.volume.level == 30)
        box.type("tell me about the lighthouse")
        assert box.says("I cannot reach my hub right now.")
