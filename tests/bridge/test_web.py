"""Searching and reading over a real web server: what comes, what is refused, and what every fault ends in."""

from __future__ import annotations

import _socket
import asyncio
import gzip
import json
import socket
import time
import tracemalloc
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from web_server import Behaviour, WebServer, dead, drops, flood, gives, headers_for_ever, hung, moves_on, to

from appliance.bridge import web
from appliance.bridge.fetch import Address, fetch, is_at_home, is_public
from appliance.bridge.trouble import Lost
from appliance.bridge.web import WebProvider
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import LINK

LIMIT_S = 0.6
"""Of a search and of a page in these tests."""
RESULTS: dict[str, Any] = {
    "query": "wick harbour",
    "results": [
        {"url": "https://www.wick.example/harbour", "title": "Wick  harbour", "content": "Built in\n1808.", "score": 2},
        {"url": "ftp://wick.example/", "title": "No page"},
        {"url": "https://wick.example/" + "x" * 3_000, "title": "Too long"},
        {"url": "http://[wick", "title": "No address"},
        {"url": "http://xn--/", "title": "No name"},
        {"title": "No address"},
        "nonsense",
        {"url": "http://münchen.example/", "title": "T" * 900, "content": None},
    ],
    "unresponsive_engines": [["google", "timeout"]],
}
FOUND = json.dumps(RESULTS).encode()
PAGE = "<title>Wick\n harbour</title><h1>Wick</h1><p>The harbour was built in 1808 by Telford.</p>"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "SEARCH_S", LIMIT_S)
    monkeypatch.setattr(web, "PAGE_S", LIMIT_S)


def here(address: Address) -> bool:
    return address == ip_address("127.0.0.1")


def ask(engine: str, what: str, may_reach: Callable[[Address], bool] = here, **arguments: Any) -> Any:
    return asyncio.run(WebProvider(engine, "en", may_reach).answer(what, arguments))


def searched(does: Behaviour) -> Any:
    with WebServer({"/search": does}) as server:
        return ask(server.url, "search", query="wick harbour")


def read(does: Behaviour, may_reach: Callable[[Address], bool] = here) -> Any:
    with WebServer({"/": does}) as server:
        return ask(server.url, "page", may_reach, url=f"{server.url}/")


def test_what_was_found_comes_cleaned_and_short() -> None:
    first, second = searched(gives(FOUND, "application/json"))["results"]
    assert first == {
        "url": "https://www.wick.example/harbour", "site": "wick.example", "title": "Wick harbour",
        "text": "Built in 1808.",
    }  # fmt: skip
    assert (second["site"], second["text"]) == ("münchen.example", "")
    assert len(second["title"]) == web.MOST_TITLE


def test_the_search_engine_gets_the_words_and_the_language_as_it_takes_them() -> None:
    with WebServer({"/sub/search": gives(FOUND, "application/json")}) as server:
        ask(f"{server.url}/sub/", "search", query="fish & chips?")
        [(path, headers)] = server.asked
    assert parse_qs(urlsplit(path).query) == {"q": ["fish & chips?"], "format": ["json"], "language": ["en"]}
    assert headers["accept-encoding"] == "identity"


def test_nothing_found_is_no_fault() -> None:
    assert searched(gives(b'{"results": []}', "application/json")) == {"results": []}


DEEP = b"[" * 100_000
SEARCH_FAULTS: dict[str, tuple[Behaviour, str]] = {
    "hung": (hung, "takes too long"),
    "drops": (drops, "takes too long"),
    "dead": (dead, "as it should"),
    "flood": (flood, "as it should"),
    "headers for ever": (headers_for_ever, "as it should"),
    "redirects": (moves_on, "as it should"),
    "a page": (gives(b"<p>Hello</p>"), "as it should"),
    "no json": (gives(b"{results", "application/json"), "as it should"),
    "other json": (gives(b'{"answer": 42}', "application/json"), "as it should"),
    "deep json": (gives(DEEP, "application/json"), "as it should"),
    "deep results": (gives(b'{"results": ' + DEEP, "application/json"), "as it should"),
    "10 MB": (gives(b'{"results": ["' + b"x" * 10_000_000 + b'"]}', "application/json"), "as it should"),
    "binary": (gives(bytes(range(256)) * 100, "application/json"), "as it should"),
    "bomb": (
        gives(gzip.compress(bytes(50_000_000)), "application/json", "200 OK", "Content-Encoding: gzip"), "as it should",
    ),
    "500": (gives(b"{}", "application/json", "500 Oh"), "as it should"),
    "json is off": (gives(b"", "text/html", "403 Forbidden"), "does not let me"),
    "limiter": (gives(b"", "text/html", "429 Slow down"), "does not let me"),
    "no engine": (gives(b'{"results": [], "unresponsive_engines": [["a", "b"]]}', "application/json"), "no answer"),
}  # fmt: skip
PAGE_FAULTS: dict[str, tuple[Behaviour, str]] = {
    "hung": (hung, "takes too long"),
    "drops": (drops, "takes too long"),
    "dead": (dead, "as it should"),
    "headers for ever": (headers_for_ever, "as it should"),
    "no http": (lambda caller: caller.send(b"220 mail.example ESMTP\r\n"), "as it should"),
    "bomb": (
        gives(gzip.compress(b"<p>x</p>" * 6_000_000), "text/html", "200 OK", "Content-Encoding: gzip"), "as it should",
    ),
    "not there": (gives(b"<p>404</p>", "text/html", "404 Not Found"), "not there"),
    "a picture": (gives(b"\x89PNG\r\n\x1a\n", "image/png"), "no text"),
    "a pdf": (gives(b"%PDF-1.7", "application/pdf"), "no text"),
    "no type": (gives(b"<p>x</p>", ""), "no text"),
    "a lie": (gives(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "text/html"), "no text"),
    "plain lie": (gives(bytes(5_000), "text/plain"), "no text"),
    "empty": (gives(b"", "text/html"), "no text"),
    "script only": (gives(b"<script>document.write('x')</script>", "text/html"), "no text"),
    "no location": (gives(b"", "text/html", "302 Found"), "not there"),
    "to a file": (to("file:///etc/passwd"), "as it should"),
    "to nowhere": (to("http://[nowhere"), "as it should"),
    "to no port": (to("http://127.0.0.1:99999/"), "as it should"),
    "to no name": (to("http://xn--/"), "as it should"),
    "with a password": (to("http://user:pass@127.0.0.1/"), "as it should"),
}  # fmt: skip


