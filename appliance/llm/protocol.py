"""What the appliance and the process of its model tell each other: typed frames of JSON, each after its length.

One `Load` comes first; then any number of errands, each begun by one frame with a number of its own and ended by one
`Ended` with that number. They are run one after the other, in the order in which they came.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from appliance.errors import ApplianceError, Cancelled, ModelDamaged, ModelLost, PromptTooLong, TurnFailed, WrongUse
from appliance.ports import Message, ModelFacts, Rates, Usage
from appliance.reply.grammar import PlanGrammar
from appliance.reply.sentence import SentenceGrammar
from appliance.settings import Thought

_LENGTH = struct.Struct("!I")
_SECONDS = struct.Struct("@ll")
"""struct timeval."""
RAISED: dict[str, Callable[..., ApplianceError]] = {
    kind.__name__: kind for kind in (ModelDamaged, ModelLost, PromptTooLong, TurnFailed, WrongUse)
}
"""By name; besides, Cancelled may be."""


class _Frame(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Errand(_Frame):
    number: int = 0


class Load(_Frame):
    """Answered by Loaded, or by an Ended with the number 0."""

    kind: Literal["load"] = "load"
    model: Path
    settings: Thought
    snapshots: Path
    adapters: tuple[Path, ...]
    """Of what the model was taught: behind the first head, behind the second."""
    heads: tuple[tuple[Message, ...], ...] = ()
    """To be pinned at once."""
    log_level: int


class Pin(_Errand):
    kind: Literal["pin"] = "pin"
    heads: tuple[tuple[Message, ...], ...]


class Expect(_Errand):
    kind: Literal["expect"] = "expect"
    one: tuple[Message, ...]
    other: tuple[Message, ...]


class Generate(_Errand):
    kind: Literal["generate"] = "generate"
    prompt: tuple[Message, ...]
    grammar: PlanGrammar | SentenceGrammar | None
    limit: int


class Show(_Errand):
    kind: Literal["show"] = "show"
    prompt: tuple[Message, ...]


class Cancel(_Frame):
    """The errand of that number is to end."""

    kind: Literal["cancel"] = "cancel"
    number: int


Errand = Pin | Expect | Generate | Show
Request = Annotated[Load | Errand | Cancel, Field(discriminator="kind")]


class Loaded(_Frame):
    kind: Literal["loaded"] = "loaded"
    facts: ModelFacts
    rates: Rates


class Logged(_Frame):
    """A line for the log of the appliance."""

    kind: Literal["logged"] = "logged"
    level: int
    name: str
    text: str


class Beat(_Frame):
    """The errand is being worked on."""

    kind: Literal["beat"] = "beat"
    number: int


class Piece(_Frame):
    """Of what the model writes."""

    kind: Literal["piece"] = "piece"
    number: int
    text: str


class Failure(_Frame):
    name: str
    """Of the class in errors.py."""
    what: str
    remedy: str

    @classmethod
    def of(cls, error: ApplianceError) -> Failure:
        return cls(name=type(error).__name__, what=error.what, remedy=error.remedy)

    @property
    def error(self) -> ApplianceError:
        if self.name == Cancelled.__name__:
            return Cancelled()
        return RAISED.get(self.name, TurnFailed)(self.what, remedy=self.remedy)


class Ended(_Frame):
    kind: Literal["ended"] = "ended"
    number: int = 0
    failure: Failure | None = None
    usage: Usage = Field(default_factory=Usage)
    rates: Rates | None = None
    shown: tuple[str, int] | None = None
    """The prompt as the model reads it, and its tokens."""


Reply = Annotated[Loaded | Logged | Beat | Piece | Ended, Field(discriminator="kind")]

REQUESTS: TypeAdapter[Load | Errand | Cancel] = TypeAdapter(Request)
REPLIES: TypeAdapter[Loaded | Logged | Beat | Piece | Ended] = TypeAdapter(Reply)


class Wire:
    """One end of the connection. Any thread may send; one receives."""

    def __init__(self, end: socket.socket) -> None:
        self._socket, self._read, self._sending = end, end.makefile("rb"), Lock()

    def limit_sending(self, seconds: int) -> None:
        """A peer that takes nothing for so long is given up: `send` then raises OSError."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SECONDS.pack(seconds, 0))

    def send(self, frame: BaseModel) -> None:
        """Raises OSError where nobody takes it."""
        data = frame.model_dump_json().encode()
        with self._sending:
            self._socket.sendall(_LENGTH.pack(len(data)) + data)

    def received(self) -> Iterator[bytes]:
        """One frame after the other, until either end hangs up."""
        with suppress(OSError):
            while len(length := self._read.read(_LENGTH.size)) == _LENGTH.size:
                (size,) = _LENGTH.unpack(length)
                if len(data := self._read.read(size)) < size:
                    return
                yield data

    def hang_up(self) -> None:
        """`received` then ends, on both ends."""
        with suppress(OSError):  # the other end was faster
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """By the thread that receives, once it has."""
        self._read.close()
        self._socket.close()
