"""A folder of real documents, written here, and the box's own reading of it; for the tests beside it."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

from appliance.ports import SkillContext
from appliance.settings import Documents, Settings, Words
from appliance.simulated import skill_context
from appliance.skills.documents.index import File, Index
from appliance.skills.documents.keeper import Keeper
from appliance.skills.documents.tools import DocumentTools
from appliance.skills.written import Words as Phrases

SKILL = Path(__file__).parents[3] / "appliance" / "skills" / "documents"


def pdf(path: Path, pages: Sequence[str]) -> Path:
    """Each page a line of text for each of its lines, in Latin letters."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for page in pages:
        lines = "".join(f"({line.translate(_ESCAPED)}) Tj T*\n" for line in page.splitlines())
        stream = f"BT /F1 10 Tf 12 TL 50 780 Td\n{lines}ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R"
            f" /Resources << /Font << /F1 {font} >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    out, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{each}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    path.write_bytes(out + f"{trailer}startxref\n{len(out)}\n%%EOF\n".encode())
    return path


_ESCAPED = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})


def zipped(path: Path, **files: str) -> Path:
    """`files`: name with "__" for a slash and "_" for a dot at its end -> content."""
    return zipped_as(path, {name.replace("__", "/"): text for name, text in files.items()})


def zipped_as(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(path: Path, paragraphs: Sequence[str], head: str = "") -> Path:
    """A form feed in a paragraph is where Word noted a new page.  head: what stands before the document."""
    body = "".join(
        "<w:p>"
        + "<w:r><w:lastRenderedPageBreak/></w:r>".join(f"<w:r><w:t>{part}</w:t></w:r>" for part in each.split("\f"))
        + "</w:p>"
        for each in paragraphs
    )
    text = f'<?xml version="1.0"?>{head}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    return zipped_as(path, {"word/document.xml": text})


CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)


def epub(path: Path, chapters: dict[str, str], more: dict[str, str | bytes] | None = None) -> Path:
    """chapters: heading -> text."""
    files: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    items = "".join(f'<item id="c{at}" href="text/c%20{at}.xhtml"/>' for at in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    files["OEBPS/book.opf"] = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf">'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    for at, (heading, text) in enumerate(chapters.items()):
        files[f"OEBPS/text/c {at}.xhtml"] = (
            '<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><style>p {}</style></head>'
            f"<body><h1>{heading}</h1><p>{text}</p><script>alert()</script></body></html>"
        )
    return zipped_as(path, files | (more or {}))


class Box:
    """With a service's keeper, which looks when it is told to."""

    def __init__(self, home: Path, language: str = "en") -> None:
        self.folder, self.state = home / "papers", home / "state"
        self.folder.mkdir(exist_ok=True)
        self.settings = Settings(
            state=self.state, documents=Documents(folder=self.folder), words=Words(language=language), place="Utrecht"
        )
        phrases = Phrases(SKILL, language)
        self.index = Index(self.state)
        self.keeper = Keeper(self.folder, self.index, Phrases(SKILL, "en").phrases["why"], settled_s=0)
        self.tools = DocumentTools(self.index, phrases)

    def context(self) -> SkillContext:
        return skill_context(settings=self.settings)

    def look(self) -> None:
        self.keeper.tend(lambda: True)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def files(self) -> dict[str, File]:
        return {each.path: each for each in self.index.files()}

    def states(self) -> dict[str, str]:
        return {each.path: f"{each.state} {each.why}".strip() for each in self.index.files()}

    def search(self, query: str, document: str = "") -> str:
        return self.tools.search_documents(query, document)


def touched(path: Path, seconds: float) -> Path:
    """Changed so much later, whatever the clock of the file system tells."""
    changed = path.stat().st_mtime_ns + int(seconds * 1e9)
    os.utime(path, ns=(changed, changed))
    return path
