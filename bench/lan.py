"""A local network of several machines on this one: a network namespace for each, joined by a bridge. Needs root."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType


def possible() -> bool:
    """Whether this process may make namespaces."""
    if os.geteuid() or not shutil.which("ip"):
        return False
    name = f"va{os.getpid() % 100_000}-try"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return tried.returncode == 0


class Loopback:
    """In its place where none can be made: an address of this machine for each, and no leads. A context manager."""

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers = {name: number for number, name in enumerate(names, 1)}

    def __enter__(self) -> Loopback:
        return self

    def __exit__(self, *_: object) -> None: ...

    def address(self, name: str) -> str:
        return f"127.0.77.{self._numbers[name]}"

    def within(self, name: str) -> list[str]:
        return []

    def cut(self, name: str) -> None: ...

    def mend(self, name: str) -> None: ...


class Lan:
    """A context manager; at its end nothing of it is left. Of two at a time each needs a subnet of its own."""

    def __init__(self, names: Sequence[str], subnet: int = 77) -> None:
        """subnet: of 10.subnet.0.0/24."""
        self._prefix, self._subnet = f"va{os.getpid() % 100_000}", subnet
        self._numbers = {name: number for number, name in enumerate(names, 1)}
        self._stack = ExitStack()

    def __enter__(self) -> Lan:
        try:
            self._namespace("lan")
            _ip("-n", self._of("lan"), "link", "add", "lan", "type", "bridge")
            _ip("-n", self._of("lan"), "link", "set", "lan", "up")
            for name in self._numbers:
                self._plug_in(name)
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def address(self, name: str) -> str:
        return f"10.{self._subnet}.0.{self._numbers[name]}"

    def within(self, name: str) -> list[str]:
        """What stands before a command that is to run on that machine."""
        return ["ip", "netns", "exec", self._of(name)]

    def cut(self, name: str) -> None:
        """Pull its lead: nothing is refused, nothing gets through."""
        _ip("-n", self._of("lan"), "link", "set", self._lead(name), "down")

    def mend(self, name: str) -> None:
        _ip("-n", self._of("lan"), "link", "set", self._lead(name), "up")

    def _plug_in(self, name: str) -> None:
        self._namespace(name)
        lead, own, lan = self._lead(name), self._of(name), self._of("lan")
        _ip("-n", lan, "link", "add", lead, "type", "veth", "peer", "name", "eth0", "netns", own)
        _ip("-n", lan, "link", "set", lead, "master", "lan", "up")
        _ip("-n", own, "address", "add", f"{self.address(name)}/24", "dev", "eth0")
        _ip("-n", own, "link", "set", "eth0", "up")

    def _namespace(self, name: str) -> None:
        _ip("netns", "add", self._of(name))
        self._stack.callback(_ip, "netns", "del", self._of(name))
        _ip("-n", self._of(name), "link", "set", "lo", "up")

    def _of(self, name: str) -> str:
        return f"{self._prefix}-{name}"

    def _lead(self, name: str) -> str:
        return f"to{self._numbers[name]}"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
