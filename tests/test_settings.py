"""Settings: what lies over what, and what a wrong one is told."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeGuard

import pytest
from pydantic import BaseModel

from appliance import boards, machine, settings, settings_file
from appliance.errors import BadSettings, WrongUse
from appliance.settings_file import Source


@pytest.fixture(autouse=True)
def no_files_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings_file, "SYSTEM_CONFIG", tmp_path / "absent.toml")
    monkeypatch.setattr(settings_file, "user_config_path", lambda app: tmp_path / "nobody" / app)
    for name in ("VOICE_APPLIANCE_MODELS", "VOICE_APPLIANCE_CONFIG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


@pytest.mark.parametrize("name", boards.profiles())
def test_every_profile_is_valid_as_it_is(name: str) -> None:
    assert settings_file.load(profile=name).profile == name


def test_a_profile_lies_over_the_defaults() -> None:
    default, pi4 = settings.Settings(), settings_file.load(profile="pi4")
    assert pi4.thought.model != default.thought.model
    assert pi4.reply.steps_max == default.reply.steps_max


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 2), (3, 3), (8, 3)])
def test_no_more_threads_than_cores(monkeypatch: pytest.MonkeyPatch, cores: int, threads: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)))
    pi4 = settings_file.load(profile="pi4")
    assert pi4.thought.threads == pi4.words.threads == pi4.voice.threads == threads
    assert pi4.thought.threads_batch == min(cores, 4)
    assert settings.Words().threads == min(cores, 2), "the default, too"


def test_the_file_lies_over_its_profile(config: Path) -> None:
    config.write_text('profile = "pi4"\n[thought]\ncontext_tokens = 3072\n')
    loaded = settings_file.load(config)
    assert loaded.thought.context_tokens == 3072
    assert loaded.thought.model == settings_file.load(profile="pi4").thought.model


def test_what_is_asked_for_lies_over_the_file(config: Path, tmp_path: Path) -> None:
    config.write_text('profile = "pi4"\nstate = "/var/lib/elsewhere"\n')
    loaded = settings_file.load(config, profile="pi5", state=tmp_path)
    assert (loaded.profile, loaded.state) == ("pi5", tmp_path)


def test_the_systems_file_is_read_before_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    user = tmp_path / "nobody" / settings.APP / "config.toml"
    user.parent.mkdir(parents=True)
    user.write_text('place = "the kitchen"')
    assert settings_file.load().place == "the kitchen"
    monkeypatch.setattr(settings_file, "SYSTEM_CONFIG", tmp_path / "system.toml")
    settings_file.SYSTEM_CONFIG.write_text('place = "the hall"')
    assert settings_file.load().place == "the hall"


def test_the_environments_file_is_read_before_the_systems(
    monkeypatch: pytest.MonkeyPatch, config: Path, tmp_path: Path
) -> None:
    """So a checkout on an installed box measures what `make models` fetched."""
    settings_file.SYSTEM_CONFIG.write_text('place = "the hall"')
    config.write_text('place = "the kitchen"')
    monkeypatch.setenv("VOICE_APPLIANCE_CONFIG", str(config))
    assert settings_file.load().place == "the kitchen"
    monkeypatch.setenv("VOICE_APPLIANCE_CONFIG", os.devnull)
    assert settings_file.load().place == ""
    assert settings_file.load(config).place == "the kitchen"


def test_the_model_store_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VOICE_APPLIANCE_MODELS", str(tmp_path))
    assert settings_file.load().models == tmp_path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[ears.by_word.alexa]\nthreshold = 0.4", r"ears\.by_word = .*alexa: one of wake_words, hey_jarvis"),
        ("[ears]\nwake_threshold = 1.5", r"ears\.wake_threshold = 1\.5: .*less than 1"),
        ("[ears]\nwake_words = []", r"ears\.wake_words = \[\]: .*at least 1"),
        ("[thought]\nthreads = 'many'", r"thought\.threads = 'many': .*integer"),
        ("[thought]\nmodl = 'x'", r"thought\.modl = 'x': .*not permitted"),
        ("colour = 'red'", r"colour = 'red': .*not permitted"),
        ("ears = 3", r"ears = 3: .*dictionary"),
        ("timezone = 'Mars/Olympus'", r"timezone = 'Mars/Olympus': .*IANA zone"),
    ],
)
def test_a_wrong_value_is_told_with_file_key_value_and_what_is_allowed(config: Path, text: str, told: str) -> None:
    config.write_text(text)
    with pytest.raises(BadSettings, match=told) as caught:
        settings_file.load(config)
    assert str(config) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", ['server_key = "sk-1"', 'servers = [{url = "http://a", key = "sk-1"}]'])
def test_a_key_in_the_place_of_its_file_is_told_but_not_shown(config: Path, text: str) -> None:
    config.write_text(f"[thought]\n{text}")
    with pytest.raises(BadSettings, match=r"key = \(not shown\): .*not permitted") as caught:
        settings_file.load(config)
    assert "sk-1" not in str(caught.value)


def test_broken_toml_is_told_with_its_line(config: Path) -> None:
    config.write_text('place = "here"\n[ears\n')
    with pytest.raises(BadSettings, match="line 2"):
        settings_file.load(config)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"place = '\x80'"])
def test_a_file_that_is_no_text_is_told(config: Path, content: bytes) -> None:
    config.write_bytes(content)
    with pytest.raises(BadSettings, match="not valid TOML"):
        settings_file.load(config)


def test_a_file_that_is_named_must_be_there(config: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read"):
        settings_file.load(config)


@pytest.mark.parametrize("text", ["profile = 'pi9'", "profile = 7", "profile = ['pi4']"])
def test_an_unknown_profile_is_told_with_the_known_ones(config: Path, text: str) -> None:
    config.write_text(text)
    with pytest.raises(WrongUse, match="choose one of: desktop, pi5, pi4, jetson"):
        settings_file.load(config)


@pytest.mark.parametrize(
    ("board", "profile"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0\0", "pi5"),
        ("Raspberry Pi 4 Model B Rev 1.4\0", "pi4"),
        ("Raspberry Pi Compute Module 5 Rev 1.0\0", "pi5"),
        ("NVIDIA Jetson Orin Nano Developer Kit\0", "jetson"),
        ("Some other board\0", "desktop"),
    ],
)
def test_the_board_chooses_its_profile(tmp_path: Path, board: str, profile: str) -> None:
    (tmp_path / "model").write_text(board)
    assert boards.detect_profile(tmp_path / "model") == profile
    assert boards.detect_profile(tmp_path / "absent") == "desktop"


@pytest.mark.parametrize("name", ["", "Europe/Berlin", ":Europe/Berlin", "{file}", ":{file}"])
def test_the_systems_zone_knows_of_summer_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    berlin = resources.files("tzdata").joinpath("zoneinfo", "Europe", "Berlin").read_bytes()
    file = tmp_path / "localtime"
    file.write_bytes(berlin)
    monkeypatch.setattr(machine, "LOCALTIME", tmp_path / "absent" if name else file)
    monkeypatch.setenv("TZ", name.format(file=file))
    zone = settings.Settings().zone
    before, after = (datetime(2026, 3, 29, hour, 59, tzinfo=UTC).astimezone(zone) for hour in (0, 1))
    assert (before.hour, after.hour) == (1, 3)


@pytest.mark.parametrize("name", ["", "CET-1CEST", "Mars/Olympus"])
def test_a_system_without_a_zone_has_the_offset_of_now(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setattr(machine, "LOCALTIME", tmp_path / "absent")
    monkeypatch.setenv("TZ", name)
    assert datetime.now(settings.Settings().zone).utcoffset() == datetime.now().astimezone().utcoffset()


HERE = Path(settings.__file__)
READ_AS_A_KEY = {"profile"}
"""By settings_file.py, before there is a model to ask."""


def _names(room: type[BaseModel]) -> Iterator[str]:
    """Of all settings, those of tables within tables as well."""
    for name, field in room.model_fields.items():
        yield name
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _names(field.annotation)


@pytest.mark.parametrize("name", sorted({*_names(settings.Settings), *_names(settings.Role)} - READ_AS_A_KEY))
def test_every_setting_is_read_somewhere(name: str) -> None:
    """That it then makes a difference: reply/test_settings_differ.py, for those of the reply."""
    assert name in _read()


@cache
def _read() -> frozenset[str]:
    """All attributes that anything is asked for, and the fields that a property of the settings stands for."""
    files = [file for file in HERE.parent.rglob("*.py") if file != HERE]
    asked = {node.attr for file in files for node in ast.walk(ast.parse(file.read_text())) if _loads(node)}
    functions = [node for node in ast.walk(ast.parse(HERE.read_text())) if isinstance(node, ast.FunctionDef)]
    by_property = {part.attr for node in functions if node.name in asked for part in ast.walk(node) if _loads(part)}
    return frozenset(asked | by_property)


def _loads(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)


class TestLastGood:
    """A mistake in the settings costs nobody the clock and the timers."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        (tmp_path / "state").mkdir()
        (file := tmp_path / "config.toml").write_text('place = "Utrecht"\n')
        return file

    @pytest.mark.parametrize("wrong", ["place = Utrecht\n", "[reply]\nnonsense = 1\n", "[words]\nmodel = 7\n"])
    def test_those_of_the_last_good_start_are_used_and_the_mistake_is_named(self, file: Path, wrong: str) -> None:
        state = file.parent / "state"
        assert settings_file.load_or_last_good(Source(file, None, state))[1] == ""
        settings_file.keep_good(file, state)
        file.write_text(wrong)
        chosen, mistake = settings_file.load_or_last_good(Source(file, None, state))
        assert (chosen.place, chosen.state) == ("Utrecht", state)
        assert str(file) in mistake
        assert file.read_text() == wrong, "it is the owner's, and stays as it is"

    def test_without_a_good_start_before_the_mistake_ends_it(self, file: Path) -> None:
        file.write_text("place = Utrecht\n")
        with pytest.raises(BadSettings):
            settings_file.load_or_last_good(Source(file, None, file.parent / "state"))

    def test_the_state_folder_is_the_units_where_the_file_cannot_tell(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        state = file.parent / "state"
        settings_file.keep_good(file, state)
        monkeypatch.setenv("STATE_DIRECTORY", str(state))
        file.write_text("place = Utrecht\n")
        assert settings_file.load_or_last_good(Source(file, None, None))[0].place == "Utrecht"

    def test_good_settings_are_written_once_and_for_nobody_else(self, file: Path) -> None:
        state = file.parent / "state"
        settings_file.keep_good(file, state)
        good = state / settings_file.LAST_GOOD
        before = good.stat()
        settings_file.keep_good(file, state)
        assert (good.stat().st_ino, before.st_mode & 0o777) == (before.st_ino, 0o600)
