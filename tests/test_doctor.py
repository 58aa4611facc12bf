"""The checks that need no model."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.doctor import _pins
from appliance.errors import BadSettings
from appliance.settings import Body, Settings, load


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


def test_a_light_has_one_pin_or_three(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('body = { light_pins = ["GPIO22", "GPIO23"] }')
    with pytest.raises(BadSettings, match=r"body\.light_pins.*no pin, one, or three"):
        load(tmp_path / "config.toml")
