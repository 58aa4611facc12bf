"""How a turn begins: its line without secrets, in the conversation that is taken up, with what its channel may do."""

from __future__ import annotations

from unicodedata import normalize

from appliance.audio import Stale, never
from appliance.errors import TurnFailed, WrongUse, explained
from appliance.ports import Mouth
from appliance.records import TurnRecord
from appliance.reply.budget import Budget
from appliance.reply.catalogue import Catalogue
from appliance.reply.channels import Channel, channels_of
from appliance.reply.context import Context
from appliance.reply.dependencies import Dependencies
from appliance.reply.discreet import Discreet, Unheard
from appliance.reply.line import Line
from appliance.reply.turn import Known, Turn, TurnInput
from appliance.reply.understanding.fastlane import FastLane
from appliance.safety.confidential import is_confidential
from appliance.safety.redact import redact


class Opening:
    def __init__(
        self, needs: Dependencies, sentences: FastLane, catalogue: Catalogue, context: Context, hidden: str
    ) -> None:
        """hidden: what is said in place of a secret. Raises BadSettings, also for a region that does not exist."""
        self._needs, self._settings, self._conversation = needs, needs.settings.reply, needs.conversation
        self._sentences, self._catalogue, self._context = sentences, catalogue, context
        self._hidden, self._channels = hidden, channels_of(needs.settings.channels)
        redact("at the start: a region that does not exist stops it here, not in every turn", self._settings.region)

    def channel(self, name: str) -> Channel:
        """Raises WrongUse."""
        if name not in self._channels:
            raise WrongUse(f"there is no channel {name!r}", remedy=f"choose one of: {', '.join(self._channels)}")
        return self._channels[name]

    def in_own(self, number: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> Turn:
        """One of the box's own conversation. Raises as `begin`."""
        by = self.channel(channel)
        text, speaker = self.redacted(heard), self.redacted(speaker)
        self._conversation.resume(self._needs.clock.monotonic(), not by.guest)
        self._conversation.speaks(self._voice(by, speaker))
        return self._begun(number, text, by, mouth, stale, speaker)

    def ahead(self, heard: str) -> Turn:
        """One in which nothing is done and nothing said, of what is perhaps being said to the box: by the same voice as
        before, for all that is known."""
        by = next(iter(self._channels.values()))
        self._conversation.resume(self._needs.clock.monotonic(), not by.guest)
        return self._begun(0, self.redacted(heard), by, Unheard(), never, "")

    def alone(self, text: str, mouth: Mouth) -> Turn:
        """Of what the owner said long ago: it belongs to no conversation."""
        self._conversation.take_up_own()
        self._conversation.hears = "" if self._needs.settings.speaker.on else None  # whoever is there hears it
        return self._begun(0, text, self.channel("chat"), mouth, never, "")

    def begin(self, number: int, heard: str, by: Channel, mouth: Mouth, stale: Stale, speaker: str) -> Turn:
        """One of the conversation that is taken up.

        Raises WrongUse for a line too long; TurnFailed when it cannot be made sure that no secret goes on.
        """
        self._conversation.speaks(self._voice(by, ""))  # a name that a device gives is nobody's voice
        return self._begun(number, self.redacted(heard), by, mouth, stale, self.redacted(speaker))

    def _voice(self, by: Channel, recognised: str) -> str | None:
        """Whose it is, as ports.Talking has it."""
        return recognised if by.aloud and self._needs.settings.speaker.on else None

    def redacted(self, heard: str) -> str:
        """Raises as `begin`."""
        heard = normalize("NFC", heard).replace("’", "'")  # as telephones type it
        limit = self._settings.question_max_chars
        if len(heard) > limit:
            raise WrongUse(f"the text has {len(heard):,} characters, a turn takes {limit:,}", remedy="shorten it")
        what, remedy = "secrets could not be taken out of the line", "say it in other words"
        with explained(lambda error: TurnFailed(f"{what} ({type(error).__name__})", remedy=remedy)):
            return redact(heard, self._settings.region)

    def hushed(self, mouth: Mouth) -> Mouth:
        """It says in words what was taken out."""
        return Discreet(mouth, self._hidden)

    def _begun(self, number: int, heard: str, by: Channel, mouth: Mouth, stale: Stale, speaker: str) -> Turn:
        talk = self._conversation.talk
        record = TurnRecord(turn=number, conversation=talk.id, channel=by.name, heard=heard)
        record.private = self._needs.private()
        before = talk.last_said if talk.messages else ""
        line = Line(heard, self._sentences.in_digits(heard))
        confidential = is_confidential(heard, self._needs.settings.words.language)
        speaker = speaker if by.prefix else ""
        return Turn(
            TurnInput(line, by, speaker, before, talk.carried.heard, confidential, record.private),
            record,
            self.hushed(mouth),
            stale,
            Budget(self._needs.model.rates, self._settings.budget_s),
            self._catalogue.toolset(by),
            messages=[self._context.plan_line(line, Known(), (), speaker)],
            began=self._needs.clock.now(),
        )
