""" "Learn my voice": three sentences are asked for, and whoever says them is known by their voice from then on."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Spoken
from appliance.ports.speaker import VoiceLearner
from appliance.skills.memory.people import Name, as_name
from appliance.skills.memory.shared import Shared
from appliance.skills.memory.telling import Telling
from appliance.wording import said

SENTENCES = {"first": "voice_sentence_1", "second": "voice_sentence_2", "third": "voice_sentence_3"}
"""Argument -> what is asked for, as in a terminal (wording/)."""
Phrase = Annotated[str, Field(max_length=300)]


class VoiceTools:
    def __init__(self, shared: Shared, telling: Telling, voices: VoiceLearner | None) -> None:
        """voices: None where no voice is told from another."""
        self._shared, self._telling, self._voices, self._words = shared, telling, voices, shared.words
        self._learns = ""
        """Whose voice was begun with."""

    def learn_voice(self, name: Name = "", first: Phrase = "", second: Phrase = "", third: Phrase = "") -> Spoken:
        """Learn the voice that speaks."""
        voices = self._may_learn()
        if not (first and self._learns):
            self._learns = self._checked(as_name(name) or self._shared.talk.person, voices)
            voices.begin()
        name = self._learns  # a sentence on the way may sound like somebody else's
        language, phrases = self._words.language, {"first": first, "second": second, "third": third}
        if missing := next((each for each, text in phrases.items() if not text), ""):
            sentence = said(SENTENCES[missing], language)
            asked = said("voice_ask", language).format(sentence=sentence)
            raise BadArgument(asked, remedy="say that sentence", asks_for=missing)
        try:
            voices.learn(name)
        except BadArgument as error:
            raise CannotBeDone(error.what) from None
        self._shared.talk.person, self._learns = name, ""
        self._telling.met(name)
        return Spoken(said("voice_learnt", language).format(name=name))

    def _checked(self, name: str, voices: VoiceLearner) -> str:
        """That name. Raises BadArgument that asks for one, CannotBeDone where it may be another's."""
        if not name:
            raise BadArgument(self._words.say("who_are_you"), remedy="say a name", asks_for="name")
        if name != self._shared.talk.hears:
            if voices.knows(name):
                raise CannotBeDone(self._words.say("voice_known", name=name))
            if name.casefold() in map(str.casefold, self._shared.store.persons()):
                raise CannotBeDone(self._words.say("voice_of_another", name=name))
        return name

    def _may_learn(self) -> VoiceLearner:
        """Raises CannotBeDone."""
        if self._voices is None:
            raise CannotBeDone(self._words.say("voices_off"))
        if self._shared.talk.hears is None:
            raise CannotBeDone(self._words.say("voice_not_heard"))
        if not self._shared.talk.at_box:
            raise CannotBeDone(self._words.say("voice_elsewhere"))
        self._shared.may_keep()
        return self._voices
