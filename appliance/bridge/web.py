"""The provider "web": what a search engine of the home finds, and pages of the internet.

What is searched for, and which pages are read, is never logged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError

from appliance.bridge.fetch import Fetched, MayReach, address_of, fetch, of_the_internet
from appliance.bridge.trouble import TROUBLE, Lost
from appliance.bridge.web_text import text_of
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import LINK, News
from appliance.wording import said

log = logging.getLogger(__name__)

SEARCH_S, PAGE_S = 6.0, 6.0
"""SearXNG gives its engines 3 s; a tool has 8 (reply.tool_timeout_s)."""
SEARCH_BYTES, PAGE_BYTES = 1_000_000, 1_000_000
"""Of an answer, which is some 50 kB; of a page that are read, the rest is left out: an article is some 200 kB."""
MOST_REDIRECTS = 5
MOST_RESULTS = 5
MOST_TITLE, MOST_SNIPPET, MOST_URL, MOST_TEXT = 160, 500, 2_000, 60_000
"""Characters."""
OK, NO_QUERY = 200, 400
TURNED_AWAY = (401, 403, 429)
"""SearXNG answers 403 where it may not answer in JSON, which is its default, and 429 to whom its limiter slows down."""


class Answer(BaseModel):
    """Of SearXNG, as far as it is used."""

    results: list[Any]
    unresponsive_engines: list[Any] = []


class Result(BaseModel):
    url: str
    title: str = ""
    content: str | None = None


class WebProvider:
    """A `Provider`."""

    name = "web"

    def __init__(self, search_url: str, language: str, may_reach: MayReach = of_the_internet) -> None:
        """may_reach: asked of the address of each page; the search engine may be anywhere."""
        self._search_url, self._language, self._may_reach = search_url.rstrip("/"), language, may_reach
        self._why = "starting"
        self._tell: News | None = None

    async def run(self, tell: News) -> None:
        """It looks once whether there is a search engine, with no words to search for; each search tells anew."""
        self._tell = tell
        try:
            await self._asked("", NO_QUERY)
        except Lost as lost:
            log.warning("web search at %s: %s", self._search_url, lost)
        await asyncio.Event().wait()

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, {"up": not self._why, "why": self._why}

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        """`search` {"query"}: {"results": [{"url", "site", "title", "text"}]}.

        `page` {"url"}: {"title", "text", "cut"}.

        Raises BadArgument, CannotBeDone.
        """
        asks = {"search": (self._search, "query"), "page": (self._page, "url")}
        if what not in asks:
            raise BadArgument(said("bridge_no_such", self._language))
        ask, argument = asks[what]
        try:
            return await ask(str(arguments.get(argument, "")))
        except Lost as lost:
            log.warning("web, %s: %s", what, lost)
            sentence = said(f"web_{what}_{lost.why}", self._language)
            raise CannotBeDone(sentence, remedy=TROUBLE[lost.why][1]) from None

    async def _search(self, query: str) -> dict[str, Any]:
        """Raises Lost."""
        found = await self._asked(query)
        try:
            answer = Answer.model_validate_json(found.content)
        except ValidationError:
            raise self._lost(Lost("nonsense", "no results in JSON")) from None
        results = [result for each in answer.results if (result := _result(each))]
        if not results and answer.unresponsive_engines:
            raise Lost("no_engines")
        return {"results": results[:MOST_RESULTS]}

    async def _asked(self, query: str, also: int = OK) -> Fetched:
        """also: a status beside OK that is fine. Raises Lost."""
        words = urlencode({"q": query, "format": "json", "language": self._language})
        try:
            found = await fetch(f"{self._search_url}/search?{words}", SEARCH_S, SEARCH_BYTES)
        except Lost as lost:
            raise self._lost(lost) from None
        if found.status in TURNED_AWAY:
            raise self._lost(Lost("turned_away", f"HTTP {found.status}"))
        if found.status not in (OK, also) or found.kind != "application/json" or found.cut:
            raise self._lost(Lost("nonsense", f"HTTP {found.status}, {found.kind[:40]}"))
        self._is_now("")
        return found

    async def _page(self, url: str) -> dict[str, Any]:
        """Raises Lost."""
        found = await fetch(url, PAGE_S, PAGE_BYTES, MOST_REDIRECTS, self._may_reach)
        if found.status != OK:
            raise Lost("refused_page", f"HTTP {found.status}")
        title, text = await asyncio.to_thread(text_of, found)
        return {"title": title[:MOST_TITLE], "text": text[:MOST_TEXT], "cut": found.cut or len(text) > MOST_TEXT}

    def _lost(self, lost: Lost) -> Lost:
        self._is_now(lost.why)
        return lost

    def _is_now(self, why: str) -> None:
        if why != self._why:
            self._why = why
            if self._tell:
                for kind, value in self.known():
                    self._tell(kind, value)


def _result(told: Any) -> dict[str, str] | None:
    """None for what is no page."""
    try:
        result = Result.model_validate(told)
        url = address_of(result.url)
    except (ValidationError, Lost):
        return None
    if len(result.url) > MOST_URL:
        return None
    title, text = _line(result.title, MOST_TITLE), _line(result.content or "", MOST_SNIPPET)
    return {"url": result.url, "site": url.host.removeprefix("www."), "title": title, "text": text}


def _line(text: str, most: int) -> str:
    return " ".join(text.split())[:most]
