"""What the doctor says of a strip of LEDs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from appliance.settings import Body
from appliance.terminal import strips
from appliance.terminal.check import Check


def looked(root: Path, **body: object) -> Check:
    (check,) = strips.check(Body.model_validate(body), root)
    return check


@pytest.fixture
def board(tmp_path: Path) -> Path:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    return tmp_path


def test_without_one_nothing_is_said(tmp_path: Path) -> None:
    assert strips.check(Body(), tmp_path) == []


def test_one_that_is_there_is_told(board: Path) -> None:
    assert looked(board, strip="apa102", strip_leds=3) == Check("strip", True, "apa102, 3 LEDs on /dev/spidev0.0")
    assert looked(board, strip="apa102", hat="respeaker-2mic").found.startswith("respeaker-2mic, ")
    assert looked(board, strip="apa102", strip_pins=["GPIO5", "GPIO6"]).found == "apa102, 1 LEDs on GPIO5 and GPIO6"


@pytest.mark.parametrize(
    ("body", "found", "remedy"),
    [
        ({"strip": "ws2812", "strip_bus": "/dev/spidev0.1"}, "there is /dev/spidev0.0", "set body.strip_bus"),
        ({"strip": "xvf3800"}, "no ReSpeaker is plugged in", "plug it in"),
    ],
)
def test_one_that_is_not_there_has_a_remedy(board: Path, body: dict[str, str], found: str, remedy: str) -> None:
    check = looked(board, **body)
    assert (check.fine, check.remedy) == (False, remedy)
    assert found in check.found


def test_a_board_whose_spi_is_off_is_told_how_to_switch_it_on(tmp_path: Path) -> None:
    check = looked(tmp_path, strip="apa102")
    assert "no SPI bus" in check.found
    assert "dtparam=spi=on" in check.remedy


def test_a_bus_that_may_not_be_used(board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "group spi" in looked(board, strip="apa102").remedy


@pytest.mark.parametrize(("strip", "file"), [("apa102", "spi.conf"), ("xvf3800", "usb.conf")])
def test_a_unit_that_does_not_let_the_service_in_is_found(board: Path, strip: str, file: str) -> None:
    units, usb = board / "etc/systemd/system", board / "sys/bus/usb/devices/1-2"
    for folder in (units / "va.service.d", usb):
        folder.mkdir(parents=True)
    (usb / "idVendor").write_text("2886\n")
    (units / "va.service").touch()
    check = looked(board, strip=strip)
    assert (check.fine, file in check.remedy) == (False, True)
    (units / "va.service.d" / file).touch()
    assert looked(board, strip=strip).fine
