"""A box whose voice is damaged speaks in another one, and says so where it is asked how it is."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typed_service import running_with

from appliance.build.voices import Voices
from appliance.errors import ModelDamaged, PartMissing
from appliance.models.registry import Catalog
from appliance.settings import Settings, Words
from appliance.settings import Voice as VoiceSettings
from appliance.tts.espeak import EspeakVoice
from appliance.tts.pair import Pair
from appliance.tts.piper import Piper

ModelPath = Callable[..., Path]
WITHIN_S = 180
"""Longest wait for the models, on a machine that does other things as well."""
KOKORO = "kokoro/heart"
JOE = "piper-en-us-joe"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (folder := tmp_path / "models").mkdir()
    return folder


def link(store: Path, *files: Path) -> None:
    for file in files:
        (store / file.parent.name).symlink_to(file.parent)


def damage(store: Path, file: Path) -> None:
    """The same bytes but for one."""
    (folder := store / file.parent.name).mkdir()
    shutil.copyfile(file, folder / file.name)
    with (folder / file.name).open("r+b") as changed:
        changed.seek(file.stat().st_size // 2)
        byte = changed.read(1)
        changed.seek(-1, 1)
        changed.write(bytes([byte[0] ^ 0xFF]))


def voices(store: Path, name: str, language: str = "en") -> Voices:
    settings = Settings(models=store, voice=VoiceSettings(model=name), words=Words(language=language))
    return Voices(settings, Catalog(store), lambda note: None)


@pytest.fixture
def joe(model: ModelPath) -> tuple[Path, Path]:
    return model(JOE, "onnx"), model(JOE, "json")


def comes(there: Callable[[], bool]) -> bool:
    ends_s = time.monotonic() + WITHIN_S
    while not there() and time.monotonic() < ends_s:
        time.sleep(0.05)
    return there()


@pytest.mark.parametrize("damaged", ["kokoro/network", KOKORO])
def test_box_with_a_damaged_voice_speaks_with_piper_and_says_so(
    damaged: str, store: Path, joe: tuple[Path, Path], model: ModelPath, tmp_path: Path
) -> None:
    link(
        store,
        *{file.parent: file for file in joe}.values(),
        *(model(n) for n in ("kokoro/network", KOKORO) if n != damaged),
    )
    damage(store, model(damaged))
    settings = Settings(state=tmp_path / "state", models=store, voice=VoiceSettings(model=KOKORO))
    with running_with(settings, own_voice=True) as box:
        assert comes(lambda: bool(box.vitals.ready()[1]["voice"]))
        told = str(box.vitals.ready()[1]["voice"])
        assert told.startswith(f"{JOE} speaks, for model file ")
        assert told.endswith("is not what the manifest names; run: appliance models fetch")
        assert isinstance(box.parts.synthesizer, Piper)
        assert comes(lambda: "My own voice cannot be used, so another one speaks for me." in " ".join(box.said))


def test_box_with_its_own_voice_says_nothing_of_it(
    store: Path, joe: tuple[Path, Path], model: ModelPath, tmp_path: Path
) -> None:
    link(store, *joe, model("kokoro/network"), model(KOKORO))
    settings = Settings(state=tmp_path / "state", models=store, voice=VoiceSettings(model=KOKORO))
    with running_with(settings, own_voice=True) as box:
        assert comes(lambda: box.vitals.settled and isinstance(box.parts.synthesizer, Pair))
        assert box.vitals.ready()[1]["voice"] == ""


def test_espeak_speaks_where_nothing_else_is_here(store: Path) -> None:
    made = voices(store, KOKORO)
    assert isinstance(made.make(anyway=True), EspeakVoice)
    assert made.told.startswith("espeak-ng speaks, for model kokoro/network is not here")


def test_a_person_at_a_terminal_is_told_what_to_fetch(store: Path, model: ModelPath) -> None:
    with pytest.raises(PartMissing, match="run: appliance models fetch"):
        voices(store, "auto").make(anyway=False)
    damage(store, model(JOE, "onnx"))
    with pytest.raises(ModelDamaged):
        voices(store, "auto").make(anyway=False)


@pytest.mark.parametrize(("language", "lacks"), [("de", True), ("fr", False)])
def test_german_has_a_voice_and_other_languages_have_espeak(language: str, lacks: bool, store: Path) -> None:
    made = voices(store, "auto", language)
    assert isinstance(made.make(anyway=True), EspeakVoice)
    assert ("piper-de-thorsten is not here" in made.told) == lacks


def test_kokoro_is_for_english(store: Path) -> None:
    with pytest.raises(PartMissing, match=r'speaks English alone; set voice\.model = "auto"'):
        voices(store, KOKORO, "de").make(anyway=False)


def test_on_a_slow_board_the_usual_voice_is_named(
    store: Path, joe: tuple[Path, Path], model: ModelPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    link(store, *joe, model("kokoro/network"), model(KOKORO))
    made = voices(store, KOKORO)
    assert isinstance(made.make(anyway=False), Pair)
    assert made.told == ""
    monkeypatch.setattr(Pair, "too_slow", True)
    assert made.told == f"{JOE} speaks, for this board is too slow for {KOKORO}"
