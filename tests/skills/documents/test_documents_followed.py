"""The index follows the folder: what is new, changed, renamed or gone; over restarts, kills, damage and full disks."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from documents_box import Box, pdf, touched

from appliance.errors import CannotBeDone
from appliance.skills.documents import reader
from appliance.skills.documents.folder import called, look
from appliance.skills.documents.passage import Passage
from appliance.skills.loader import load


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def counting(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that are read from now on."""
    seen, read = list[Path](), reader.Reader.read

    def noted(self: reader.Reader, path: Path) -> Iterator[Passage]:
        seen.append(path)
        return read(self, path)

    monkeypatch.setattr(reader.Reader, "read", noted)
    return seen


def test_what_is_new_changed_and_gone_is_followed(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counting(monkeypatch)
    path = box.write("garden/pump.txt", "Prime the pump with a litre of water.")
    box.look()
    assert "Prime the pump" in box.search("prime the pump")
    box.look()
    assert len(seen) == 1, "what did not change is not read again"
    touched(box.write("garden/pump.txt", "Grease the axle of the pump."), 5)
    box.look()
    assert "Grease the axle" in box.search("axle")
    assert "nothing about prime" in box.search("prime")
    path.unlink()
    box.look()
    assert box.files() == {}
    assert "nothing about axle" in box.search("axle")


def test_what_was_renamed_or_moved_is_not_read_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counting(monkeypatch)
    path = box.write("scan0001.txt", "The valve is behind the panel.")
    box.look()
    (box.folder / "boiler").mkdir()
    path.rename(box.folder / "boiler" / "Boiler_manual.txt")
    box.look()
    assert len(seen) == 1
    assert box.search("valve") == "The Boiler manual says:\nThe valve is behind the panel."
    assert "The valve" in box.search("valve", "the boiler manual")


def test_a_drive_that_gives_its_files_new_numbers_is_not_read_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counting(monkeypatch)
    path = box.write("a.txt", "One.")
    box.look()
    again = path.with_name("a.new")
    shutil.copy2(path, again)
    again.replace(path)
    box.look()
    assert len(seen) == 1


def test_a_file_that_may_not_be_read_is_read_once_it_may(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.write("a.txt", "One.")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert look(box.folder, 0)["a.txt"].split()[2] == "0"
    box.look()
    monkeypatch.undo()
    seen = counting(monkeypatch)
    box.look()
    assert len(seen) == 1


def test_links_pipes_hidden_and_unsettled_files_and_other_kinds_are_passed_over(box: Box, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("Secret.")
    (box.folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text("Other.")
    (box.folder / "linked").symlink_to(tmp_path / "other")
    os.mkfifo(box.folder / "pipe.txt")
    for name in (".hidden.txt", ".git/a.txt", "~$a.docx", "a.xlsx", "b.TXT"):
        box.write(name, "Text.")
    assert look(box.folder, 0).keys() == {"b.TXT"}
    assert look(box.folder).keys() == set(), "it is still being copied"
    touched(box.folder / "b.TXT", -60)
    assert look(box.folder).keys() == {"b.TXT"}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/Washing_machine-manual.pdf", "Washing machine manual"),
        ("boiler.v2.docx", "boiler v2"),
        ("--.txt", "--.txt"),
    ],
)
def test_a_document_is_called_by_its_file(path: str, name: str) -> None:
    assert called(path) == name


def test_a_folder_that_is_away_changes_nothing_and_is_told_once(box: Box, caplog: pytest.LogCaptureFixture) -> None:
    box.write("a.txt", "Stays.")
    box.look()
    away = box.folder.rename(box.folder.with_name("away"))
    box.look()
    box.look()
    assert "Stays." in box.search("stays")
    [record] = caplog.records
    assert str(box.folder) in record.getMessage()
    away.rename(box.folder)
    box.look()
    assert box.states() == {"a.txt": "read"}


def test_a_damaged_index_is_made_anew_by_itself(box: Box, caplog: pytest.LogCaptureFixture) -> None:
    box.write("a.txt", "The stopcock is under the stairs. " * 2_000)
    box.look()
    with sqlite3.connect(box.index.path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    data = bytearray(box.index.path.read_bytes())
    data[4_096 : len(data)] = os.urandom(len(data) - 4_096)
    box.index.path.write_bytes(data)
    with pytest.raises(CannotBeDone):
        box.search("stopcock")
    assert "is made anew" in caplog.text
    assert "not begun" in box.search("stopcock")
    box.look()
    assert "under the stairs" in box.search("stopcock")


@pytest.mark.parametrize("content", [b"no database at all" * 500, b"\0" * 100])
def test_a_file_that_is_no_index_is_made_anew(box: Box, content: bytes) -> None:
    box.write("a.txt", "Here.")
    box.index.path.parent.mkdir(parents=True)
    box.index.path.write_bytes(content)
    box.look()
    box.look()
    assert "Here." in box.search("here")


def test_an_index_of_another_form_is_made_anew(box: Box) -> None:
    box.write("a.txt", "Here.")
    box.look()
    with sqlite3.connect(box.index.path) as db:
        db.executescript("PRAGMA user_version = 99; DROP TABLE passages")
    db.close()
    box.look()
    assert "Here." in box.search("here")


def test_killed_at_any_moment_it_goes_on_at_the_next_start(tmp_path: Path) -> None:
    box = Box(tmp_path)
    for at in range(12):
        box.write(f"{at}.txt", f"Document {at} is about topic{at}. " + "More words follow here. " * 4_000)
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from pathlib import Path; from documents_box import Box\n"
        "Box(Path(sys.argv[1])).look()"
    )
    for after_s in (1.5, 2.0, 2.5):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path), *filter(None, sys.path)])
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with sqlite3.connect(box.index.path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.close()
    box.look()
    assert {*box.states().values()} == {"read"}
    assert all(f"Document {at} is" in box.search(f"topic{at}") for at in range(12))
    with sqlite3.connect(box.index.path) as db:
        rows = db.execute("SELECT count(*) FROM passages").fetchone()[0]
        assert rows == db.execute("SELECT sum(last - first + 1) FROM files").fetchone()[0]
    db.close()


def test_the_end_of_the_service_leaves_a_file_as_it_was(box: Box) -> None:
    path = box.write("a.txt", "Old words.")
    box.look()
    touched(box.write("a.txt", "New words. " * 50_000), 5)
    answers = iter([True] * 20)
    box.keeper.tend(lambda: next(answers, False))
    assert box.states() == {"a.txt": "waiting"}
    assert "Old words." in box.search("words")
    box.look()
    assert "New words." in box.search("words")
    assert path.exists()


def test_a_full_disk_stops_it_and_is_told_once(
    box: Box, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    box.write("a.txt", "Words.")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=10_000_000))
    box.look()
    box.look()
    assert box.states() == {"a.txt": "waiting"}
    assert caplog.text.count("MB are free") == 1
    monkeypatch.undo()
    box.look()
    assert box.states() == {"a.txt": "read"}


def test_one_that_is_left_out_is_logged_once_over_restarts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    box = Box(tmp_path)
    (box.folder / "a.pdf").write_bytes(b"nothing")
    for _ in range(2):
        box.look()
        box = Box(tmp_path)
        box.look()
    [record] = caplog.records
    assert record.getMessage() == f"the document {box.folder / 'a.pdf'} is left out: " + (
        "it is damaged, or is not what its name says, so save it again"
    )
    touched(pdf(box.folder / "a.pdf", ["Whole."]), 5)
    box.look()
    assert "page 1, says:\nWhole." in box.search("whole")


def test_a_factory_reset_erases_the_index_and_not_the_files(box: Box) -> None:
    path = box.write("a.txt", "Words.")
    box.look()
    assert box.index.path.exists()
    skills = load(box.context())
    skills.erase()
    skills.erase()
    assert not box.index.path.parent.exists()
    assert path.read_text() == "Words."
