"""What the model may call, and what comes back."""

from __future__ import annotations

from typing import Any, Literal, Protocol


class Spoken(str):
    """A tool's result that is a sentence for the ear, to be said as it is; a plain `str` is data for the model."""


class TakenBack(Spoken):
    """A sentence that what was done before is taken back: that is no deed of its own."""


class Followed(Spoken):
    """A sentence that a call of another tool follows at once."""

    tool: str
    arguments: dict[str, Any]

    def __new__(cls, text: str, tool: str, arguments: dict[str, Any]) -> Followed:
        made = super().__new__(cls, text)
        made.tool, made.arguments = tool, arguments
        return made


class Elsewhere(str):
    """The id of a call that is carried out elsewhere: the turn goes on once its result was brought."""

    name: str
    """Of the tool, as whoever carries it out knows it; so are the arguments."""
    arguments: dict[str, Any]

    def __new__(cls, id: str, name: str, arguments: dict[str, Any]) -> Elsewhere:
        made = super().__new__(cls, id)
        made.name, made.arguments = name, arguments
        return made


Effect = Literal["read", "act", "irreversible"]
"""What a tool does to the world: nothing, something, something that cannot be undone."""


MemoryUse = Literal["", "recall", "keep", "forget"]
"""What a tool does with memory: nothing, reads it, writes what was said into it, takes something out of it."""


class Tool(Protocol):
    """Something the model may call."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """Tells the model when to use it; one or two sentences."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments: an object with `properties` and `required`."""
        ...

    @property
    def effect(self) -> Effect: ...

    @property
    def untrusted(self) -> bool:
        """Whether its results come from outside the device."""
        ...

    @property
    def memory(self) -> MemoryUse: ...

    def ready(self) -> bool:
        """Whether there is anything for it to act on now."""
        ...

    def question(self, arguments: dict[str, Any]) -> str:
        """What to ask before it runs with `arguments`; it names them, or what they mean. Empty: no leave is needed now.

        Raises BadArgument or CannotBeDone where it could not run.
        """
        ...

    def call(self, arguments: dict[str, Any]) -> str:
        """Check `arguments` and run. Returns Spoken or plain data. Raises BadArgument or CannotBeDone."""
        ...
