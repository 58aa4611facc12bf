"""Searching the web, and reading a page that was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import spoken_list
from appliance.ports import Bridge, Clock, Spoken
from appliance.skills.written import Words

PROVIDER, SEARCH, PAGE = "web", "search", "page"
ASK_S = 7.5
"""The bridge gives up after 6 s, and says why; a tool has 8 (reply.tool_timeout_s)."""
MOST_SITE = 40
"""Characters of a site's name that are said."""

Query = Annotated[str, Field(max_length=200, description="what to search for, in a few words")]
Page = Annotated[int, Field(ge=1, le=20, description="number of the result")]
Clean = Callable[[str, int], str]


@dataclass(frozen=True)
class Found:
    """By one search."""

    at_s: float
    pages: Sequence[Mapping[str, str]]
    """Each with its url, site, title and text."""
    told: Sequence[str] = ()
    """Sites that the last answer is from."""


class WebTools:
    def __init__(self, bridge: Bridge | None, clock: Clock, words: Words, asked_of_s: float, clean: Clean) -> None:
        """asked_of_s: how long what was found is known, which is as long as a conversation.  clean: see harmless."""
        self._bridge, self._clock, self._words = bridge, clock, words
        self._asked_of_s, self._clean = asked_of_s, clean
        self._last: Found | None = None

    def web_search(self, query: Query) -> str:
        """Search the web for what is new, local, or not known here."""
        pages = self._ask(SEARCH, query=query)["results"]
        if not pages:
            return self._words.say("nothing", query=query)
        self._last = Found(self._clock.monotonic(), pages, [*dict.fromkeys(map(self._site, pages))])
        return "\n".join(self._told(number, page) for number, page in enumerate(pages, 1))

    def read_page(self, page: Page = 1) -> str:
        """Read a page that the web search found."""
        found = self._found("no_search")
        if page > len(found.pages):
            raise BadArgument(self._words.say("no_such", count=len(found.pages)), asks_for="page")
        wanted = found.pages[page - 1]
        answer = self._ask(PAGE, url=wanted["url"])
        self._last = Found(self._clock.monotonic(), found.pages, [self._site(wanted)])
        says = self._words.say("says", site=self._site(wanted), title=answer["title"] or wanted["title"])
        parts = [says, answer["text"], *([self._words.say("cut")] if answer["cut"] else [])]
        return "\n".join(parts)

    def tell_web_source(self) -> Spoken:
        """Tell which sites the last answer from the web is from."""
        sites = self._found("no_source").told
        return self._words.say("source", sites=spoken_list([*sites], self._words.language))

    def _ask(self, what: str, **arguments: Any) -> Any:
        """Raises CannotBeDone."""
        if self._bridge is None:
            raise CannotBeDone(self._words.say("missing"))
        return self._bridge.ask(PROVIDER, what, ASK_S, **arguments)

    def _found(self, otherwise: str) -> Found:
        """By the last search of this conversation. Raises CannotBeDone."""
        if self._last is None or self._clock.monotonic() - self._last.at_s > self._asked_of_s:
            raise CannotBeDone(self._words.say(otherwise))
        return self._last

    def _told(self, number: int, page: Mapping[str, str]) -> str:
        return self._words.say("result", number=number, site=self._site(page), title=page["title"], text=page["text"])

    def _site(self, page: Mapping[str, str]) -> str:
        return self._clean(page["site"], MOST_SITE)
