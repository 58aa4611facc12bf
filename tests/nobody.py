"""A thinker for what is not about answers."""

from __future__ import annotations

from collections.abc import Callable

from appliance.audio import Stale
from appliance.ports import Mouth, Order, OrderOutcome
from appliance.records import TurnRecord


class Nobody:
    """A `Thinker` that has nothing to say; `on_reply` is called first."""

    def __init__(self) -> None:
        self.on_reply: Callable[[], object] = lambda: None

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None: ...

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        self.on_reply()
        return TurnRecord(turn=turn, conversation="", outcome="silent")

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        return "done", ""

    def await_answer(self, order: Order) -> None: ...

    def after(self, stale: Stale) -> None: ...

    def reflect(self, stale: Stale) -> bool:
        return False
