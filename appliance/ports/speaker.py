"""Who speaks: told by the voice, from the prints of those who had the box learn theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from appliance.audio import Samples

Print = NDArray[np.float32]
"""What a voice is like: shape (256,), of length 1. Of one person's voice they lie near each other."""


@dataclass(frozen=True)
class Whose:
    """Whose voice it is."""

    name: str = ""
    """Empty: of nobody whom the box knows."""
    score: float = 0.0
    """How much it is like the print that it is most like, -1 to 1."""


class VoiceEncoder(Protocol):
    def of(self, utterance: Samples) -> Print | None:
        """utterance: shape (n,), 16 000 Hz.  None: too little was said to tell."""
        ...


class Prints(Protocol):
    """The voice prints that were learnt. Every method raises StoreUnusable."""

    def all(self) -> dict[str, Print]:
        """By the name of whose voice it is."""
        ...

    def keep(self, name: str, learnt: Print) -> None:
        """In the place of one of that name; on disk when it returns."""
        ...

    def forget(self, name: str) -> bool:
        """Whether there was one of that name."""
        ...


class SpeakerId(Protocol):
    def who(self, utterance: Samples) -> Whose:
        """Whose voice `utterance` is, shape (n,), 16 000 Hz. Raises StoreUnusable."""
        ...

    def check(self, phrase: Samples) -> None:
        """Raises BadArgument where a phrase is too faint, too loud or too short to learn a voice from, with which."""
        ...

    def learn(self, name: str, phrases: Sequence[Samples]) -> None:
        """Keep the voice that said all of `phrases`. Raises BadArgument where they are no good for it, with why."""
        ...


class VoiceLearner(Protocol):
    """Learns a voice from what is said to the box next."""

    def knows(self, name: str) -> bool:
        """Whether a voice of that name was learnt. Raises StoreUnusable."""
        ...

    def begin(self) -> None:
        """What is said from now on is what the voice is learnt from."""
        ...

    def learn(self, name: str) -> None:
        """From the last three things that were said. Raises BadArgument where they are no good for it, with why."""
        ...
