"""Learning a voice: three sentences are asked for aloud, and heard by the box's own ears."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.audio import Samples, silence
from appliance.errors import BadArgument, WrongUse
from appliance.events import NothingHeard, UtteranceEnded
from appliance.ports import Attention, Ears, Microphone
from appliance.ports.speaker import SpeakerId
from appliance.wording import said

SENTENCES = ("voice_sentence_1", "voice_sentence_2", "voice_sentence_3")
TRIES = 3
"""Of one sentence. A judgement."""
WINDOW_S = 15.0
"""How long somebody may take to begin. A judgement."""
TURN = 1


class Enrolment:
    def __init__(
        self, ears: Ears, microphone: Microphone, say: Callable[[str], None], voices: SpeakerId, language: str
    ) -> None:
        """say: aloud, and returns once it was said."""
        self._ears, self._microphone, self._say = ears, microphone, say
        self._voices, self._language = voices, language

    def learn(self, name: str) -> None:
        """Raises WrongUse where no voice could be learnt, DeviceMissing, StoreUnusable."""
        learn_from(self._voices, name, [self._phrase(said(key, self._language)) for key in SENTENCES])
        self._say(said("voice_learnt", self._language).format(name=name))

    def _phrase(self, sentence: str) -> Samples:
        asked = said("voice_ask", self._language).format(sentence=sentence)
        for _ in range(TRIES):
            self._say(asked)
            heard = self._listen()
            try:
                self._voices.check(heard)
            except BadArgument as error:
                self._say(error.what)
                continue
            return heard
        raise WrongUse(f"after {TRIES} tries nothing could be learnt from", remedy="look at: appliance doctor")

    def _listen(self) -> Samples:
        """What is said next; empty where nothing is."""
        self._ears.attend(Attention.COMMAND, TURN, WINDOW_S)
        self._microphone.open()
        self._ears.begin_anew()
        try:
            while True:
                for event in self._ears.feed(self._microphone.read()):
                    if isinstance(event, UtteranceEnded) and event.utterance:
                        return event.utterance.samples
                    if isinstance(event, NothingHeard):
                        return silence(0)
        except EOFError:
            return silence(0)
        finally:
            self._microphone.close()
            self._ears.attend(Attention.NONE, TURN)


def learn_from(voices: SpeakerId, name: str, phrases: Sequence[Samples]) -> None:
    """Raises WrongUse where they are no good for it, StoreUnusable."""
    try:
        voices.learn(name, phrases)
    except BadArgument as error:
        raise WrongUse(error.what.rstrip("."), remedy=error.remedy) from None
