"""The checks that need no model."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from appliance.cli import main
from appliance.errors import BadSettings
from appliance.settings import Body, Settings
from appliance.settings_file import load
from appliance.terminal import board
from appliance.terminal.doctor import AS_ROOT, _database, _pins, _voice


@pytest.mark.parametrize(
    ("kind", "chips", "fine", "found"),
    [
        ("none", 0, True, "no button and no light are wanted"),
        ("gpiozero", 0, False, "this machine has none"),
        ("gpiochip", 1, True, "button PQ.05; light none; by gpiochip"),
    ],
)
def test_pins_are_told(tmp_path: Path, kind: str, chips: int, fine: bool, found: str) -> None:
    for number in range(chips):
        (tmp_path / f"gpiochip{number}").touch()
    settings = Settings(body=Body.model_validate({"pins": kind, "button_pin": "PQ.05"}))
    check = _pins(settings, tmp_path)
    assert (check.fine, check.found) == (fine, found)
    assert bool(check.remedy) is not fine


@pytest.mark.parametrize(
    ("model", "language", "profile", "fine", "told"),
    [
        ("auto", "en", "pi4", True, "piper-en-us-joe"),
        ("auto", "de", "pi4", True, "piper-de-thorsten"),
        ("auto", "nl", "desktop", True, "espeak-ng, in 'nl': it sounds like a machine"),
        ("espeak-ng", "de", "desktop", True, "set voice.model = 'piper-de-thorsten'"),
        ("kokoro/emma", "en", "desktop", True, "kokoro/emma"),
        ("kokoro/emma", "en", "pi5", True, "set voice.model = 'auto'"),
        ("kokoro/emma", "de", "desktop", False, "set voice.model = 'auto'"),
    ],
)
def test_it_says_plainly_what_speaks(model: str, language: str, profile: str, fine: bool, told: str) -> None:
    chosen = {"voice": {"model": model}, "words": {"language": language}, "profile": profile}
    check = _voice(Settings.model_validate(chosen))
    assert check.fine is fine
    assert told in (check.found, check.remedy)


def test_a_light_has_one_pin_or_three(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('body = { light_pins = ["GPIO22", "GPIO23"] }')
    with pytest.raises(BadSettings, match=r"body\.light_pins.*no pin, one, or three"):
        load(tmp_path / "config.toml")


def copies() -> str:
    return "no copy of it yet"


def test_a_sound_database_and_a_damaged_one_are_told(tmp_path: Path) -> None:
    path = tmp_path / "50% of #1?" / "appliance.db"  # characters that mean something in an address
    path.parent.mkdir()
    assert _database(path, copies).found == "none yet; the first turn makes it"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE timers (id)")
    assert _database(path, copies).found.endswith("kB; no copy of it yet")
    path.write_bytes(b"not a database" * 100)
    check = _database(path, copies)
    assert not check.fine
    assert "takes the newest copy" in check.remedy


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an installed box, as another user than its own finds it. A root that tests is `nobody` here."""
    user = os.geteuid()
    with TemporaryDirectory() as home:
        monkeypatch.setenv("XDG_CONFIG_HOME", home)
        monkeypatch.delenv("VOICE_APPLIANCE_CONFIG", raising=False)
        Path(home).chmod(0o755)
        folder = Path(home, "va")
        folder.mkdir()
        (folder / "appliance.db").touch()
        folder.chmod(0)
        try:
            if user == 0:
                os.seteuid(65_534)
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o700)


def test_a_folder_that_is_closed_is_told_with_its_remedy(closed: Path) -> None:
    check = _database(closed / "appliance.db", copies)
    assert (check.fine, check.remedy) == (False, AS_ROOT)
    assert "Permission denied" in check.found
    assert board.disk(closed / "deeper").part == "disk"


def test_timers_in_a_closed_folder_are_one_clear_error(closed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timers", "--state", str(closed)]) == 3
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "Permission denied" in error
    assert AS_ROOT in error
