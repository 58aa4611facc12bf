"""Writes real ZIM files, for tests and measurements."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

from libzim.writer import Creator, Hint, Item, StringProvider

ABOUT = {
    "Title": "Harbour Encyclopedia",
    "Name": "harbour",
    "Language": "eng",
    "License": "CC BY-SA 4.0",
    "Source": "harbour.example",
    "Date": "2026-11-01",
}


class Page(Item):
    def __init__(self, title: str, html: str) -> None:
        super().__init__()
        self._title, self._html = title, html

    def get_path(self) -> str:
        return self._title.replace(" ", "_")

    def get_title(self) -> str:
        return self._title

    def get_mimetype(self) -> str:
        return "text/html"

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(self._html)

    def get_hints(self) -> dict[Hint, int]:
        return {Hint.FRONT_ARTICLE: True}  # type: ignore[misc]  # an enum, which its stub does not say


def write(path: Path, articles: Iterable[tuple[str, str]], full_text: bool = True) -> Path:
    """articles: title, and text or HTML that begins with "<"."""
    with Creator(path).config_indexing(full_text, "eng").config_nbworkers(1) as creator:
        for title, text in articles:
            body = text if text.startswith("<") else f"<p>{escape(text)}</p>"
            creator.add_item(Page(title, f"<html><body><h1>{escape(title)}</h1>{body}</body></html>"))
        for name, value in ABOUT.items():
            creator.add_metadata(name, value)
    return path
