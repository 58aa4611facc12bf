"""A voice is learnt by the box's own ears: real models, recordings in place of somebody at the microphone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from appliance import build
from appliance.audio import Samples, read_wav, silence
from appliance.body.recording import RecordedMicrophone
from appliance.cli import main
from appliance.ears.absent import NoWake
from appliance.ears.known_voices import KnownVoices
from appliance.ears.listen import Listener
from appliance.ears.speech import Silero
from appliance.ears.turn_end import SmartTurn
from appliance.ears.voice_print import DVector
from appliance.errors import WrongUse
from appliance.memory.voice_prints import VoicePrints
from appliance.settings import Ears, Settings, Speaker
from appliance.terminal.enrolment import Enrolment

RECORDINGS = Path(__file__).parents[1] / "recordings"
JOE = ("multiply", "tokyo", "timer_unfinished")


def recording(name: str) -> Samples:
    return read_wav(RECORDINGS / f"{name}.wav")


class Booth:
    """`said`: what is heard, one behind the other, each with quiet around it."""

    def __init__(self, model: Callable[..., Path], folder: Path, *said: Samples) -> None:
        self.told, self.prints = list[str](), VoicePrints(folder / "voices", "d-vector")
        self.voices = KnownVoices(DVector(model("d-vector")), self.prints, Speaker().likeness, "en")
        ears = Listener(NoWake(), Silero(model("silero-vad")), SmartTurn(model("smart-turn-v3.2")), Ears())
        sound = np.concatenate([part for each in said for part in (silence(0.5), each, silence(3))])
        microphone = RecordedMicrophone(sound, realtime=False, tail_s=0)
        self.enrolment = Enrolment(ears, microphone, self.told.append, self.voices, "en")


def test_three_sentences_are_asked_for_and_the_voice_is_known(model: Callable[..., Path], tmp_path: Path) -> None:
    booth = Booth(model, tmp_path, *map(recording, JOE))
    booth.enrolment.learn("Joe")
    assert [each.partition(": ")[0] for each in booth.told] == ["Please say"] * 3 + ["I know your voice now, Joe."]
    assert booth.voices.who(recording("hey_jarvis_tokyo")).name == "Joe"


def test_what_is_too_short_is_asked_for_again(model: Callable[..., Path], tmp_path: Path) -> None:
    booth = Booth(model, tmp_path, recording("yes"), *map(recording, JOE))
    booth.enrolment.learn("Joe")
    assert booth.told[1] == "That was too short for me. Please say a whole sentence."
    assert booth.told[0] == booth.told[2]


def test_two_voices_are_nobodys(model: Callable[..., Path], tmp_path: Path) -> None:
    booth = Booth(model, tmp_path, recording("multiply"), recording("tokyo"), recording("harvest"))
    with pytest.raises(WrongUse, match="one voice"):
        booth.enrolment.learn("Joe")
    assert booth.prints.all() == {}


def test_nobody_who_says_anything_is_one_clear_error(model: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="after 3 tries"):
        Booth(model, tmp_path, silence(1)).enrolment.learn("Joe")


@pytest.fixture
def command(tmp_path: Path, model: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """`appliance speaker ...` where voices are told from each other: its exit code, what it told, and its error."""
    model("d-vector")
    (tmp_path / "on.toml").write_text("[speaker]\non = true\n")

    def run(*words: str, config: str = "on.toml") -> list[str]:
        at = config if os.path.isabs(config) else str(tmp_path / config)
        code = main(["--config", at, "--state", str(tmp_path / "state"), "speaker", *words])
        told = capsys.readouterr()
        return [str(code), told.out, told.err]

    return run


def test_in_a_terminal_voices_are_learnt_told_of_and_forgotten(command: Callable[..., list[str]]) -> None:
    files = [str(RECORDINGS / f"{name}.wav") for name in JOE]
    assert command("list") == ["0", "", ""]
    assert command("enroll", "Joe", *files)[0] == "0"
    assert command("list") == ["0", "Joe\n", ""]
    assert json.loads(command("list", "--json")[1]) == ["Joe"]
    assert command("forget", "joe")[0] == "0"
    code, _, error = command("forget", "Joe")
    assert (code, "there is no voice of 'Joe'" in error) == ("2", True)


def test_in_a_terminal_what_is_wrong_is_said_in_one_line(command: Callable[..., list[str]]) -> None:
    files = [str(RECORDINGS / f"{name}.wav") for name in ("multiply", "tokyo", "harvest")]
    assert "one voice" in command("enroll", "Joe", *files)[2]
    assert "three sentences" in command("enroll", "Joe", files[0])[2]
    assert "set on = true under [speaker]" in command("enroll", "Joe", *files, config=os.devnull)[2]
    assert "nobody's name" in command("enroll", "  ", *files)[2]


def test_a_factory_reset_deletes_the_voice_prints(tmp_path: Path) -> None:
    chosen = Settings(state=tmp_path / "state")
    with build.parts(chosen, build.clock(chosen)) as made:
        made.voice_prints.keep("Ana", np.ones(256, dtype=np.float32))
        assert [path.name for path in (tmp_path / "state" / "voices").iterdir()] == ["ana.voice"]
        made._erase()
    assert not (tmp_path / "state" / "voices").exists()
