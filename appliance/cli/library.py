"""`library list`, `library add` and `library remove`: the owner's ZIM files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import printable, settings

if TYPE_CHECKING:
    from appliance.skills.encyclopedia.library import Book


def list_(arguments: Arguments) -> int:
    return _show([*build.library(settings(arguments)).books()], arguments)


def add(arguments: Arguments) -> int:
    with build.progress() as progress:
        book = build.library(settings(arguments)).add(arguments.file, progress)
    return _show([book], arguments)


def remove(arguments: Arguments) -> int:
    build.library(settings(arguments)).remove(arguments.name)
    return 0


def _show(books: Sequence[Book], arguments: Arguments) -> int:
    if arguments.json:
        print(json.dumps([asdict(book) for book in books]))
        return 0
    for book in books:
        print(f"{book.state:>8}  {book.name}  {book.bytes / 1e6:,.1f} MB  {book.date}")
        if book.what:
            print(f"{'':>10}{printable(book.what)}")
            continue
        search = "full text" if book.full_text else "titles only"
        print(f"{'':>10}{printable(book.title)}: {book.articles:,} articles, {search}")
        print(f"{'':>10}{printable(book.licence) or 'no licence'}; {printable(book.source) or 'no source'}")
        print(f"{'':>10}sha256 {book.sha256 or 'not noted'}")
    return 0
