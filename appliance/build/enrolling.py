"""Voices are learnt, and what is known of them is looked at beside a service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from appliance.audio import Samples
from appliance.build.kept import prints_in
from appliance.build.parts import Parts
from appliance.errors import WrongUse
from appliance.ports.speaker import Prints
from appliance.settings import Settings


def enroll(made: Parts, name: str, recordings: Sequence[Samples], show: Callable[[str], None]) -> None:
    """That of `name`: from recordings, or from what is said to the box's own microphone where there are none.

    show: shows what is said aloud.  Raises WrongUse, PartMissing.
    """
    from appliance.terminal.enrolment import Enrolment, learn_from

    if not made.settings.speaker.on:
        remedy = "set on = true under [speaker], then run: appliance models fetch"
        raise WrongUse("no voice is told from another", remedy=remedy)
    if recordings:
        learn_from(made.speaker_id, name, recordings)
        return

    def say(text: str) -> None:
        show(text)
        made.say(text, None)

    with closing(made.sound_card().microphone) as microphone:
        Enrolment(made.listener, microphone, say, made.speaker_id, made.settings.words.language).learn(name)


def voice_prints(settings: Settings) -> Prints:
    """Those that were learnt."""
    return prints_in(settings.state)