@pytest.mark.parametrize(("what", "fault"), [
    *(("search", name) for name in SEARCH_FAULTS), *(("page", name) for name in PAGE_FAULTS),
])  # fmt: skip
def test_a_fault_ends_in_time_in_one_sentence_and_takes_little_memory(what: str, fault: str) -> None:
    does, said = (SEARCH_FAULTS if what == "search" else PAGE_FAULTS)[fault]
    with WebServer({"/search": does, "/": does}) as server:
        tracemalloc.start()
        since_s = time.monotonic()
        with pytest.raises(CannotBeDone, match=said) as caught:
            ask(server.url, what, query="wick", url=f"{server.url}/")
        took_s, (_, most) = time.monotonic() - since_s, tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert took_s < LIMIT_S + 3  # a shared machine
    assert most < 8_000_000
    assert caught.value.what.endswith(".")
    assert caught.value.what.count(".") == 1


def test_nobody_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    for what in ("search", "page"):
        with pytest.raises(CannotBeDone, match="cannot reach"):
            ask(url, what, query="wick", url=f"{url}/")


def test_a_page_comes_with_its_title() -> None:
    page = read(gives(PAGE.encode(), "Text/HTML; charset=utf-8"))
    assert page == {"title": "Wick harbour", "text": "Wick\nThe harbour was built in 1808 by Telford.", "cut": False}


def test_a_plain_text_comes_as_it_is() -> None:
    assert read(gives("Größe: 5  m\r\n\r\n< 7 m".encode(), "text/plain"))["text"] == "Größe: 5 m\n< 7 m"


@pytest.mark.parametrize("does", [flood, gives(b"<p>The harbour was built in 1808.</p>" + b"<p>More.</p>" * 900_000)])
def test_of_an_endless_page_the_beginning_is_read_and_it_says_so(does: Behaviour) -> None:
    page = read(does)
    assert page["text"].startswith("The harbour was built in 1808.")
    assert (page["cut"], len(page["text"])) == (True, web.MOST_TEXT)


@pytest.mark.parametrize("place", ["/other", "//127.0.0.1:{port}/other", "http://127.0.0.1:{port}/other"])
def test_a_page_that_moved_is_followed(place: str) -> None:
    with WebServer({}) as server:
        server.does = {"/": to(place.format(port=server.port)), "/other": gives(PAGE.encode())}
        assert ask(server.url, "page", url=f"{server.url}/")["title"] == "Wick harbour"


def test_endless_redirects_are_followed_five_times() -> None:
    does: dict[str, Behaviour] = {f"/{'x' * times}": moves_on for times in range(20)}
    with WebServer(does) as server, pytest.raises(CannotBeDone, match="as it should"):
        ask(server.url, "page", url=f"{server.url}/")
    assert len(server.asked) == web.MOST_REDIRECTS + 1


@pytest.mark.parametrize("address", [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1",
    "ff02::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2002:a00:1::", "2001:0:1::",
    "2001:db8::1",
])  # fmt: skip
def test_no_address_of_a_home_or_of_no_use_is_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(ip_address(address))


def test_an_address_of_the_same_network_is_at_home() -> None:
    assert is_at_home(ip_address("::1"))
    assert not is_at_home(ip_address("127.0.0.1"))


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """Name -> the addresses that it has, one list for each time it is asked for, the last for good."""
    known: dict[str, list[list[str]]] = {}
    resolve = socket.getaddrinfo

    def resolved(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        answers = known.get(str(host))
        if answers is None:
            return resolve(host, port, *rest, **named)
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in now]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    return known


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_a_page_of_this_machine_is_not_read_however_it_is_written(host: str, names: dict[str, list[list[str]]]) -> None:
    bare = host.strip("[]")
    names[bare] = [[str(_socket.getaddrinfo(bare, 80)[0][4][0])]]  # as it is without the tests' guard
    with WebServer({"/": gives(PAGE.encode())}) as server, pytest.raises(CannotBeDone, match="do not read from"):
        ask(server.url, "page", is_public, url=f"http://{host}:{server.port}/")
    assert server.asked == []


