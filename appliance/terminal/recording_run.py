"""What became of one recording that was played to the appliance."""

from __future__ import annotations

from dataclasses import dataclass, field

from appliance import events as ev
from appliance.audio import Samples, speech_end_s
from appliance.errors import ApplianceError, TurnFailed
from appliance.records import TurnRecord
from appliance.service.states import State
from appliance.service.turn import Moments, time_waits


@dataclass
class Heard:
    """Filled in by the service that listens to the recording: `take` publishes, `watch` watches."""

    taken: TurnRecord | None = None
    moments: Moments = field(default_factory=Moments)
    started_s: float = 0.0
    """Monotonic time of the recording's first sample."""
    woke: bool = False
    failure: ApplianceError | None = None
    """What the turn ended with instead of an answer."""

    def take(self, record: TurnRecord, moments: Moments) -> None:
        self.taken, self.moments = record, moments

    def watch(self, event: ev.Event, state: State) -> None:
        self.woke = self.woke or isinstance(event, ev.WakeHeard | ev.ButtonPressed)
        if isinstance(event, ev.ReplyFailed):
            self.failure = event.error

    @property
    def record(self) -> TurnRecord:
        """The turn; a silent one when there was none."""
        return self.taken or TurnRecord(turn=0, conversation="", lane="none", outcome="silent")

    def check(self) -> None:
        """Raises TurnFailed, saying why, when nothing was understood."""
        if not self.woke:
            raise TurnFailed("no wake word was heard", remedy="begin with the wake word, or use --no-wake")
        if not self.record.heard:
            nothing = TurnFailed("no words were heard", remedy="speak closer to the microphone; try --debug")
            raise self.failure or nothing

    def seconds(self) -> dict[str, float]:
        """The moments, counted from the first sample of the recording."""
        return {name: at_s - self.started_s for name, at_s in self.moments.at.items()}

    def time(self, clean: Samples) -> None:
        """Count the waits from where speech truly ends in `clean`, and place the stages of thought."""
        at, record = self.moments.at, self.record
        end_s = speech_end_s(clean)
        if end_s is not None and "speech_ended" in at:
            at["speech_ended"] = self.started_s + end_s
            time_waits(record, self.moments)
        if "transcribed" in at and record.ms.plan is not None:
            at["planned"] = at["transcribed"] + record.ms.plan / 1000
            at["answered"] = at["planned"] + (record.ms.tools or 0) / 1000
