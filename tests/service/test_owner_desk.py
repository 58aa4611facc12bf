"""What the core does for the owner's page, without a start: what the settings file has a say in, what is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from appliance import build
from appliance.audio import never
from appliance.build.owned import OwnerDesk
from appliance.build.start import Started
from appliance.build.typed import TypedParts, typed_parts
from appliance.errors import ApplianceError
from appliance.models import manifest
from appliance.ports import owner
from appliance.ports.hub import Do, Nothing
from appliance.ports.refusals import Refused
from appliance.settings_file import Source

FILE = """
place = "the hall"
[words]
model = "whisper-tiny.en"
[skills]
off = ["web"]
"""


class Desk:
    def __init__(self, parts: TypedParts) -> None:
        self.parts, self._handlers = parts, OwnerDesk(parts).handlers

    def ask(self, do: Do, asked: Any = None) -> Any:
        return self._handlers[do].do(asked or Nothing(), lambda event: None, never)

    def choose(self, **changes: Any) -> owner.OwnSettings:
        told = self.ask("choose", owner.Choose(changes=changes))
        assert isinstance(told, owner.OwnSettings)
        return told


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("VOICE_APPLIANCE_MODELS", str(tmp_path / "none"))
    (file := tmp_path / "config.toml").write_text(FILE)
    source = Source(file, "desktop", tmp_path / "state")
    (tmp_path / "state").mkdir()
    settings = source.load()
    with typed_parts(settings, build.clock(settings), lambda text: None, 0.01) as parts:
        parts.started = Started(source=source)
        yield Desk(parts)


def test_what_the_settings_file_makes_is_told_and_not_changed(desk: Desk) -> None:
    told = desk.ask("settings")
    assert (told.fixed, told.values["place"], told.set_up, told.restarts) == (["place"], "the hall", True, False)
    with pytest.raises(Refused, match="place is set in the settings file") as caught:
        desk.choose(place="Ulm", cues=False)
    assert caught.value.kind == "not_allowed"
    assert desk.ask("settings").values["cues"] is True


def test_what_the_box_does_not_have_is_not_chosen(desk: Desk) -> None:
    assert desk.ask("settings").choices["language"] == ["en"], "no other model is here"
    for wrong in ({"language": "de"}, {"wake_word": "alexa"}, {"nonsense": 1}, {"cues": "perhaps"}):
        with pytest.raises(Refused) as caught:
            desk.choose(**wrong)
        assert caught.value.kind == "bad_request"
    assert desk.ask("settings").waits == []


def test_german_is_offered_where_the_model_that_a_german_box_takes_is_here(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings name one that hears English alone: in German `whisper-base` stands in for it."""
    small = manifest.File.model_validate(
        {"name": "m.bin", "bytes": 3, "sha256": hashlib.sha256(b"abc").hexdigest(), "source": [{"url": "file:m"}]}
    )
    models = manifest.read(None)
    models["whisper-base"] = models["whisper-base"].model_copy(update={"files": (small,)})
    monkeypatch.setattr(manifest, "read", lambda file: models)
    assert desk.ask("settings").choices["language"] == ["en"]
    place = desk.parts.settings.models / small.sha256 / small.name
    place.parent.mkdir(parents=True)
    place.write_bytes(b"abc")
    assert desk.ask("settings").choices["language"] == ["de", "en"]
    assert desk.choose(language="de").values["language"] == "de"


def test_skills_are_switched_but_for_those_that_the_file_names(desk: Desk) -> None:
    skills = {each.name: each for each in desk.ask("skills").skills}
    assert (skills["web"].on, skills["web"].fixed, skills["lists"].on) == (False, True, True)
    with pytest.raises(Refused, match="names web"):
        desk.ask("switch", owner.Switch(skill="web", on=True))
    with pytest.raises(Refused, match="there is no skill"):
        desk.ask("switch", owner.Switch(skill="nothing", on=True))
    off = {each.name: each for each in desk.ask("switch", owner.Switch(skill="lists", on=False)).skills}
    assert (off["lists"].on, off["lists"].waits) == (False, True)
    assert desk.ask("settings").waits == ["skills"]
    assert {*desk.parts.started.source.load().skills.off} == {"web", "lists"}
    on = {each.name: each for each in desk.ask("switch", owner.Switch(skill="lists", on=True)).skills}
    assert (on["lists"].on, on["lists"].waits) == (True, False)


def test_of_many_switches_at_once_none_is_lost(desk: Desk) -> None:
    names = [each.name for each in desk.ask("skills").skills if not each.fixed]
    with ThreadPoolExecutor(8) as pool:
        [*pool.map(lambda name: desk.ask("switch", owner.Switch(skill=name, on=False)), names)]
    assert {*desk.parts.started.source.load().skills.off} == {*names, "web"}


def test_where_nobody_would_start_it_again_it_does_not_end(desk: Desk) -> None:
    ended = list[bool]()
    vars(desk.parts)["_end"] = lambda: ended.append(True)
    with pytest.raises(Refused, match="nobody would start the box again"):
        desk.ask("restart")
    assert ended == []


def test_a_card_that_takes_nothing_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ApplianceError, match="nothing was changed"):
        desk.choose(cues=False)
    assert desk.ask("settings").waits == []
