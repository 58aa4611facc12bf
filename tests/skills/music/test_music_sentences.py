"""Whole sentences about music, and what sounds like them."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.reply.understanding.fastlane import FastLane
from appliance.skills.loader import sentences_on_board

LANES = {
    language: FastLane(language, lambda place: True, str.casefold, "Jarvis", sentences_on_board())
    for language in ("en", "de")
}

MEANT: list[tuple[str, str, str, dict[str, Any]]] = [
    ("en", "play some harbour songs", "play_music", {"what": "harbour songs"}),
    ("en", "put some music on", "play_music", {}),
    ("en", "play the album Grey Mornings", "play_music", {"what": "the album Grey Mornings"}),
    ("en", "play Copper Lane next", "queue_music", {"what": "Copper Lane"}),
    ("en", "turn the music down a bit", "set_music_volume", {"direction": "down"}),
    ("en", "set the music to 40 percent", "set_music_volume", {"level": 40}),
    ("en", "skip this song", "next_track", {}),
    ("en", "go back to the last track", "previous_track", {}),
    ("en", "who sings this", "what_is_playing", {}),
    ("en", "stop the music please", "pause_music", {}),
    ("en", "turn the radio back on", "resume_music", {}),
    ("en", "wake me at seven with radio two", "set_music_alarm", {"when": "wake me at seven", "music": "radio two"}),
    ("en", "set an alarm for 6:30 that plays jazz", "set_music_alarm", {"when": "for 6:30", "music": "jazz"}),
    ("en", "wake me at seven with some jazz", "set_music_alarm", {"when": "wake me at seven", "music": "some jazz"}),
    ("en", "wake me with jazz at 8 am", "set_music_alarm", {"when": "wake me at 8 am", "music": "jazz"}),
    (
        "de",
        "weck mich um sieben mit dem Radio",
        "set_music_alarm",
        {"when": "weck mich um sieben", "music": "dem Radio"},
    ),
    ("de", "stell den Radiowecker auf sieben Uhr", "set_music_alarm", {"when": "auf sieben Uhr", "music": "radio"}),
    ("de", "spiel bitte Kupferweg", "play_music", {"what": "Kupferweg"}),
    ("de", "dreh die Musik auf 30 Prozent", "set_music_volume", {"level": 30}),
    ("de", "Musik leiser", "set_music_volume", {"direction": "down"}),
    ("de", "mach die Musik lauter", "set_music_volume", {"direction": "up"}),
    ("de", "die Musik etwas leiser", "set_music_volume", {"direction": "down"}),
    ("de", "mach die Musik 10 Prozent lauter", "change_music_volume", {"by": 10}),
    ("de", "Radio leiser", "set_music_volume", {"direction": "down"}),
    ("de", "Musik auf 30 Prozent", "set_music_volume", {"level": 30}),
    ("de", "Lautstärke der Musik auf 30 Prozent", "set_music_volume", {"level": 30}),
    ("de", "leiser", "set_volume", {"direction": "down"}),
    ("en", "turn the music volume down", "set_music_volume", {"direction": "down"}),
    ("en", "turn the volume down", "set_volume", {"direction": "down"}),
    ("de", "nächstes Lied", "next_track", {}),
    ("de", "wie heißt das Lied", "what_is_playing", {}),
]


@pytest.mark.parametrize(("language", "line", "tool", "arguments"), MEANT)
def test_it_means(language: str, line: str, tool: str, arguments: dict[str, Any]) -> None:
    (match,) = LANES[language].matches(line)
    assert (match.intent, match.arguments) == (tool, arguments)


@pytest.mark.parametrize(
    "line",
    [
        "play a game with me",
        "pause the movie",
        "resume the film",
        "play it again",
        "put the kettle on",
        "turn it up",
        "stop",
        "mute",
    ],
)
def test_it_means_no_music(line: str) -> None:
    assert not {"play_music", "pause_music", "set_music_volume"} & {each.intent for each in LANES["en"].matches(line)}
