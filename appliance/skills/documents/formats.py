"""Each kind of document as its passages: pieces of text, with the page or the part that they stand in.

Files are strange: whoever calls this does so in a process that may be ended (child.py). Nothing is written, fetched or
run, XML expands no entity of its own, and no part of a file is unpacked beyond a limit.
"""

from __future__ import annotations

import codecs
import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import IO
from urllib.parse import unquote

import pypdf
from defusedxml import ElementTree
from pypdf.errors import DependencyError, FileNotDecryptedError

from appliance.skills.documents.passage import KINDS, LeftOut, Passage

PASSAGE_CHARS = 700
"""Of a passage: some two paragraphs, so that the three best of a search are read by a small model at once."""
MEMBER_BYTES = 50_000_000
"""Of one file within an epub or a docx, unpacked: the text of a thousand-page book has 3 MB."""
_BLOCK_BYTES = 64_000
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How a docx with a password begins: it is no zip then."""
_BLANKS = re.compile(r"[^\S\n]+")
_HYPHEN = re.compile(r"(?<=\w)-\n(?=[a-zäöüß])")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n")
_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*\s*$")


def passages(path: Path) -> Iterator[Passage]:
    """Raises LeftOut, OSError, and whatever the libraries raise at a damaged file."""
    yield from _READERS[path.suffix.casefold()](path)


def split(text: str, page: int = 0, part: str = "") -> Iterator[Passage]:
    """`text` in passages that end with a sentence, where one ends in time."""
    text, held = _BLANKS.sub(" ", text), ""
    for sentence in _SENTENCE_END.split(text):
        for piece in _short(sentence.strip()):
            if held and len(held) + len(piece) >= PASSAGE_CHARS:
                yield Passage(held, page, part)
                held = ""
            held = f"{held} {piece}" if held else piece
    if held:
        yield Passage(held, page, part)


def _short(sentence: str) -> Iterator[str]:
    while len(sentence) > PASSAGE_CHARS:
        at = sentence.rfind(" ", 1, PASSAGE_CHARS) + 1 or PASSAGE_CHARS
        yield sentence[:at].rstrip()
        sentence = sentence[at:]
    if sentence:
        yield sentence


def _plain(path: Path) -> Iterator[Passage]:
    for block in _blocks(path):
        yield from split(block)


def _markdown(path: Path) -> Iterator[Passage]:
    part = ""
    for block in _blocks(path):
        held = list[str]()
        for line in block.splitlines():
            if heading := _HEADING.match(line):
                yield from split("\n".join(held), part=part)
                part, held = heading[1], []
            else:
                held.append(line)
        yield from split("\n".join(held), part=part)


def _blocks(path: Path) -> Iterator[str]:
    """The text, a piece at a time that ends with a line, or else with a word."""
    with path.open("rb") as file:
        first = file.read(_BLOCK_BYTES)
        decoder = codecs.getincrementaldecoder(_encoding(first))(errors="replace")
        left, block = "", first
        while block:
            text = left + decoder.decode(block)
            at = text.rfind("\n") + 1
            if not at and len(text) > _BLOCK_BYTES:
                at = text.rfind(" ") + 1 or len(text)
            if at:
                yield text[:at]
            left, block = text[at:], file.read(_BLOCK_BYTES)
        yield left + decoder.decode(b"", final=True)


def _encoding(beginning: bytes) -> str:
    """Raises LeftOut for what is no text."""
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in beginning:
        raise LeftOut("no_text_file")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _pdf(path: Path) -> Iterator[Passage]:
    with path.open("rb") as file:
        reader = pypdf.PdfReader(file)
        try:
            if reader.is_encrypted and not reader.decrypt(""):
                raise LeftOut("encrypted")
            for number, page in enumerate(reader.pages, 1):
                yield from split(_HYPHEN.sub("", page.extract_text()), number)
        except (DependencyError, FileNotDecryptedError):  # a cipher that pypdf alone has not
            raise LeftOut("encrypted") from None


def _docx(path: Path) -> Iterator[Passage]:
    """Its pages are those that Word noted when it was last saved there; other programs note none."""
    with _unpacked(path) as archive:
        data = _member(archive, "word/document.xml")
    page, text = int(b"<w:lastRenderedPageBreak" in data), io.StringIO()
    for _, element in ElementTree.iterparse(io.BytesIO(data)):
        name = element.tag.rpartition("}")[2]
        if name == "lastRenderedPageBreak":
            yield from split(text.getvalue(), page)
            page, text = page + 1, io.StringIO()
        text.write({"t": element.text or "", "tab": " ", "br": "\n", "p": "\n"}.get(name, ""))
        if name == "p":
            element.clear()
    yield from split(text.getvalue(), page)


def _epub(path: Path) -> Iterator[Passage]:
    with _unpacked(path) as archive:
        names = set(archive.namelist())
        protected = _member(archive, "META-INF/encryption.xml").decode(errors="replace") if _LOCKS in names else ""
        for name in _chapters(archive):
            if name in names:
                if f'"{name}"' in protected:
                    raise LeftOut("encrypted")
                chapter = _Chapter()
                chapter.feed(_member(archive, name).decode(errors="replace"))
                chapter.close()
                yield from split(chapter.text, part=chapter.heading)


_LOCKS = "META-INF/encryption.xml"


def _chapters(archive: zipfile.ZipFile) -> Iterator[str]:
    """Names of the files that hold the text, in the order in which they are read."""
    container = ElementTree.fromstring(_member(archive, "META-INF/container.xml"))
    package = next(each.get("full-path", "") for each in container.iter() if each.tag.endswith("}rootfile"))
    book = ElementTree.fromstring(_member(archive, package))
    files = {each.get("id"): each.get("href", "") for each in book.iter() if each.tag.endswith("}item")}
    for each in book.iter():
        if each.tag.endswith("}itemref") and (name := files.get(each.get("idref"))):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(name)))


class _Chapter(HTMLParser):
    """The text of a page of HTML, and its first heading."""

    HIDDEN, HEADINGS = frozenset(("script", "style", "head", "svg")), frozenset(("h1", "h2", "h3"))
    BLOCKS = frozenset(("p", "div", "br", "li", "tr", "td", "section", *HEADINGS, "h4", "h5", "h6", "blockquote"))

    def __init__(self) -> None:
        super().__init__()
        self._parts, self._hidden, self._in_heading = list[str](), 0, False
        self._heading = list[str]()

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def heading(self) -> str:
        return " ".join("".join(self._heading).split())

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in self.HIDDEN
        self._in_heading = self._in_heading or (tag in self.HEADINGS and not self._heading)
        self._parts += ["\n"] * (tag in self.BLOCKS)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self._parts += ["\n"] * (tag in self.BLOCKS)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in self.HIDDEN))
        self._in_heading = self._in_heading and tag not in self.HEADINGS
        self._parts += ["\n"] * (tag in self.BLOCKS)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._parts.append(" ".join(data.split("\n")))
            self._heading += [data] * self._in_heading


def _unpacked(path: Path) -> zipfile.ZipFile:
    """Raises LeftOut, OSError."""
    with path.open("rb") as file:
        if file.read(len(_OLE)) == _OLE:
            raise LeftOut("encrypted")
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise LeftOut("damaged") from None


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Raises LeftOut, also where it would become larger than it may: what a zip says of itself may be untrue."""
    try:
        info = archive.getinfo(name)
        if info.flag_bits & 1:
            raise LeftOut("encrypted")
        with archive.open(info) as file:
            return _at_most(file, MEMBER_BYTES)
    except (KeyError, zipfile.BadZipFile):
        raise LeftOut("damaged") from None


def _at_most(file: IO[bytes], limit: int) -> bytes:
    """Raises LeftOut."""
    data = file.read(limit + 1)
    if len(data) > limit:
        raise LeftOut("too_large")
    return data


_READERS: Mapping[str, Callable[[Path], Iterator[Passage]]] = {
    ".txt": _plain,
    ".md": _markdown,
    ".pdf": _pdf,
    ".docx": _docx,
    ".epub": _epub,
}
assert _READERS.keys() == KINDS
