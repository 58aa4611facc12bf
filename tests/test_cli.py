"""Commands as a person types them: one clear line and the right exit code for everything that is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from appliance import build, settings_file
from appliance.audio import Speech, never, silence, write_wav
from appliance.cli import main
from appliance.memory.store import Store
from appliance.records import TurnRecord
from appliance.settings import Memory
from appliance.terminal import chat

RECORDINGS = Path(__file__).parent / "recordings"


def wav(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(list(words))
    except SystemExit as end:  # argparse's own
        code = int(str(end.code))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No models, no settings, a fresh state."""
    monkeypatch.setenv("VOICE_APPLIANCE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("VOICE_APPLIANCE_CONFIG", raising=False)
    monkeypatch.setattr(settings_file, "SYSTEM_CONFIG", tmp_path / "none.toml")
    return tmp_path


BAD_RECORDINGS: dict[str, bytes] = {
    "empty.wav": b"",
    "header-only.wav": b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80>\x00\x00\x00}\x00\x00\x02\x00"
    b"\x10\x00data\x00\x00\x00\x00",
    "song.mp3": b"ID3\x04\x00\x00\x00\x00\x00\x23TSSE" + bytes(2_000),
    "text.wav": b"this is not sound at all",
}


@pytest.mark.parametrize("name", BAD_RECORDINGS)
def test_recording_that_is_none_is_one_line(name: str, nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "hear", str(wav(nothing_here / name, BAD_RECORDINGS[name])))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("appliance: ")
    assert name in err


def test_missing_recording_and_missing_words(nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "hear", str(nothing_here / "no.wav"))[0] == 2
    assert run(capsys, "ask", "  ")[0] == 2


def test_unknown_profile_names_the_known_ones(nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "--profile", "toaster", "doctor")
    assert (code, err.count("\n")) == (2, 1)
    assert all(name in err for name in ("'toaster'", "pi5", "jetson"))


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("profile = [", "not valid TOML"),
        ("[ears]\nwake_threshold = 7", "ears.wake_threshold = 7"),
        ("[eras]\n", "eras"),
        ('timezone = "Mars/Olympus"', "Mars/Olympus"),
    ],
)
def test_wrong_settings_name_key_and_value(
    toml: str, told: str, nothing_here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = nothing_here / "config.toml"
    file.write_text(toml)
    code, _, err = run(capsys, "--config", str(file), "timers")
    assert (code, err.count("\n")) == (2, 1)
    assert told in err


def test_missing_model_names_the_command_that_fetches_it(
    nothing_here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "--state", str(nothing_here), "ask", "what time is it")
    assert (code, err.count("\n")) == (3, 1)
    assert "appliance models fetch" in err


def test_doctor_lists_what_is_wrong_with_a_remedy(nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "doctor", "--json", "--state", str(nothing_here))
    checks = json.loads(out)["checks"]
    assert code == 3
    assert {
        "profile",
        "microphone",
        "speaker",
        "database",
        "disk",
        "clock",
        "jail",
        "pins",
        "temperature",
    } <= {each["part"] for each in checks}
    assert all(each["remedy"] for each in checks if not each["fine"])


def test_models_are_listed_with_their_licence(nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "models", "list", "--json")
    rows = json.loads(out)
    assert code == 0
    assert {row["state"] for row in rows} == {"absent"}
    assert all(row["licence"] for row in rows)


def test_no_timers_is_said(nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "timers", "--state", str(nothing_here)) == (0, "no timers\n", "")


def test_box_can_be_made_to_speak_while_its_service_runs(
    nothing_here: Path, model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VOICE_APPLIANCE_MODELS")
    model("piper-en-us-joe", "onnx")
    said = nothing_here / "said.wav"
    with Store(nothing_here / "appliance.db"):
        assert run(capsys, "say", "--state", str(nothing_here), "--out", str(said), "dinner is ready")[0] == 0
    assert said.stat().st_size > 10_000


def test_voices_are_listed_with_what_is_here_and_which_speaks(
    nothing_here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "say", "--list", "--voice", "espeak-ng")
    lines = {line[2:].split()[0]: line for line in out.splitlines()}
    assert code == 0
    assert "absent" in lines["piper-de-thorsten"]
    assert "absent" in lines["kokoro/heart"]
    assert "kokoro/network" not in lines, "it is no voice"
    assert [name for name, line in lines.items() if line.startswith("*")] == ["espeak-ng"]
    assert "it sounds like a machine" in lines["espeak-ng"]


def test_a_voice_that_every_machine_has_says_a_text(nothing_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = nothing_here / "said.wav"
    options = ["--state", str(nothing_here), "--out", str(said)]
    assert run(capsys, "say", *options, "--voice", "espeak-ng", "dinner is ready")[0] == 0
    assert said.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing to say"),
        (["--voice", "nobody", "hello"], "there is no voice 'nobody'; choose one of: auto, piper-en-us-joe"),
        (["--voice", "kokoro/network", "hello"], "there is no voice 'kokoro/network'"),
    ],
)
def test_a_voice_or_text_that_is_not_there_is_one_line(
    words: list[str], told: str, nothing_here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "say", "--state", str(nothing_here), *words)
    assert code != 0
    assert (out, err.count("\n")) == ("", 1)
    assert told in err


def test_python_dash_m_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "appliance", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("state"))


