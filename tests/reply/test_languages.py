"""A language that the box was set to and has no wording for is told at the start, with what to do."""

from __future__ import annotations

import logging

import pytest
from rig import Rig

from appliance.reply.phrases import language_lack
from appliance.settings import Settings, Words


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
