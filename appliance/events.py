"""Everything that can happen, in the past tense. Events carry facts and their turn; they do not know who listens."""

from __future__ import annotations

from dataclasses import dataclass, field

from appliance.audio import Samples, Utterance, silence
from appliance.errors import ApplianceError
from appliance.records import TurnRecord


@dataclass(frozen=True)
class Event:
    """Something that happened. `turn` 0 belongs to no turn and is never out of date."""

    turn: int = 0


@dataclass(frozen=True)
class Loaded(Event):
    """Every part that can be had is there."""


@dataclass(frozen=True)
class Started(Event):
    """Somebody may speak to the box: its microphone opens."""


@dataclass(frozen=True)
class StartedMuted(Event):
    """Likewise, but the microphone stays closed, as it was before the restart."""


@dataclass(frozen=True)
class WakeHeard(Event):
    word: str = ""
    score: float = 0.0
    """0 to 1, the detector's own."""
    at_s: float = 0.0
    """Monotonic seconds."""
    level_db: float = 0.0
    """How far the word stood over the quiet before it, 0 to 100."""


@dataclass(frozen=True)
class WakeMissed(Event):
    """Something sounded so much like a wake word that a little more would have been one."""

    word: str = ""
    score: float = 0.0
    """The highest, 0 to 1."""


@dataclass(frozen=True)
class ButtonPressed(Event):
    """A short press: talk, or stop."""


@dataclass(frozen=True)
class MuteToggled(Event):
    """A 1.5 s press."""


@dataclass(frozen=True)
class MuteAsked(Event):
    """Somebody said it, or asked for it elsewhere. Only mutes: it may come late, and after a press it must not open the
    microphone again."""


@dataclass(frozen=True)
class PairingAsked(Event):
    """A short press, and then at once one of 2 s: a new device may come in."""


@dataclass(frozen=True)
class ResetRefused(Event):
    """The button has been held for 10 s, and was never pressed shortly since the start: it may be no button at all."""


@dataclass(frozen=True)
class ResetWarned(Event):
    """The button has been held for 10 s: held on, it erases everything."""


@dataclass(frozen=True)
class ResetCancelled(Event):
    """It was let go after the warning and before the end."""


@dataclass(frozen=True)
class ResetConfirmed(Event):
    """It has been held for 22 s."""


@dataclass(frozen=True)
class SpeechPaused(Event):
    """The speaker went quiet, perhaps for good: work on what was said may begin, nothing may come of it yet."""

    utterance: Utterance | None = None


@dataclass(frozen=True)
class UtteranceEnded(Event):
    """The speaker has finished."""

    utterance: Utterance | None = None
    speech_ended_s: float = 0.0
    """Monotonic time of the last sample that was speech."""
    decided_s: float = 0.0
    """Monotonic time at which the box knew."""


@dataclass(frozen=True)
class HostLost(UtteranceEnded):
    """Whoever was to answer it in the box's place (service/host.py) is gone, and has done nothing of it."""


@dataclass(frozen=True)
class NothingHeard(Event):
    """The time to start speaking ran out."""


@dataclass(frozen=True)
class Overheard(Event):
    """Something short was said while the box was busy; only "stop" counts."""

    utterance: Utterance | None = None


@dataclass(frozen=True)
class StopSounded(Event):
    """Something sounded like "stop" while the box was busy."""

    sure: bool = False


@dataclass(frozen=True)
class StopHeard(Event):
    """The user said stop, and nothing else."""


@dataclass(frozen=True)
class ReplyStarted(Event):
    """The first sound of the answer is on its way to the speaker."""


@dataclass(frozen=True)
class ReplyEnded(Event):
    """The last sound has been played, or there was nothing to play. `record` is the whole turn."""

    record: TurnRecord | None = None


@dataclass(frozen=True)
class HostReplyEnded(ReplyEnded):
    """Likewise, of an answer that was made elsewhere: what is said next, without a wake word, is not for the box."""


@dataclass(frozen=True)
class ReplyFailed(Event):
    error: ApplianceError | None = None


@dataclass(frozen=True)
class TimerRang(Event):
    """A timer ended."""


@dataclass(frozen=True)
class RingEnded(Event):
    """Nobody stopped it and it has rung long enough."""


@dataclass(frozen=True)
class NewsBegan(Event):
    """The box tells by itself what nobody could hear before."""


@dataclass(frozen=True)
class NewsEnded(Event):
    """They are out, or were cut off."""


@dataclass(frozen=True)
class CallMade(Event):
    """Another box rings, as somebody here asked."""


@dataclass(frozen=True)
class CallCame(Event):
    """Another box calls: it is to be rung here, for the first time or once more."""


@dataclass(frozen=True)
class CallTold(Event):
    """Who calls has been said: somebody may answer."""


@dataclass(frozen=True)
class CallBegan(Event):
    """Somebody at each of the two boxes wants it; it goes on behind what a wake word had come between."""


@dataclass(frozen=True)
class CallSounds(Event):
    """Something that was said at the other box is there to be played."""


@dataclass(frozen=True)
class CallQuiet(Event):
    """All of that has been played."""


@dataclass(frozen=True, eq=False)
class TalkHeard(Event):
    """A piece of what is being said here in a call."""

    samples: Samples = field(default_factory=lambda: silence(0))


@dataclass(frozen=True)
class CallEnded(Event):
    """There is none any more."""


@dataclass(frozen=True)
class PartLost(Event):
    """It is not there; told again with each attempt to get it back."""

    part: str = ""
    error: ApplianceError | None = None


@dataclass(frozen=True)
class LoopBroke(PartLost):
    """The service itself: what it was doing may be half done."""


@dataclass(frozen=True)
class PartRecovered(Event):
    part: str = ""