class TestWithModels:
    """The real chain."""

    @pytest.fixture(autouse=True)
    def _here(self, model: Callable[..., Path]) -> None:
        for name in ("qwen2.5-coder-1.5b", "whisper-base", "wake/hey_jarvis", "smart-turn-v3.2", "silero-vad"):
            model(name)

    def test_text_of_100_kb_is_refused(self, state: str, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys, "ask", "--state", state, "word " * 20_000)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "shorten it" in err

    def test_timer_set_by_one_command_is_listed_by_the_next(
        self, state: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, _ = run(capsys, "ask", "--state", state, "start an eleven minute timer for the beans")
        assert (code, out) == (0, "Beans timer set for 11 minutes.\n")
        rows = json.loads(run(capsys, "timers", "--json", "--state", state)[1])
        assert [(row["label"], row["seconds"]) for row in rows] == [("beans", 660)]

    def test_ten_minutes_of_silence_is_no_wake_word(
        self, state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write_wav(tmp_path / "silence.wav", Speech(silence(600), 16_000))
        code, out, err = run(capsys, "hear", "--json", "--state", state, str(tmp_path / "silence.wav"))
        assert (code, out, err.count("\n")) == (4, "", 1)
        assert "no wake word" in err

    def test_stereo_8_bit_recording_is_heard_all_the_same(
        self, state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        import wave

        import soxr

        from appliance.audio import read_wav

        fast = soxr.resample(read_wav(RECORDINGS / "hey_jarvis_tokyo.wav").astype(np.float32), 16_000, 44_100)
        bytes_8 = np.repeat((fast / 256 + 128).clip(0, 255).astype(np.uint8), 2).tobytes()
        with wave.open(str(tmp_path / "odd.wav"), "wb") as file:
            file.setparams((2, 1, 44_100, 0, "NONE", ""))
            file.writeframes(bytes_8)
        code, out, _ = run(
            capsys, "hear", "--json", "--state", state, "--out", str(tmp_path / "a.wav"), str(tmp_path / "odd.wav")
        )
        record = TurnRecord.model_validate_json(out)
        assert code == 0
        assert "Tokyo" in record.said
        assert record.ms.first_audio is None  # not at the pace of a microphone: no wait is invented
        assert len(read_wav(tmp_path / "a.wav")) > 8_000

    def test_conversation_of_json_lines_moves_the_clock_and_rings(self, state: str, tmp_path: Path) -> None:
        chosen = settings_file.load(None, "desktop", tmp_path)
        clock = build.clock(chosen, datetime(2026, 5, 4, 7, 30))
        written: list[str] = []
        lines = [
            '{"say": "set a timer for twenty minutes", "new": true}',
            '{"now": "2026-05-04T07:58"}',
            '{"say": 5}',
            '{"seed": ["The cat is called Biscuit."]}',
            "what time is it",
        ]
        with build.parts(chosen, clock) as parts:
            chat.json_lines(parts.console, lines, written.append)
            assert [fact.text for fact in parts.memory.facts()] == ["The cat is called Biscuit."]
        rows = [json.loads(line) for line in written]
        assert rows[0]["steps"][0]["arguments"] == {"minutes": 20}
        assert rows[1]["said"] == "Your 20 minute timer is done."
        assert "say" in rows[2]["error"]
        assert "7:5" in rows[3]["said"]

    def test_request_after_a_long_talk_finds_that_read_already(self, state: str, tmp_path: Path) -> None:
        talk = ("roses", "lilacs", "peonies", "tulips", "asters", "dahlias")
        lines = [
            *(f"the {flower} smell lovely this evening" for flower in talk),
            "how late is it for my aunt in Nairobi",
        ]
        chosen = settings_file.load(None, "desktop", tmp_path)
        chosen = chosen.model_copy(update={"memory": Memory(final_step=False)})  # it would read it by the way
        records = list[TurnRecord]()
        with build.parts(chosen, build.clock(chosen)) as parts:
            for line in lines:
                records.append(parts.console.ask(line))
                parts.console.read_ahead(never)
        *talked, last = records
        assert not any(record.steps[0].tool for record in talked)
        assert last.steps[0].tool == "get_time"
        assert last.model.fresh_tokens < 60  # of the talk alone there are 200 in that prompt

    def test_conversation_in_the_terminal_ends_without_waiting_for_what_nobody_will_ask(
        self, state: str, tmp_path: Path
    ) -> None:
        chosen = settings_file.load(None, "desktop", tmp_path)
        lines, written = iter(["set a timer for two minutes", "", "how much is left on it"]), list[str]()
        with build.parts(chosen, build.clock(chosen)) as parts:
            chat.terminal(parts.console, lambda: next(lines, None), written.append)
        assert written[0] == "2 minutes, starting now."
        assert "2 minute timer" in written[1]


def test_prompts_show_what_is_pinned_said_and_fresh(
    model: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model("smollm2-135m")
    config = tmp_path / "config.toml"
    config.write_text('[thought]\nmodel = "smollm2-135m"\n')
    words = ("prompts", "--json", "--config", str(config), "--state", str(tmp_path), "--after", "a fine evening to you")
    code, out, _ = run(capsys, *words, "hello there")
    parts = json.loads(out)
    assert code == 0
    assert [part["name"] for part in parts] == ["pinned", "conversation", "fresh"]
    assert "a fine evening to you" in parts[1]["text"]
    assert "hello there" in parts[2]["text"]
    assert parts[0]["tokens"] < parts[1]["tokens"] < parts[2]["tokens"]
