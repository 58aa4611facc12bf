"""In place of a button and a light that are not there."""

from __future__ import annotations

from collections.abc import Callable


class NoLight:
    def set(self, red: float, green: float, blue: float) -> None: ...

    def close(self) -> None: ...


class NoButton:
    def listen(self, changed: Callable[[bool], None]) -> None: ...

    def close(self) -> None: ...
