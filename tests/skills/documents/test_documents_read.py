"""Documents of each kind, and strange ones, read by the process for it: what it finds, and what it costs."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from documents_box import Box, docx, epub, pdf, zipped_as

from appliance.skills.documents import child, reader
from appliance.skills.documents.passage import LeftOut, Passage
from appliance.skills.documents.reader import Reader


@pytest.fixture(scope="module")
def reading() -> Iterator[Reader]:
    with Reader() as made:
        yield made


def read(reading: Reader, path: Path) -> list[Passage]:
    return [*reading.read(path)]


def children() -> set[int]:
    """Of this process, those that read documents."""
    found = subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", child.__name__], capture_output=True, check=False)
    return {int(pid) for pid in found.stdout.split()}


def why(reading: Reader, path: Path) -> str:
    with pytest.raises(LeftOut) as error:
        read(reading, path)
    return str(error.value)


def test_a_pdf_is_read_by_page(reading: Reader, tmp_path: Path) -> None:
    found = read(reading, pdf(tmp_path / "a.pdf", ["Intro.", "Turn the fil-\nter to the left.\n(Do not force it.)"]))
    assert found == [Passage("Intro.", 1), Passage("Turn the filter to the left. (Do not force it.)", 2)]


def test_a_docx_is_read_by_the_pages_that_word_noted(reading: Reader, tmp_path: Path) -> None:
    found = read(reading, docx(tmp_path / "a.docx", ["First &amp; fore", "most.\fSecond page."]))
    assert found == [Passage("First & fore most.", 1), Passage("Second page.", 2)]
    assert read(reading, docx(tmp_path / "b.docx", ["No page."])) == [Passage("No page.")]


def test_an_epub_is_read_by_its_chapters_in_their_order(reading: Reader, tmp_path: Path) -> None:
    found = read(reading, epub(tmp_path / "a.epub", {"Bread": "Knead&nbsp;it.", "Soup": "Stir it."}))
    assert [(each.part, each.text) for each in found] == [("Bread", "Bread Knead it."), ("Soup", "Soup Stir it.")]


def test_markdown_is_read_by_its_headings(reading: Reader, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Before.\n\n# Pump\nPrime it.\n## Valve ##\nOpen it.\n")
    assert read(reading, tmp_path / "a.md") == [
        Passage("Before."),
        Passage("Prime it.", part="Pump"),
        Passage("Open it.", part="Valve"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_encodings_that_there_are(reading: Reader, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_text("Für die Größe: 5 µm.\n", encoding=encoding)
    assert read(reading, tmp_path / "a.txt") == [Passage("Für die Größe: 5 µm.")]


def test_a_long_text_is_read_whole_in_passages_that_end_with_a_sentence(reading: Reader, tmp_path: Path) -> None:
    sentences = [f"Sentence number {at} of the long text stands here." for at in range(20_000)]
    (tmp_path / "a.txt").write_text(" ".join(sentences))
    found = read(reading, tmp_path / "a.txt")
    assert " ".join(each.text for each in found) == " ".join(sentences)
    assert max(len(each.text) for each in found) <= 700
    assert sum(each.text.endswith(".") for each in found) > 0.9 * len(found)


def encrypted(path: Path) -> Path:
    writer = pypdf.PdfWriter(clone_from=pdf(path, ["Secret."]))
    writer.encrypt("password", algorithm="RC4-128")
    writer.write(path)
    return path


def pdf_bomb(path: Path) -> Path:
    """A page of 400 MB, in a file of 400 kB."""
    packed, packer = b"", zlib.compressobj(9)
    for _ in range(400):
        packed += packer.compress(b"0 0 m " * 175_000)
    packed += packer.flush()
    stream = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        stream,
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, each) for number, each in enumerate(objects, 1))
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R >>\n%%EOF")
    return path


def zip_bomb(path: Path) -> Path:
    """A text of 2 GB, in a file of 2 MB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as file:
        for _ in range(2_000):
            file.write(b" " * 1_000_000)
    return path


LAUGHS = '<!DOCTYPE w [<!ENTITY a "ha ha ha ha ha ha ha ha ha ha">' + "".join(
    f'<!ENTITY {after} "{f"&{name};" * 10}">' for name, after in zip("abcdefgh", "bcdefghi", strict=True)
)
LAUGHS += "]>"
OUTSIDE = '<!DOCTYPE w [<!ENTITY passwords SYSTEM "file:///etc/passwd">]>'


