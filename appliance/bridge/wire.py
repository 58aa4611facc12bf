"""What goes over the bridge's socket: one JSON object a line, in both directions.

{"follow": "home"} asks for all that is known of a provider, and for its news from then on. News is {"of": "home",
"kind": "link", "is": ..}. A question is {"id": 7, "to": "home", "do": "call", "with": {..}, "within": 5.0}, in seconds.
Its answer is {"id": 7, "is": ..}, or, where it cannot be done, {"id": 7, "no": "it is locked", "remedy": "unlock it",
"better": true}; "better" means that better arguments would help.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from appliance.errors import BadArgument, CannotBeDone, ToolError
from appliance.json_lines import MOST_BYTES, line, value, written

__all__ = ["MOST_BYTES", "Question", "answer", "line", "question", "refusal", "value", "written"]

LONGEST_S = 600.0
"""For which an answer may be waited."""


class Question(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    id: int
    to: str
    do: str
    arguments: dict[str, Any] = Field({}, alias="with")
    within: float = Field(5, gt=0, le=LONGEST_S)


def question(number: int, provider: str, what: str, within_s: float, arguments: dict[str, Any]) -> bytes:
    """Raises ValueError where it is too long."""
    return line({"id": number, "to": provider, "do": what, "with": arguments, "within": within_s})


def refusal(number: int, error: ToolError) -> bytes:
    better = isinstance(error, BadArgument)
    return line({"id": number, "no": error.what, "remedy": error.remedy, "better": better})


def answer(told: dict[str, Any]) -> Any:
    """What was answered. Raises BadArgument, CannotBeDone."""
    if "no" not in told:
        return told.get("is")
    kind = BadArgument if told.get("better") else CannotBeDone
    raise kind(str(told["no"]), remedy=str(told.get("remedy", "")))
