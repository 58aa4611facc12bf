"""Without discord.py the door is one clear error with its remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.build import discord as building
from appliance.errors import PartMissing
from appliance.settings import Settings


def test_without_the_extra_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (token := tmp_path / "token").write_text("x")
    token.chmod(0o600)
    monkeypatch.setattr(building, "find_spec", lambda name: None)
    monkeypatch.setattr(building, "LIBRARY", tmp_path / "absent")
    with pytest.raises(PartMissing, match=r"discord\.py is not installed.*pip install --target"):
        building.check(Settings.model_validate({"discord": {"token_file": token}}))
