"""What `amixer scontents` says, read; its words are those of alsa-utils 1.2.8 on a USB speakerphone and a HAT."""

from __future__ import annotations

import pytest

from appliance.body import mixer
from appliance.ports.soundcheck import Control

TEXT = """Simple mixer control 'Headphone',0
  Capabilities: pvolume pswitch
  Playback channels: Front Left - Front Right
  Limits: Playback 0 - 127
  Mono:
  Front Left: Playback 0 [0%] [-99999.99dB] [on]
  Front Right: Playback 100 [79%] [-21.00dB] [off]
Simple mixer control 'Mic',0
  Capabilities: pvolume pvolume-joined cvolume cvolume-joined pswitch pswitch-joined cswitch cswitch-joined
  Playback channels: Mono
  Capture channels: Mono
  Limits: Playback 0 - 31 Capture 0 - 35
  Mono: Playback 23 [74%] [0.00dB] [off] Capture 0 [0%] [-12.00dB] [off]
Simple mixer control 'Auto Gain Control',0
  Capabilities: pswitch pswitch-joined
  Playback channels: Mono
  Mono: Playback [on]
Simple mixer control 'Boost',0
  Capabilities: volume
  Mono: 2 [66%]
"""


def test_each_control_is_read_in_each_direction() -> None:
    assert mixer.parse(TEXT) == [
        Control("Headphone", "playback", 79, True),
        Control("Mic", "capture", 0, False),
        Control("Mic", "playback", 74, False),
        Control("Auto Gain Control", "playback", None, True),
    ]


def test_machine_without_amixer_or_without_such_a_card_has_no_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mixer.read("nobody") == []
    monkeypatch.setenv("PATH", "/nowhere")
    assert mixer.read() == []
