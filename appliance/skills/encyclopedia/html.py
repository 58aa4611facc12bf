"""The text of an HTML page."""

from __future__ import annotations

import re

from lxml import etree, html

MOST_BYTES = 1_000_000
"""Of a page that are read; the rest is left out."""
_UNREAD = (
    *("script", "style", "template", "noscript", "head", "nav"),
    *("table", "figure", "sup", "math", "h1", "h2", "h3", "h4", "h5", "h6"),
)
"""Elements that hold no sentences: of Wikipedia's pages, headings, info boxes, footnote marks and formulas."""
_BLOCKS = ("p", "li", "dd", "dt", "div", "blockquote", "br", "pre", "section")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")


def text_of(page: bytes) -> str:
    """A line for each paragraph; empty for a page that holds none. page: UTF-8."""
    try:
        root = html.document_fromstring(page[:MOST_BYTES], parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return ""
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    for block in root.iter(*_BLOCKS):
        block.tail = f"\n{block.tail or ''}"
        block.text = f"\n{block.text or ''}"
    text = str(root.text_content())
    return _LINES.sub("\n", _BLANKS.sub(" ", text)).strip()