def test_a_name_of_the_home_is_not_read(names: dict[str, list[list[str]]]) -> None:
    names["router.example"] = [["192.168.1.1", "127.0.0.1"]]
    with WebServer({"/": gives(PAGE.encode())}) as server, pytest.raises(CannotBeDone, match="do not read from"):
        ask(server.url, "page", is_public, url=f"http://router.example:{server.port}/")
    assert server.asked == []


def test_a_redirect_to_an_address_of_the_home_is_not_followed(names: dict[str, list[list[str]]]) -> None:
    names["evil.example"], names["home.example"] = [["127.0.0.1"]], [["127.0.0.2"]]
    with WebServer({"/secret": gives(PAGE.encode())}, "127.0.0.2") as inner, WebServer({}) as server:
        for target in (f"{inner.url}/secret", f"http://home.example:{inner.port}/secret"):
            server.does = {"/": to(target)}
            with pytest.raises(CannotBeDone, match="do not read from"):
                ask(server.url, "page", url=f"http://evil.example:{server.port}/")
        assert len(server.asked) == 2
    assert inner.asked == []


def test_the_address_that_was_checked_is_the_one_that_is_reached(names: dict[str, list[list[str]]]) -> None:
    """A name may lead elsewhere the next time somebody asks: nobody asks twice."""
    names["rebinding.example"] = [["127.0.0.1"], ["127.0.0.2"]]
    with WebServer({"/": gives(PAGE.encode())}) as server:
        url = f"http://rebinding.example:{server.port}/"
        assert ask(server.url, "page", url=url)["title"] == "Wick harbour"
        [(_, headers)] = server.asked
        assert headers["host"] == f"rebinding.example:{server.port}"
    assert names["rebinding.example"] == [["127.0.0.2"]]


def test_of_several_addresses_only_those_that_may_be_are_tried(names: dict[str, list[list[str]]]) -> None:
    names["mixed.example"] = [["127.0.0.2", "127.0.0.1"]]
    with WebServer({"/": gives(PAGE.encode())}) as server:
        assert ask(server.url, "page", url=f"http://mixed.example:{server.port}/")["title"] == "Wick harbour"


def test_the_next_address_is_tried_where_the_first_takes_no_connection(names: dict[str, list[list[str]]]) -> None:
    names["two.example"] = [["127.0.0.3", "127.0.0.1"]]
    with WebServer({"/": gives(PAGE.encode())}) as server:
        found = asyncio.run(fetch(f"http://two.example:{server.port}/", 5, 1_000))
    assert found.status == 200


def test_what_the_unit_forbids_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*arguments: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(socket.socket, "connect", forbidden)
    with pytest.raises(CannotBeDone, match="not let out to the internet"):
        ask("http://127.0.0.1:1", "page", url="http://127.0.0.1:1/")


def test_nothing_else_is_answered() -> None:
    with pytest.raises(BadArgument):
        ask("http://127.0.0.1:1", "delete")


def test_what_was_searched_for_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with pytest.raises(CannotBeDone):
        searched(gives(b"", "text/html", "500 Oh"))
    assert "HTTP 500" in caplog.text
    assert "wick" not in caplog.text


def linked(does: Behaviour) -> dict[str, Any]:
    """What it tells when it starts, with the path that it asked for."""

    async def first(provider: WebProvider) -> dict[str, Any]:
        told: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        running = asyncio.create_task(provider.run(lambda kind, value: told.put_nowait((kind, value))))
        kind, link = await asyncio.wait_for(told.get(), 5)
        running.cancel()
        await asyncio.wait({running})
        assert kind == LINK
        return dict(link)

    with WebServer({"/search": does}) as server:
        link = asyncio.run(first(WebProvider(server.url, "en")))
        assert parse_qs(urlsplit(server.asked[0][0]).query).get("q") is None, "nothing is searched for"
        return link


def test_a_look_at_the_search_engine_tells_whether_it_can_be_used() -> None:
    no_query = gives(b'{"error": "No query"}', "application/json", "400 Bad Request")
    assert linked(no_query) == {"up": True, "why": ""}
    assert linked(gives(b"", "text/html", "403 Forbidden")) == {"up": False, "why": "turned_away"}
    assert linked(hung) == {"up": False, "why": "no_answer"}


def test_each_reason_has_its_words() -> None:
    from appliance.wording import said

    for what, reasons in {
        "search": ("no_server", "no_answer", "nonsense", "turned_away", "no_engines", "not_let_out"),
        "page": ("no_server", "no_answer", "nonsense", "refused_page", "no_text", "private", "not_let_out"),
    }.items():
        for why in reasons:
            assert str(Lost(why))
            assert said(f"web_{what}_{why}", "de") != said(f"web_{what}_{why}", "en")
