"""A language that the box was set to and has no wording for is told at the start, with what to do."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from rig import Rig

from appliance import build
from appliance.reply.phrases import language_lack
from appliance.service.vitals import Vitals
from appliance.settings import Settings, Words
from appliance.simulated import CannedSynthesizer, RecordingSpeaker
from appliance.tts.speak import Voice


def box(language: str) -> Rig:
    return Rig("say Hello.", parts={"settings": Settings(words=Words(language=language))})


@pytest.mark.parametrize(
    ("language", "told"),
    [("fr", "I understand timers, the clock and the volume"), ("xx", "I do not know the language")],
)
def test_a_language_without_wording_is_told_with_what_to_do(
    language: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    rig = box(language)
    assert told in language_lack(language)
    assert "set my language to English or German" in language_lack(language)
    [line] = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert line == f"words.language = {language!r}: {language_lack(language)}"
    assert rig.say("bonjour, comment allez-vous").said == "Hello."


@pytest.mark.parametrize("language", ["en", "de"])
def test_of_a_language_that_is_here_nothing_is_told(language: str, caplog: pytest.LogCaptureFixture) -> None:
    assert language_lack(language) == ""
    box(language)
    assert not caplog.records


@pytest.mark.parametrize(("language", "told"), [("fr", True), ("de", False)])
def test_it_is_said_aloud_once_when_the_service_starts(tmp_path: Path, language: str, told: bool) -> None:
    settings, synthesizer = Settings(state=tmp_path, words=Words(language=language)), CannedSynthesizer()
    with (
        Voice(synthesizer, RecordingSpeaker(), lambda error: None) as voice,
        build.parts(settings, build.clock(settings)) as parts,
    ):
        news = parts.news(voice, Vitals(), lambda event: None)
        for _ in range(2):
            news.tell()
    assert " ".join(synthesizer.clauses).count("English or German") == told
