"""Two hubs and six nodes, each a machine of its own in a network namespace, killed and cut at random: `make nodes`.

The real server, store, turns and nodes; a table in the place of the model. Each conversation has two orders: one that
is done on the hub (something is put on a list there) and one that the hub has done on the node (its curtain is opened).
Each must end in its own answer or in an honest error, whatever is said must be so, and nothing may be done twice. Hubs
and nodes are killed by SIGKILL; a lead is pulled, so that what is sent is neither taken nor refused. Needs root. Exit
code 1 where anything was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Lock, Thread

from appliance.hub.tokens import Tokens
from appliance.wording import said
from bench import exit_with, lan, nodes_hub, nodes_node, results
from bench.nodes_process import LATE_S, Process
from bench.results import Row

TIMES = 500
HUBS, NODES = ("hub1", "hub2"), ("node1", "node2", "node3", "node4", "node5", "node6")
HUB_OF = dict(zip(NODES, HUBS * 3, strict=True))
PORT = 18_770
EACH = {"cut": 4, "kill a node": 15, "kill a hub": 10}
"""A fault -> after how many conversations, on average, it happens again."""
CUT_S = (0.2, 4.0)
AGAIN_S = 3.0
"""After an error, once the hub is there again, before somebody asks for something else. A node looks every 10 s."""
STEADY = 6
"""Orders that a hub has answered since it was started, before it is killed again."""
NOT_DONE = ("hub_lost", "hub_busy", "hub_refused")
"""Sentences with which an act is not done."""
ERRORS = {said(name, "en"): name for name in (*NOT_DONE, "hub_failed", "hub_unknown")}
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"


def word(number: int) -> str:
    """Of no other number, and no word that anybody knows."""
    syllables = ""
    for _ in range(4):
        number, least = divmod(number, len(CONSONANTS) * len(VOWELS))
        syllables += CONSONANTS[least % len(CONSONANTS)] + VOWELS[least // len(CONSONANTS)]
    return syllables


@dataclass
class Asked:
    """One order, and what came of it."""

    number: int
    node: str
    where: str
    """hub, or node."""
    came: str
    """done, killed, wrong, or the name of an error."""
    said: str = ""


@dataclass
class Book:
    asked: list[Asked] = field(default_factory=list)
    late: int = 0

    def wrongs(self, items: Counter[str], acts: Counter[int]) -> dict[str, list[Asked]]:
        """items: on the lists of both hubs.  acts: of all nodes."""
        found: dict[str, list[Asked]] = {"crossed": [], "lost": [], "twice": [], "untrue": []}
        for each in self.asked:
            times = items[word(each.number)] if each.where == "hub" else acts[each.number]
            if each.came == "wrong":
                found["crossed"].append(each)
            if each.came == "done" and not times:
                found["lost"].append(each)
            if times > 1:
                found["twice"].append(each)
            if each.came in NOT_DONE and times:
                found["untrue"].append(each)
        return found


class Nodes:
    """A context manager: the network, and all its machines."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self._folder, self._rng, self._stack = folder, rng, ExitStack()
        self.book, self.faults = Book(), Counter[str]()
        self._lock, self._over = Lock(), Event()
        self._lan: lan.Lan | lan.Loopback = (lan.Lan if lan.possible() else lan.Loopback)([*HUBS, *NODES])
        self._processes: dict[str, Process] = {}

    def __enter__(self) -> Nodes:
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self) -> None:
        self._stack.enter_context(self._lan)
        for name in (*HUBS, *NODES):
            (self._folder / name).mkdir()
        for hub in HUBS:
            self._made(hub, "nodes_hub", self._lan.address(hub), str(PORT))
        for node, hub in HUB_OF.items():
            token = Tokens(nodes_hub.settings(self._folder / hub).hub.folder).add(node, "satellite")
            nodes_node.prepare(self._folder / node, f"http://{self._lan.address(hub)}:{PORT}", token)
            self._made(node, "nodes_node")
        with ThreadPoolExecutor(len(self._processes)) as starting:
            [*starting.map(Process.start, self._processes.values())]

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for process in self._processes.values():
            process.close()
        self._stack.close()

    def run(self, times: int) -> Row:
        """So many conversations, with all faults; then what hubs and nodes hold is compared with what was said."""
        numbers: Queue[int] = Queue()
        for number in range(1, times + 1):
            numbers.put(number)
        began_s = time.monotonic()
        with ThreadPoolExecutor(len(NODES)) as talking:
            [*talking.map(lambda node: self._talk(node, numbers), NODES)]
        took_s = time.monotonic() - began_s
        wrongs = self.book.wrongs(self._items(), self._acts())
        came = Counter(f"{each.where}: {each.came}" for each in self.book.asked)
        for what, found in wrongs.items():
            for each in found:
                print(what, each, file=sys.stderr)
        row = {"conversations": times, "took_s": round(took_s), "faults": dict(self.faults), "came": dict(came)}
        return row | {what: len(found) for what, found in wrongs.items()} | {"late": self.book.late}

    def _made(self, name: str, module: str, *arguments: str) -> None:
        command = [sys.executable, "-m", f"bench.{module}", str(self._folder / name), *arguments]
        self._processes[name] = Process(self._lan.within(name) + command, self._folder / f"{name}.log")

    def _talk(self, node: str, numbers: Queue[int]) -> None:
        """As long as there are conversations left."""
        while True:
            try:
                number = numbers.get_nowait()
            except Empty:
                return
            self._break_something(node)
            kept = self._order(number, node, "hub", f"add {word(number)} to the shopping list", word(number), True)
            if kept:
                line = f"please open the curtain by {number} percent, it is dark in this room"
                self._order(number, node, "node", line, f"Curtain {number} it is.", False)

    def _order(self, number: int, node: str, where: str, line: str, fits: str, begins: bool) -> bool:
        """Whether the node is still the one that was asked."""
        asked = Asked(number, node, where, "killed")
        self.book.asked.append(asked)
        try:
            answer = self._processes[node].ask({"line": line, "begins": begins})
        except TimeoutError as error:
            self.book.late += 1
            print(error, file=sys.stderr)
            answer = None
        if answer is None:
            self._processes[node].start()
            return False
        asked.said = answer["said"]
        done = fits.casefold() in asked.said.casefold() and "already" not in asked.said
        asked.came = "done" if done else ERRORS.get(asked.said, "wrong")
        hub = self._processes[HUB_OF[node]]
        if done:
            hub.answers += 1
        else:
            hub.ready.wait(LATE_S)
            self._over.wait(AGAIN_S)
        return True

    def _break_something(self, node: str) -> None:
        """Now and then, in a moment: while the conversation goes on."""
        with self._lock:
            due = [fault for fault, each in EACH.items() if self._rng.random() < 1 / each]
            if "kill a hub" in due and self._processes[HUB_OF[node]].answers < STEADY:
                due.remove("kill a hub")
            plans = [(fault, self._rng.uniform(0, 0.5), self._rng.uniform(*CUT_S)) for fault in due]
            self.faults.update(due)
        for fault, after_s, for_s in plans:
            Thread(target=self._fault, args=(fault, node, after_s, for_s), daemon=True).start()

    def _fault(self, fault: str, node: str, after_s: float, for_s: float) -> None:
        hub = HUB_OF[node]
        if self._over.wait(after_s):
            return
        if fault == "kill a node":
            self._processes[node].kill()
        elif fault == "kill a hub":
            self._start_again(hub)
        else:
            self._lan.cut(node)
            self._over.wait(for_s)
            self._lan.mend(node)

    def _start_again(self, hub: str) -> None:
        try:
            self._processes[hub].start()
        except TimeoutError as error:
            if not self._over.is_set():
                self.book.late += 1
                print(error, file=sys.stderr)

    def _items(self) -> Counter[str]:
        found = Counter[str]()
        for hub in HUBS:
            with sqlite3.connect(nodes_hub.settings(self._folder / hub).database) as database:
                bodies = database.execute("SELECT body FROM items WHERE skill = 'lists'").fetchall()
            found.update(entry["text"] for (body,) in bodies for entry in json.loads(body)["entries"])
        return found

    def _acts(self) -> Counter[int]:
        return Counter(act for node in NODES for act in nodes_node.acts(self._folder / node))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.nodes", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not lan.possible():
        print("network namespaces cannot be made here; run it as root", file=sys.stderr)
        return 2
    with (
        tempfile.TemporaryDirectory(prefix="nodes-") as folder,
        Nodes(Path(folder), random.Random(options.seed)) as nodes,
    ):
        row = results.head() | {"seed": options.seed} | nodes.run(options.times)
    print(results.kept(row, "nodes"))
    print(json.dumps({key: row[key] for key in ("conversations", "faults", "came", *WRONG)}))
    return 1 if any(row[key] for key in WRONG) else 0


WRONG = ("crossed", "lost", "twice", "untrue", "late")

if __name__ == "__main__":
    exit_with(main)