def broken(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_each_strange_file_is_left_out_with_its_reason_and_the_next_one_is_read(
    reading: Reader, tmp_path: Path
) -> None:
    whole = pdf(tmp_path / "whole.pdf", ["Page one.", "Page two."]).read_bytes()
    rights = '<encryption><CipherReference URI="OEBPS/text/c 0.xhtml"/></encryption>'
    strange = {
        encrypted(tmp_path / "encrypted.pdf"): "encrypted",
        broken(tmp_path / "encrypted.docx", bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 512): "encrypted",
        epub(tmp_path / "rights.epub", {"One": "x"}, {"META-INF/encryption.xml": rights}): "encrypted",
        broken(tmp_path / "no.pdf", b"no pdf at all"): "damaged",
        broken(tmp_path / "half.docx", docx(tmp_path / "x.docx", ["x" * 999]).read_bytes()[:200]): "damaged",
        zipped_as(tmp_path / "other.docx", {"a.txt": "no docx"}): "damaged",
        docx(tmp_path / "laughs.docx", ["&i;"], LAUGHS): "damaged",
        docx(tmp_path / "outside.docx", ["&passwords;"], OUTSIDE): "damaged",
        zip_bomb(tmp_path / "bomb.docx"): "too_large",
        pdf_bomb(tmp_path / "bomb.pdf"): "too_large",
        broken(tmp_path / "empty.txt", b""): "empty",
        pdf(tmp_path / "scan.pdf", ["", ""]): "empty",
        broken(tmp_path / "picture.txt", os.urandom(2_000) + b"\0"): "no_text_file",
        tmp_path / "gone.txt": "unreadable",
    }
    found = {path.name: why(reading, path) for path in strange}
    assert found == {path.name: reason for path, reason in strange.items()} | {"bomb.pdf": found["bomb.pdf"]}
    assert found["bomb.pdf"] in ("too_large", "damaged", "empty"), "pypdf has a limit of its own"
    assert read(reading, broken(tmp_path / "fine.pdf", whole)) == [Passage("Page one.", 1), Passage("Page two.", 2)]


def test_what_takes_too_much_memory_or_never_ends_is_ended_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a child whose parser hangs, grows, or is shot."""
    script = tmp_path / "strange.py"
    script.write_text(
        "from appliance.skills.documents import child, formats\n"
        "import os, signal\n"
        "def spins(path):\n"
        "    while True: pass\n"
        "def grows(path):\n"
        "    yield bytes(10 * child.MEMORY_BYTES)\n"
        "def shot(path):\n"
        "    yield formats.Passage('one', 1)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "def deep(path):\n"
        "    yield deep(path).__next__()\n"
        "formats._READERS |= {'.spins': spins, '.grows': grows, '.shot': shot, '.deep': deep}\n"
        "child.STEP_S = 1\n"
        "child.main()\n"
    )
    monkeypatch.setattr(reader, "COMMAND", (*reader.COMMAND[:2], str(script)))
    (tmp_path / "a.txt").write_text("Fine.")
    with Reader() as reading:
        began_s = time.monotonic()
        for kind, reason in (("spins", "slow"), ("grows", "too_large"), ("deep", "damaged"), ("shot", "too_large")):
            assert (kind, why(reading, tmp_path / f"a.{kind}")) == (kind, reason)
            assert read(reading, tmp_path / "a.txt") == [Passage("Fine.")]
        assert time.monotonic() - began_s < 60


def test_its_process_is_the_lowest_and_ends_with_whoever_started_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Fine.")
    before = children()
    with Reader() as reading:
        read(reading, tmp_path / "a.txt")
        [pid] = children() - before
        status = Path(f"/proc/{pid}")
        assert os.getpriority(os.PRIO_PROCESS, pid) == child.NICENESS
        assert (status / "oom_score_adj").read_text().strip() == str(child.OOM_SCORE)
    assert not status.exists()


def test_one_that_is_stopped_is_given_up_in_time(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Fine. " * 1_000_000)
    before = children()
    with Reader() as reading:
        found = reading.read(tmp_path / "a.txt")
        next(found)
        [pid] = children() - before
        os.kill(pid, signal.SIGSTOP)
        assert reading._child
        reading._child._ours.settimeout(0.5)
        with pytest.raises(LeftOut, match="slow"):
            for _ in found:
                pass
        assert next(reading.read(tmp_path / "a.txt")).text.startswith("Fine.")


def test_more_than_a_book_is_partly_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    box = Box(tmp_path)
    line = "The quick brown fox jumps over the lazy dog beside the river bank. "
    box.write("long.txt", "The first words are about a walrus. " + line * (child.FILE_CHARS // len(line) + 1_000))
    box.look()
    assert box.states() == {"long.txt": "partly long"}
    assert "walrus" in box.search("walrus")
    assert "only the first 10 million characters" in caplog.text


def test_a_book_of_500_pages_costs_a_search_beside_it_nothing(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("note.txt", "The stopcock is under the stairs.")
    box.look()
    page = "\n".join(f"Line {at} of a page that is about the care of roses in a garden." for at in range(50))
    pdf(box.folder / "book.pdf", [f"This is page {at}.\n{page}" for at in range(1, 501)])
    thread = threading.Thread(target=box.look)
    thread.start()
    slowest_s, searches = 0.0, 0
    while thread.is_alive():
        began_s = time.monotonic()
        assert "under the stairs" in box.search("stopcock")
        slowest_s, searches = max(slowest_s, time.monotonic() - began_s), searches + 1
        time.sleep(0.05)
    thread.join()
    assert searches > 5
    assert slowest_s < 1
    assert box.files()["book.pdf"].pages == 500
    assert "page 321, says" in box.search("this is page 321")
