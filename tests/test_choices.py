"""What is chosen on the hub's page: laid under the settings file, checked, on the disk, taken back where it harms."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import ValidationError

from appliance import choices_file
from appliance.choices_file import FILE, RESTARTS_MOST, TRIES, Choices
from appliance.errors import BadSettings, StoreUnusable, WrongUse
from appliance.models.registry import WAKE_FEATURES, Catalog
from appliance.settings import Settings
from appliance.settings_choices import PLACES, Chosen, Kept
from appliance.settings_file import Source

ZONES = ["", "Europe/Berlin", "America/New_York"]
TIMES = some.times().map(lambda at: at.replace(second=0, microsecond=0, tzinfo=None))
VALUES: dict[str, some.SearchStrategy[Any]] = {
    "place": some.sampled_from(["Utrecht", "Ulm, Germany", "x" * 80]),
    "timezone": some.sampled_from(ZONES),
    "language": some.sampled_from(["en", "de"]),
    "wake_word": some.sampled_from(["alexa", "hey_mycroft"]),
    "quiet_from": TIMES,
    "quiet_until": TIMES,
    "cues": some.booleans(),
    "ring_sound": some.sampled_from(["chime", "bell", "gong", "birds"]),
    "speed": some.floats(0.5, 2),
    "follow_up_s": some.floats(0, 60),
    "skills_off": some.lists(some.sampled_from(["later", "weather", "music"]), unique=True),
}
SOME = some.fixed_dictionaries({}, optional=VALUES)


def toml(chosen: dict[str, Any]) -> str:
    """The same as a settings file."""
    lines = ["log_words = false"]
    for name, value in chosen.items():
        plain = value.isoformat() if isinstance(value, time) else value
        told = [plain] if name == "wake_word" else plain
        lines.append(f"{'.'.join(PLACES[name])} = {json.dumps(told)}")
    return "\n".join(lines)


def setting(settings: Settings, name: str) -> Any:
    value: Any = settings
    for key in PLACES[name]:
        value = getattr(value, key)
    return value[0] if name == "wake_word" else value


@given(SOME, SOME)
def test_the_file_wins_then_what_was_chosen_then_the_default(
    tmp_path_factory: pytest.TempPathFactory, file: dict[str, Any], chosen: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("layers")
    (folder / "config.toml").write_text(toml(file))
    source, default = Source(folder / "config.toml", "desktop", folder), Settings()
    source.choices.choose(Kept(**chosen))
    made = source.load()
    for name in PLACES.keys() - {"skills_off"}:
        wanted = file[name] if name in file else chosen.get(name, setting(default, name))
        assert setting(made, name) == wanted, name
    assert {*made.skills.off} == {*file.get("skills_off", []), *chosen.get("skills_off", [])}
    assert source.fixed() == file.keys() - {"skills_off"}


def test_whatever_else_stands_there_is_not_taken(tmp_path: Path) -> None:
    """The service's user may write it, and may not let itself out, nor run anything."""
    plain = Source(None, "desktop", tmp_path).load()
    for more in ({"hub": {"address": "0.0.0.0"}}, {"log_words": True}, {"state": "/"}, {"place": "a\nb"}):
        (tmp_path / FILE).write_text(json.dumps({"chosen": {"timezone": "Europe/Berlin", **more}}))
        assert Source(None, "desktop", tmp_path).load() == plain, more


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "damaged"])
def test_what_is_no_file_of_choices_is_passed_over_and_written_anew(tmp_path: Path, kind: str) -> None:
    (outside := tmp_path / "outside.json").write_text(json.dumps({"chosen": {"place": "Ulm"}}))
    path = tmp_path / "state" / FILE
    path.parent.mkdir()
    make: dict[str, Callable[[], object]] = {
        "link": lambda: path.symlink_to(outside),
        "pipe": lambda: os.mkfifo(path),
        "folder": lambda: path.mkdir(),
        "damaged": lambda: path.write_text('{"chosen": {"place": "Ul'),
    }
    make[kind]()
    choices = Choices(path.parent)
    assert choices.kept == Kept()
    if kind == "folder":
        with pytest.raises(StoreUnusable, match="nothing was changed"):
            choices.choose(Kept(place="Utrecht"))
        return
    choices.choose(Kept(place="Utrecht"))
    assert Choices(path.parent).kept.place == "Utrecht"
    assert "Ulm" in outside.read_text(), "what a link leads to is left alone"


@pytest.mark.parametrize(
    "wrong",
    [{"timezone": "Nowhere/Land"}, {"speed": 9}, {"language": "xx"}, {"place": "a\nb"}, {"hub": {}}, {"cues": "maybe"}],
)
def test_what_is_out_of_its_range_cannot_be_chosen(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Chosen.model_validate(wrong)


def test_each_wake_word_that_may_be_chosen_has_a_model() -> None:
    """And no other may be: root looks at what this file asks for when it brings models."""
    known = {name for name in Catalog(Path()).models if name.startswith("wake/")} - {WAKE_FEATURES}
    assert {f"wake/{each}" for each in get_args(Chosen.model_fields["wake_word"].annotation)} == known


def test_a_start_that_is_ended_on_request_has_not_failed(tmp_path: Path) -> None:
    choices = Choices(tmp_path)
    choices.choose(Kept(place="Ulm"))
    for _ in range(RESTARTS_MOST):
        assert not choices.begin()
        choices.note_restart()
    assert choices.kept.place == "Ulm"


def test_a_change_with_which_the_box_does_not_start_well_is_taken_back(tmp_path: Path) -> None:
    choices, old, new = Choices(tmp_path), Kept(place="Utrecht"), Kept(place="Ulm")
    choices.choose(old)
    assert not choices.begin()
    choices.well(old)
    assert not choices.begin(), "with what was good it may start as often as it likes"
    choices.choose(new)
    for _ in range(TRIES):
        assert not choices.begin()
        assert choices.kept == new
    assert choices.begin()
    assert (choices.kept, choices.taken_back) == (old, True)
    choices.choose(new)
    assert not choices.taken_back
    choices.begin()
    choices.well(new)
    assert not any(choices.begin() for _ in range(5))
    assert choices.kept == new


def test_what_is_chosen_while_it_starts_is_not_taken_for_good(tmp_path: Path) -> None:
    choices = Choices(tmp_path)
    choices.begin()
    choices.choose(Kept(place="Ulm"))
    choices.well(Kept())
    for _ in range(TRIES):
        choices.begin()
    assert choices.begin()
    assert choices.kept == Kept()


def test_a_card_that_takes_nothing_leaves_what_was_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choices = Choices(tmp_path)
    choices.choose(Kept(place="Utrecht"))

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreUnusable, match=r"No space left.*nothing was changed"):
        choices.choose(Kept(place="Ulm"))
    assert choices.kept.place == "Utrecht"
    choices.begin()


def test_a_restart_is_not_asked_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or systemd gives the service up."""
    now_s = 1_000_000.0
    monkeypatch.setattr("time.time", lambda: now_s)
    choices = Choices(tmp_path)
    for _ in range(RESTARTS_MOST):
        choices.note_restart()
    with pytest.raises(WrongUse, match="wait 60 minutes"):
        choices.note_restart()
    now_s += choices_file.WITHIN_S
    choices.note_restart()


def test_a_mistake_in_the_file_is_told_whatever_was_chosen(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("place = 3")
    Choices(tmp_path).choose(Kept(speed=1.5))
    with pytest.raises(BadSettings, match="place = 3"):
        Source(tmp_path / "config.toml", "desktop", tmp_path).load()
