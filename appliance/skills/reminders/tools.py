"""Adding, listing and cancelling reminders, in the words of a conversation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from appliance.ports import Spoken
from appliance.skills.entry_tools import EntryTools

When = Annotated[str, Field(max_length=120, description="as said", json_schema_extra={"when": True})]
Which = Annotated[str, Field(max_length=80, description="as said, or all")]


class ReminderTools(EntryTools):
    def add_reminder(self, what: Annotated[str, Field(max_length=200)], when: When) -> Spoken:
        """Remind the user of something at a time."""
        said = self._words.read(when)
        whole = what.strip().rstrip(".!?")
        first, _, rest = whole.partition(" ")
        joint = first.rstrip(",").casefold()
        of_what = joint in self._words.phrases["of_what"]
        joined = bool(rest) and (of_what or joint in self._words.phrases["to_do"])
        text = self._words.said_back(rest if joined else whole)
        key = "set_of" if of_what or joint in self._words.phrases["things"] else "set"
        return self.set(text, said.due, when, self._words.say(key, text=text, when=self._words.spoken(said.due)))

    def list_reminders(self, which: Which = "") -> Spoken:
        """Tell which reminders there are."""
        return self.told(which)

    def cancel_reminder(self, which: Which = "") -> Spoken:
        """Cancel a reminder."""
        return self.cancelled(which)
