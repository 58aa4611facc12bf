"""Every error the appliance raises on purpose: what is wrong in one line, and what to do about it.

The same line serves the terminal, the journal and `doctor`; `spoken` is what the voice says instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from appliance.wording import FALLBACK, said

if TYPE_CHECKING:
    from pydantic import ValidationError

T = TypeVar("T")


class ApplianceError(Exception):
    """Base of the family. `exit_code`: 2 wrong use, 3 a part is missing, 4 the turn failed."""

    exit_code = 4
    sentence = "broke"
    """Name of what the voice says instead (wording/)."""

    def __init__(self, what: str, *, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what
        self.remedy = remedy

    def spoken(self, language: str = FALLBACK) -> str:
        """What the voice says of it."""
        return said(self.sentence, language)


class WrongUse(ApplianceError):
    """A command, a setting or an input that cannot be used as it is."""

    exit_code = 2


class BadSettings(WrongUse):
    """A settings file or value that cannot be used."""


class OtherState(WrongUse):
    """A command for another state folder than that of the service which got it."""


class BadAudio(WrongUse):
    """A recording that cannot be read or written."""


class PartMissing(ApplianceError):
    """Something the turn needs is not there."""

    exit_code = 3
    sentence = "part_missing"


class ModelMissing(PartMissing):
    """A model file is absent."""


class ModelDamaged(PartMissing):
    """A model file is there but is not the one the manifest names."""


class DeviceMissing(PartMissing):
    """A microphone, a speaker or a pin that is absent, busy or has vanished."""

    sentence = "no_sound_device"


class StoreUnusable(PartMissing):
    """The database cannot be opened or written."""

    sentence = "no_memory"


class NotErased(ApplianceError):
    """A factory reset that left something behind."""

    sentence = "not_erased"


class MuteNotKept(ApplianceError):
    """Muted now, and no longer after a restart."""

    sentence = "mute_not_kept"


class TurnFailed(ApplianceError):
    """The turn ended without an answer."""


class PromptTooLong(TurnFailed):
    """The prompt does not fit the model's context: forget the oldest turns and try again."""

    def __init__(self, what: str, *, remedy: str = "start a new conversation") -> None:
        super().__init__(what, remedy=remedy)


class ModelChanged(TurnFailed):
    """Another model answers from now on, and nothing was said yet: the prompt is to be built anew, for that one."""


class ToolsRefused(TurnFailed):
    """A model that takes no tools in its own format, and nothing was said yet: go on with the text protocol."""


class ModelLost(TurnFailed):
    """The process of the language model has crashed or hung; the appliance starts another by itself."""


class HubFailed(TurnFailed):
    """The hub that thinks for this box did not answer a line."""

    def __init__(self, what: str, *, remedy: str, why: str, sentence: str, untouched: bool) -> None:
        """why: a code of bridge/trouble.py.  sentence: name of what the voice says.

        untouched: nothing was done or said, so something else may be tried.
        """
        super().__init__(what, remedy=remedy)
        self.why, self.sentence, self.untouched = why, sentence, untouched


class HostFailed(TurnFailed):
    """The host that thinks for this box (service/host.py) broke off, and may have done something by then."""

    def __init__(self, what: str, *, remedy: str, sentence: str) -> None:
        """sentence: name of what the voice says."""
        super().__init__(what, remedy=remedy)
        self.sentence = sentence


class Cancelled(ApplianceError):
    """The work went stale while it ran; nobody waits for its result."""

    def __init__(self) -> None:
        super().__init__("the work was cancelled", remedy="ask again")


class BadSkill(ApplianceError):
    """A skill of the owner's that cannot be used; the others go on without it."""


class ToolError(ApplianceError):
    """A tool that did not do what was asked. Its `what` is a sentence for the user."""


class BadArgument(ToolError):
    """The arguments are wrong and can be corrected: ask for them, or try again."""

    def __init__(
        self, what: str, *, remedy: str = "say it again with that corrected", asks_for: str = "", adds: bool = False
    ) -> None:
        """asks_for: the argument that the answer to `what` gives.  adds: to what it holds, and not in its place."""
        super().__init__(what, remedy=remedy)
        self.asks_for, self.adds = asks_for, adds


class CannotBeDone(ToolError):
    """The arguments are fine and it still cannot be done; a retry will not help."""

    def __init__(self, what: str, *, remedy: str = "nothing to correct") -> None:
        super().__init__(what, remedy=remedy)


@contextmanager
def explained(
    make: Callable[[Exception], ApplianceError], log: logging.Logger | None = None, level: int = logging.ERROR
) -> Iterator[None]:
    """Make one of this family of whatever a library, or an owner's own code, raises within; one of it passes as it is.

    The new one names no cause: a text that holds a secret must not stand in a traceback.  log: gets the old one.
    """
    try:
        yield
    except ApplianceError:
        raise
    except Exception as error:  # errors of onnxruntime, of pin libraries and of own code have no common base
        if log:
            log.log(level, "%s", error, exc_info=True)
        raise make(error) from None


@contextmanager
def logged(log: logging.Logger, what: str, *values: object) -> Iterator[None]:
    """Log what breaks within and go on: for work that nobody waits for and whose end must not end anything else."""
    try:
        yield
    except Exception:  # a future that nobody waits for would swallow it
        log.exception(what, *values)


def outcome_of(call: Callable[[], T]) -> T | Exception:
    """What a call gives or raises, to be handed to the thread that waits for it."""
    try:
        return call()
    except Exception as error:  # whatever it is, it is the other thread's to raise
        return error


def first_fault(error: ValidationError, whole: str) -> str:
    """Where it is and what is wrong there.  whole: what it is called where no part of it is at fault."""
    first = error.errors(include_url=False, include_context=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or whole}: {first['msg']}"
