"""Recordings stand in for a sound card, at its pace or faster."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from appliance.audio import FRAME, FRAME_S, Speech, never, read_wav
from appliance.body.clock import ShiftedClock, SystemClock
from appliance.body.recording import NullSpeaker, RecordedMicrophone, WavSpeaker
from appliance.body.volume import DEFAULT, Volume
from appliance.simulated import MemoryValues, RecordingSpeaker

RECORDING = np.arange(FRAME * 3 + 1, dtype=np.int16)


def test_recording_comes_whole_then_silence_then_the_end() -> None:
    microphone = RecordedMicrophone(RECORDING, realtime=False, tail_s=2 * FRAME_S)
    microphone.open()
    frames = [microphone.read() for _ in range(4 + 2)]
    with pytest.raises(EOFError):
        microphone.read()
    sound = np.concatenate([frame.samples for frame in frames])
    assert (sound[: len(RECORDING)] == RECORDING).all()
    assert not sound[len(RECORDING) :].any()
    assert np.allclose(np.diff([frame.at_s for frame in frames]), FRAME_S)


def test_recording_comes_at_once_and_its_silence_at_the_pace_of_sound() -> None:
    microphone = RecordedMicrophone(np.zeros(FRAME * 50, np.int16), realtime=False, tail_s=5 * FRAME_S)
    microphone.open()
    begin_s = time.monotonic()
    for _ in range(50):
        microphone.read()
    assert time.monotonic() - begin_s < 0.5 * 50 * FRAME_S
    begin_s = time.monotonic()
    for _ in range(5):
        microphone.read()
    assert time.monotonic() - begin_s > 4 * FRAME_S


def test_realtime_recording_comes_at_the_pace_of_sound() -> None:
    microphone = RecordedMicrophone(np.zeros(FRAME * 10, np.int16), realtime=True)
    microphone.open()
    begin_s = time.monotonic()
    last = [microphone.read() for _ in range(10)][-1]
    assert abs(last.at_s - (begin_s + 10 * FRAME_S)) < 0.01
    assert time.monotonic() >= last.at_s


def test_wav_speaker_writes_all_it_plays_and_passes_it_on(tmp_path: Path) -> None:
    also, starts = RecordingSpeaker(), list[float]()
    speaker = WavSpeaker(tmp_path / "out.wav", also)
    speaker.play([Speech(np.full(16_000, 1_000, np.int16), 16_000)], never, starts.append)
    speaker.play([Speech(np.full(22_050, 2_000, np.int16), 22_050)], never, starts.append)
    heard = read_wav(tmp_path / "out.wav")
    assert len(heard) == 32_000
    assert heard[8_000] == 1_000
    assert abs(int(heard[24_000]) - 2_000) < 20
    assert (len(also.played), len(starts)) == (2, 2)


def test_wav_speaker_in_real_time_keeps_what_was_heard_before_the_stop(tmp_path: Path) -> None:
    speaker = WavSpeaker(tmp_path / "out.wav", realtime=True)
    begin_s = time.monotonic()
    speaker.play(
        [Speech(np.ones(16_000, np.int16), 16_000)], lambda: time.monotonic() > begin_s + 0.2, lambda at_s: None
    )
    assert 0.2 <= time.monotonic() - begin_s < 0.3
    assert 0.2 * 16_000 <= len(read_wav(tmp_path / "out.wav")) < 0.3 * 16_000


def test_nobody_hears_the_null_speaker_and_the_start_is_told() -> None:
    starts = list[float]()
    NullSpeaker().play([Speech(np.ones(16_000, np.int16), 16_000)], never, starts.append)
    assert len(starts) == 1


def test_volume_is_kept_and_bounded() -> None:
    values = MemoryValues()
    assert Volume(values).level == DEFAULT
    Volume(values).set(30)
    assert Volume(values).level == 30
    Volume(values).set(400)
    assert Volume(values).level == 100


def test_it_is_12_db_quieter_for_a_second_after_it_was_hushed() -> None:
    now_s, sound = [100.0], np.full(4, 10_000, np.int16)
    volume = Volume(MemoryValues(), clock=lambda: now_s[0])
    volume.set(100)
    volume.hush()
    assert volume.apply(sound).tolist() == [2_500] * 4
    assert volume.apply(sound, least=40).tolist() == [2_500] * 4
    now_s[0] += 1.0
    assert volume.apply(sound).tolist() == [10_000] * 4


@pytest.mark.parametrize("kept", ["loud", "-3", "", "1e3"])
def test_damaged_kept_volume_is_the_default(kept: str) -> None:
    values = MemoryValues()
    values.set("volume", kept)
    assert Volume(values).level == DEFAULT


def test_volume_is_mute_at_zero_and_whole_at_a_hundred() -> None:
    volume, samples = Volume(MemoryValues()), np.array([-32_768, 32_767], np.int16)
    volume.set(0)
    assert not volume.apply(samples).any()
    assert volume.apply(samples, least=50)[1] == 32_767 // 8, "a ring is heard all the same"
    volume.set(100)
    assert (volume.apply(samples) == samples).all()
    assert (volume.apply(samples, least=50) == samples).all()
    volume.set(50)
    assert volume.apply(samples)[1] == 32_767 // 8


def test_shifted_clock_starts_where_it_is_told_and_runs_on() -> None:
    zone = ZoneInfo("Europe/Berlin")
    clock = ShiftedClock(datetime(2026, 3, 29, 1, 59, 59, 950_000), zone)
    assert clock.now().utcoffset() == timedelta(hours=1)
    time.sleep(0.06)
    assert clock.now().hour == 3  # the hour that summer time skips
    clock.move(datetime(2026, 1, 1, 12, tzinfo=UTC))
    assert clock.now().hour == 13


def test_system_clock_knows_its_zone() -> None:
    now = SystemClock(ZoneInfo("Asia/Tokyo")).now()
    assert now.utcoffset() == timedelta(hours=9)
    assert abs(now - datetime.now(UTC)) < timedelta(seconds=1)
