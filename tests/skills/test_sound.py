from __future__ import annotations

from typing import Literal

import pytest

from appliance.build.adapters import cannot
from appliance.errors import BadArgument, CannotBeDone
from appliance.simulated import HandSetVolume
from appliance.skills.sound.tools import SoundTools


@pytest.mark.parametrize(
    ("before", "level", "direction", "after", "said"),
    [
        (50, 33, None, 33, "Volume 33 percent."),
        (50, 0, None, 0, "Volume 0 percent."),
        (50, None, "up", 60, "Volume 60 percent."),
        (50, None, "down", 40, "Volume 40 percent."),
        (95, None, "up", 100, "Volume 100 percent."),
        (100, None, "up", 100, "That is as loud as I go."),
        (35, None, "down", 30, "Volume 30 percent."),
        (30, None, "down", 30, "That is as quiet as I go."),
        (0, None, "down", 0, "That is as quiet as I go."),
        (0, None, "up", 10, "Volume 10 percent."),
        (50, 80, "up", 80, "Volume 80 percent."),
    ],
)
def test_the_volume_follows_what_was_said(
    before: int, level: int | None, direction: Literal["up", "down"] | None, after: int, said: str
) -> None:
    volume = HandSetVolume(before)
    assert SoundTools(volume, str, lambda: None).set_volume(direction, level) == said
    assert volume.level == after


def test_no_volume_is_asked_for() -> None:
    with pytest.raises(BadArgument, match="How loud should I be"):
        SoundTools(HandSetVolume(), str, lambda: None).set_volume()


def test_repeat_before_anything_was_said_is_honest() -> None:
    with pytest.raises(CannotBeDone):
        SoundTools(HandSetVolume(), lambda: "", lambda: None).repeat()


def test_mute_closes_the_microphone_or_says_why_not() -> None:
    closed: list[bool] = []
    assert SoundTools(HandSetVolume(), str, lambda: None, lambda: closed.append(True)).mute() == ""
    assert closed == [True]
    with pytest.raises(CannotBeDone, match="No microphone"):
        SoundTools(HandSetVolume(), str, lambda: None, cannot("No microphone is listening.")).mute()


def test_stop_silences_and_says_nothing() -> None:
    silenced: list[bool] = []
    assert SoundTools(HandSetVolume(), str, lambda: silenced.append(True)).stop() == ""
    assert silenced == [True]
