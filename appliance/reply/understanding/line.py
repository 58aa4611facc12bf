"""What is known of a line before its tools are."""

from __future__ import annotations

from dataclasses import dataclass

from appliance.reply.understanding.conditions import Conditional

LOOKUP = "lookup"


@dataclass(frozen=True)
class Line:
    text: str
    digits: str
    """With its numbers in digits."""
    quantity: bool
    """A number or a length was said."""
    counted_before: bool
    """A number stands in what was said last."""
    measured: bool
    """A unit of measurement was named."""
    intended: dict[str, float]
    """Tool -> how likely it is meant, 0 to 1; empty where no intents are known."""
    tested: dict[str, float]
    ordered: dict[str, float]
    """The same of what an order hangs on, and of that order."""
    condition: Conditional | None
    conditional: bool
    recent: bool
    """Only the news could tell."""
    chat: bool
    asks: bool
    """A question stands behind what it tells."""
    calm: float
    """How likely it calls for no tool, 0 to 1."""
    idle: bool
    """It most likely calls for none, whatever words are in it."""
    bare: bool
    strange: bool
    """It names something that not everybody knows."""

    @property
    def open_to(self) -> frozenset[str]:
        """The encyclopaedia, where a question stands behind what tells of something that not everybody knows."""
        return frozenset({LOOKUP} if self.asks and self.strange else ())
