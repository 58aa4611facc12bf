"""`appliance library`: real files, real links, and an attempt that is broken off."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from books import ARTICLES

from appliance.cli import main
from appliance.errors import BadSettings, PartMissing, WrongUse
from appliance.skills.encyclopedia import library
from appliance.skills.encyclopedia.library import Library
from bench import zim_file


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "usb").mkdir()
    return zim_file.write(tmp_path / "usb/harbour.zim", ARTICLES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "zim"


def quiet(name: str, done: int, total: int, note: str) -> None: ...


def refuse(*_: object) -> None:
    raise OSError


def test_on_one_disk_it_is_a_link_and_is_listed_with_licence_source_and_hash(book: Path, folder: Path) -> None:
    added = Library(folder).add(book, quiet)
    assert (folder / "harbour.zim").samefile(book)
    assert [*Library(folder).books()] == [added]
    assert (added.title, added.licence, added.source) == ("Harbour Encyclopedia", "CC BY-SA 4.0", "harbour.example")
    assert (added.state, added.full_text, added.bytes) == ("here", True, book.stat().st_size)
    assert added.sha256 == hashlib.sha256(book.read_bytes()).hexdigest()


@pytest.mark.parametrize("begun", ["", "half", "other", "longer"])
def test_a_copy_goes_on_where_one_was_broken_off(
    begun: str, book: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr(library, "CHUNK", 1_000)
    whole = book.read_bytes()
    folder.mkdir()
    parts = {"half": whole[: len(whole) // 2], "other": b"x" * 2_500, "longer": whole + b"more"}
    if begun:
        (folder / "harbour.zim.part").write_bytes(parts[begun])
    Library(folder).add(book, quiet)
    assert (folder / "harbour.zim").read_bytes() == whole
    assert [path.name for path in sorted(folder.iterdir())] == ["harbour.zim", "harbour.zim.sha256"]


def test_a_copy_tells_how_far_it_is(book: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "CHUNK", 1_000)
    told: list[int] = []
    Library(folder).add(book, lambda name, done, total, note: told.append(done * 100 // total))
    assert told == sorted(told)
    assert len(told) > 5
    assert told[-1] == 100


def test_what_is_no_zim_file_or_is_there_already_is_refused(book: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "text.zim").write_text("no ZIM file, though its name says so, and it is longer than a header is")
    with pytest.raises(PartMissing, match=r"text\.zim cannot be used"):
        Library(folder).add(tmp_path / "text.zim", quiet)
    with pytest.raises(WrongUse, match=r"gone\.zim is no file"):
        Library(folder).add(tmp_path / "gone.zim", quiet)
    Library(folder).add(book, quiet)
    with pytest.raises(WrongUse, match=r"is there already; say first: library remove harbour\.zim"):
        Library(folder).add(book, quiet)


def test_a_file_that_is_not_what_its_publisher_named_is_refused(book: Path, folder: Path) -> None:
    book.with_name("harbour.zim.sha256").write_text(f"{'0' * 64}  harbour.zim\n")
    with pytest.raises(PartMissing, match=r"is not what harbour\.zim\.sha256 names; download it again"):
        Library(folder).add(book, quiet)
    assert [*folder.iterdir()] == []
    assert book.is_file()


def test_a_full_disk_is_told_before_anything_is_copied(
    book: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr(library, "ROOM_LEFT", 1 << 60)
    with pytest.raises(PartMissing, match=r"harbour\.zim needs .* MB more .* free some"):
        Library(folder).add(book, quiet)
    assert [*folder.iterdir()] == []


def test_one_is_removed_by_its_name_and_nothing_beyond_the_folder(book: Path, folder: Path) -> None:
    Library(folder).add(book, quiet)
    with pytest.raises(WrongUse, match=r"choose one of: harbour\.zim"):
        Library(folder).remove("../usb/harbour.zim")
    Library(folder).remove("harbour.zim")
    assert [*folder.iterdir()] == []
    assert book.is_file()


def test_without_a_folder_it_says_how_to_set_one() -> None:
    with pytest.raises(BadSettings, match=r'set folder = "/var/lib/va/zim" in \[encyclopedia\]'):
        Library(None)


def test_by_its_command(book: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[encyclopedia]\nfolder = "{folder}"\n')
    assert main(["library", "add", str(book), "--config", str(config), "--json"]) == 0
    (folder / "broken.zim").write_text("")
    capsys.readouterr()
    assert main(["library", "--config", str(config), "--json"]) == 0
    assert [(row["name"], row["state"]) for row in json.loads(capsys.readouterr().out)] == [
        ("broken.zim", "damaged"),
        ("harbour.zim", "here"),
    ]
    assert main(["library", "list", "--config", str(config)]) == 0
    assert "4 articles, full text" in capsys.readouterr().out
    assert main(["library", "remove", "broken.zim", "--config", str(config)]) == 0
