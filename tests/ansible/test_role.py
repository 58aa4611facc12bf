"""The role on a box that is a folder: from a fresh card to an answer, then new releases, good and bad. In this order.

There is no PID 1 in a folder, so nothing is started there: that the units start is for the test in a machine.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import releases
from box import Box
from playing import Played

from appliance import settings_file

SETTINGS: dict[str, Any] = {
    "place": 'the "Lab"',
    "thought": {"model": "smollm2-135m"},
    "words": {"model": "whisper-tiny.en"},
    "ears": {"wake_words": ["hey_jarvis"], "wake_threshold": 0.5},
    "reply": {"roles": {"brief": {"prompt": "Be brief.", "tools": ["calculate"]}}},
}
FIRMWARE = "/boot/firmware/config.txt"

pytestmark = pytest.mark.provision


class Fleet:
    """One box, and the machine that looks after it with a release for each version."""

    def __init__(self, folder: Path) -> None:
        self.box, self._folder = Box(folder), folder

    def release(self, version: str, **edits: str) -> Path:
        return releases.make(self._folder, version, **edits)

    def play(self, release: Path, *options: str, playbook: str = "update", **more: Any) -> Played:
        variables = {
            "voice_appliance_store": str(settings_file.load().models),
            "voice_appliance_settings": SETTINGS,
            "voice_appliance_gate_ignores": ["microphone", "speaker"],
            "voice_appliance_board": "Raspberry Pi 5 Model B Rev 1.0",
            "voice_appliance_pi_overlays": ["googlevoicehat-soundcard"],
            "voice_appliance_pi_params": {"audio": False},
            "voice_appliance_cpu_governor": "performance",
        }
        return self.box.play(playbook, releases.variables(release) | variables | more, *options)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    made = Fleet(tmp_path_factory.mktemp("fleet"))
    made.box.path("boot/firmware").mkdir(parents=True)
    made.box.path(FIRMWARE).write_text("camera_auto_detect=1\n")
    return made


@pytest.fixture(scope="module")
def first(fleet: Fleet) -> Path:
    return fleet.release("1")


@pytest.fixture(scope="module")
def second(fleet: Fleet) -> Path:
    return fleet.release("2")


@pytest.fixture(scope="module")
def broken(fleet: Fleet) -> Path:
    return fleet.release("3", **releases.BROKEN)


def test_check_on_a_fresh_card_changes_nothing(fleet: Fleet, first: Path) -> None:
    played = fleet.play(first, "--check", playbook="site")
    assert played.worked, played.text
    assert not fleet.box.path("opt/va").exists()
    assert not fleet.box.path("etc/voice-appliance").exists()


def test_first_release_that_fails_leaves_none_to_be_taken_for_good(fleet: Fleet, broken: Path) -> None:
    played = fleet.play(broken, playbook="site")
    assert not played.worked
    assert "not an appliance yet" in played.text
    assert fleet.box.link("current") == ""


def test_fresh_card_becomes_an_appliance_that_answers(fleet: Fleet, first: Path) -> None:
    played = fleet.play(first, playbook="site")
    assert played.worked, played.text
    box = fleet.box
    assert box.link("current").startswith("1+")
    assert "va" in box.path("etc/passwd").read_text()
    assert box.path("etc/systemd/system/multi-user.target.wants/va.service").is_symlink()
    written = tomllib.loads(box.path("etc/voice-appliance/config.toml").read_text())
    assert written == {"state": "/var/lib/va", "models": "/srv/va/models"} | SETTINGS
    told = json.loads(box.run("sh", "-c", "appliance doctor --json || true"))
    assert {check["part"] for check in told["checks"] if not check["fine"]} <= {"microphone", "speaker"}
    assert "scaling_governor - - - - performance" in box.path("etc/tmpfiles.d/va-board.conf").read_text()
    firmware = box.path(FIRMWARE).read_text()
    assert "dtoverlay=googlevoicehat-soundcard\ndtparam=audio=off\n" in firmware
    assert firmware.startswith("camera_auto_detect=1\n")


def test_second_run_changes_nothing(fleet: Fleet, first: Path) -> None:
    played = fleet.play(first, playbook="site")
    assert (played.worked, played.changed) == (True, 0), played.text


def test_rollback_without_a_release_before_leaves_the_box_as_it_is(fleet: Fleet, first: Path) -> None:
    before = fleet.box.link("current")
    played = fleet.play(first, playbook="rollback")
    assert (played.worked, played.changed) == (False, 0), played.text
    assert "There is no release before" in played.text
    assert fleet.box.link("current") == before


def test_wrong_setting_is_named_and_the_box_stays_as_it_was(fleet: Fleet, first: Path) -> None:
    config = fleet.box.path("etc/voice-appliance/config.toml")
    before = config.read_bytes()
    played = fleet.play(first, voice_appliance_settings=SETTINGS | {"voice": {"speed": 9}})
    assert not played.worked
    assert "voice.speed = 9" in played.text
    assert config.read_bytes() == before


def test_unknown_variable_value_is_refused_before_anything_runs(fleet: Fleet, first: Path) -> None:
    played = fleet.play(first, voice_appliance_ready_s="soon")
    assert not played.worked
    assert "voice_appliance_ready_s" in played.text


def test_part_that_is_wrong_fails_the_box_with_its_remedy(fleet: Fleet, first: Path) -> None:
    played = fleet.play(first, voice_appliance_gate_ignores=["speaker"])
    assert not played.worked
    assert "microphone: there is no device. Remedy: plug in a microphone" in " ".join(played.text.split())


def test_damaged_model_is_brought_again(fleet: Fleet, first: Path) -> None:
    model = next(fleet.box.path("srv/va/models").glob("*/silero_vad.onnx"))
    whole = model.read_bytes()
    model.write_bytes(whole[:-1] + b"?")
    played = fleet.play(first)
    assert played.worked, played.text
    assert model.read_bytes() == whole


def test_new_release_is_switched_to_and_the_one_before_is_kept(fleet: Fleet, second: Path) -> None:
    before = fleet.box.link("current")
    played = fleet.play(second)
    assert played.worked, played.text
    assert fleet.box.link("current").startswith("2+")
    assert fleet.box.link("previous") == before


def test_broken_release_goes_back_by_itself_and_the_host_fails(fleet: Fleet, broken: Path) -> None:
    before = [fleet.box.link(name) for name in ("current", "previous")]
    played = fleet.play(broken, voice_appliance_settings=SETTINGS | {"place": "elsewhere"})
    assert not played.worked
    assert f"Release {before[0]} is in use again" in played.text
    assert releases.FAULT in played.text
    assert [fleet.box.link(name) for name in ("current", "previous")] == before
    assert not list(fleet.box.path("opt/va/releases").glob("3+*"))
    assert "elsewhere" not in fleet.box.path("etc/voice-appliance/config.toml").read_text()


def test_rollback_goes_to_the_release_before(fleet: Fleet, second: Path) -> None:
    before = fleet.box.link("previous")
    played = fleet.play(second, playbook="rollback")
    assert played.worked, played.text
    assert fleet.box.link("current") == before
