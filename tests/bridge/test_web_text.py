"""What is left of a page."""

from __future__ import annotations

import contextlib
import time

import pytest

from appliance.bridge.fetch import Fetched
from appliance.bridge.trouble import Lost
from appliance.bridge.web_text import text_of

MENU = "".join(f'<li><a href="/{place}">Section {place} of our news</a></li>' for place in range(40))
NEWS = f"""<!doctype html><html><head><title>Wick harbour | News</title><style>p {{}}</style></head><body>
<header><div><ul>{MENU}</ul></div></header>
<div role="dialog"><p>We and our 812 partners value your privacy.</p></div>
<article><header><h1>Wick harbour</h1></header>
<p>Built in <b>1808</b> by <a href="/telford">Telford</a>.<sup>[1]</sup><br>It holds forty boats.</p>
<ul><li>Open in summer</li><li>Closed on <a href="/m">Mondays</a></li></ul>
<table><tr><th>Monday</th><td>closed</td></tr><tr><th>Tuesday</th><td>9 to 17</td></tr></table></article>
<aside><p>You will never guess what happened.</p></aside>
<form><p>Get our newsletter.</p></form><footer><p>Copyright</p></footer></body></html>"""


def page(content: bytes, kind: str = "text/html", charset: str = "") -> Fetched:
    return Fetched(200, kind, charset, content, False)


def test_an_article_is_left_with_its_heading_its_lists_and_its_tables() -> None:
    title, text = text_of(page(NEWS.encode()))
    assert title == "Wick harbour | News"
    assert text.split("\n") == [
        "Wick harbour", "Built in 1808 by Telford.", "It holds forty boats.", "Open in summer", "Closed on Mondays",
        "Monday closed", "Tuesday 9 to 17",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "charset"),
    [
        ("<p>Öffnung ab Fünf</p>".encode(), ""),
        ("<p>Öffnung ab Fünf</p>".encode("latin-1"), "iso-8859-1"),
        ("<p>Öffnung ab Fünf</p>".encode("latin-1"), "no-such-charset"),
        ('<meta charset="windows-1252"><p>Öffnung ab Fünf</p>'.encode("cp1252"), ""),
        ("<p>Öffnung ab Fünf</p>".encode() + "ü".encode()[:1], ""),
    ],
)
def test_its_letters_are_read_as_they_were_meant(content: bytes, charset: str) -> None:
    assert text_of(page(content, charset=charset))[1].startswith("Öffnung ab Fünf")


@pytest.mark.parametrize(
    "content",
    [
        b"<div>" * 200_000 + b"x",
        b"<ul><li>" * 100_000 + b"<a>x</a>",
        b"<a><b><i><p>x" * 80_000,
        b"<table><tr><td>" * 60_000,
        b"&#0;" * 200_000,
        b"<p " + b"a=1 " * 200_000 + b">x</p>",
        b"<!--" * 200_000,
        b'<html role="banner"><body role="menu">x</body></html>',
        b"<p>x</p>" * 120_000,
    ],
)
def test_a_malicious_page_takes_no_long_time(content: bytes) -> None:
    since_s = time.process_time()
    with contextlib.suppress(Lost):
        text_of(page(content[:1_000_000]))
    assert time.process_time() - since_s < 3
