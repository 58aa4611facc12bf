"""Looking something up, and telling where that is from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field

from appliance.errors import ApplianceError, CannotBeDone
from appliance.ports import Clock, Excerpt, Meaning, Spoken
from appliance.skills.encyclopedia.passages import Article
from appliance.skills.encyclopedia.shelf import Found, Shelf, Source
from appliance.skills.written import Words

READ_CHARS = 600
"""Of the passages that are handed over: as many as the reply room leaves of a text from outside (digest_max_chars)."""
EXCERPT_CHARS, EXCERPT_COVERED = 400, 0.6
"""Likewise, of what stands beside a question: 100 tokens, which the model reads in 1.2 s at 82 a second; and
the share of the question's words that its first passage must cover (docs/measured.md)."""
Topic = Annotated[str, Field(max_length=200, description="the question, in the user's words")]


class EncyclopediaTools:
    def __init__(
        self, shelf: Shelf, clock: Clock, words: Words, asked_of_s: float, harmless: Callable[[str, int], str]
    ) -> None:
        """asked_of_s: how long it is known where the last passages were from, which is as long as a conversation."""
        self._shelf, self._clock, self._words, self._asked_of_s = shelf, clock, words, asked_of_s
        self._harmless = harmless
        self._last: tuple[float, str, Source] | None = None
        frames: Sequence[str] = words.phrases["frames"]
        self._frames = sorted((f"{frame} " for frame in frames), key=len, reverse=True)

    def missing(self) -> str:
        return "" if self._shelf.there else self._words.say("missing")

    def lookup(self, topic: Topic) -> str:
        """Look up facts of the world in the encyclopedia: people, places, things, history."""
        if article := self._meant(topic):
            return self._said(article)
        found = self._found(topic)
        self._from(found[0].passage.title, found[0].source)
        return _told(found, READ_CHARS)

    def describe(self, topic: Topic) -> str:
        """Tell what something or somebody is."""
        article = self._named(topic)
        return self._said(article) if article else self.lookup(topic)

    def reads(self, line: str) -> Sequence[Meaning]:
        """A line that asks what something is, and no more."""
        try:
            return [Meaning("lookup", {"topic": line})] if self._meant(line) else []
        except CannotBeDone:
            return []

    def excerpt(self, line: str) -> Excerpt | None:
        """What bears on a question; None where nothing does, or the encyclopedia cannot be used."""
        try:
            found = self._found(line)
        except CannotBeDone:
            return None
        if found[0].passage.covered < EXCERPT_COVERED:
            return None
        first, outside = found[0], any(each.source.name for each in found)
        text = self._harmless(_told(found, EXCERPT_CHARS), EXCERPT_CHARS).replace("\n", " ")
        return Excerpt(text, outside, lambda: self._from(first.passage.title, first.source))

    def tell_source(self) -> Spoken:
        """Tell where the last thing looked up is from."""
        if self._last is None or self._clock.monotonic() - self._last[0] > self._asked_of_s:
            raise CannotBeDone(self._words.say("no_source"))
        _, title, source = self._last
        of = self._words.say("of_file", name=source.name) if source.name else self._words.say("of_summaries")
        key = "source_licence" if source.licence else "source"
        return self._words.say(key, title=title, of=of, licence=source.licence)

    def _meant(self, line: str) -> Article | None:
        """X of "what is X" and "who was X", where X is a title. Raises CannotBeDone."""
        line = line.strip().rstrip("?.! ").casefold().replace("\u2019", "'")
        frame = next((frame for frame in self._frames if line.startswith(frame)), "")
        name = line.removeprefix(frame)
        return self._named(name) if frame and not self._is_here(name) else None

    def _is_here(self, name: str) -> bool:
        """Whether it may be that of this place or moment: "the weather", "the temperature"."""
        first, _, rest = name.partition(" ")
        return first in self._words.phrases["definite"] and " " not in rest.strip()

    def _named(self, name: str) -> Article | None:
        """Raises CannotBeDone."""
        phrases = self._words.phrases
        try:
            return self._shelf.named(_without(name, [*phrases["articles"], *phrases["definite"]]))
        except ApplianceError as error:
            raise CannotBeDone(self._words.say("unusable"), remedy=error.remedy) from None

    def _said(self, article: Article) -> Spoken:
        """Only of the box's own summaries, which are checked by their hash: what an owner's file says may be an
        instruction, so the model gets it fenced, and nothing of it is said as it is."""
        self._from(article.title, Source(licence=self._words.phrases["licence"]))
        return self._words.say("says", text=article.text)

    def _found(self, topic: str) -> list[Found]:
        """Raises CannotBeDone."""
        try:
            found = self._shelf.find(topic)
        except ApplianceError as error:
            raise CannotBeDone(self._words.say("unusable"), remedy=error.remedy) from None
        if not found:
            raise CannotBeDone(self._words.say("not_found"))
        return found

    def _from(self, title: str, source: Source) -> None:
        self._last = self._clock.monotonic(), title, source


def _without(name: str, articles: Sequence[str]) -> str:
    first, _, rest = name.strip().partition(" ")
    return rest if rest and first in articles else name


def _told(found: Sequence[Found], room: int) -> str:
    """A line for each passage, as many as there are characters for, the best first."""
    lines, most = list[str](), room
    for each in found:
        line = f"{each.passage.title}: {each.passage.text}"
        if len(line) < room:
            lines.append(line)
            room -= len(line) + 1
    return "\n".join(lines) or found[0].passage.text[:most]
