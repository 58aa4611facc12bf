"""One pass of the model: what it may write, and what it writes, part by part."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from appliance.audio import Stale
from appliance.errors import PromptTooLong, TurnFailed
from appliance.ports import Grammar, Message, Tool
from appliance.reply import prompt
from appliance.reply.catalogue import Catalogue
from appliance.reply.draft import drafts
from appliance.reply.grammar import PlanGrammar, compile_grammar
from appliance.reply.house import House, NativeModel
from appliance.reply.phrases import Phrases
from appliance.reply.plan import Call, Part, Words, read
from appliance.reply.reading import Head, Reading
from appliance.reply.sentence import SentenceGrammar
from appliance.reply.speech import denied, echo, may_speak, refusing, unsaid
from appliance.reply.sure import as_sure, declined
from appliance.reply.understanding.world import OfTheWorld
from appliance.reply.without import kept
from appliance.reply.work import Work

log = logging.getLogger(__name__)

GRAMMARS_KEPT = 16
"""Of the catalogue and of its shortlists."""


class Pen:
    def __init__(
        self,
        house: House,
        catalogue: Catalogue,
        reading: Reading,
        phrases: Phrases,
        acted: Callable[[Sequence[Call]], bool],
    ) -> None:
        """acted: whether one of the calls changed anything."""
        self._model, self._small, self._conversation = house.model, house.model.facts.small, house.conversation
        self._settings, self._limit = house.settings.reply, house.settings.thought.reply_tokens
        self._catalogue, self._reading, self._phrases, self._acted = catalogue, reading, phrases, acted
        self._grammar = lru_cache(GRAMMARS_KEPT)(self._compiled)

    def parts(self, work: Work, stale: Stale, only_words: bool) -> Iterator[Part]:
        """Raises Cancelled, TurnFailed. only_words: no tool may be called.

        Settles `work.offered`.
        """
        tools = [] if only_words or work.talk else self._catalogue.offered(work)
        work.offered = frozenset(tool.name for tool in tools)
        if not (isinstance(self._model, NativeModel) and self._model.native):
            yield from self._planned(work, tools, stale)
            return
        try:
            yield from self._conversed(self._model, work, tools, stale)
        except TurnFailed:
            if self._model.native:
                raise
            log.warning("the model server takes no tools: the text protocol serves from now on")
            yield from self._planned(work, tools, stale)

    def _conversed(self, model: NativeModel, work: Work, tools: Sequence[Tool], stale: Stale) -> Iterator[Part]:
        try:
            answer = model.converse(self._reading.next(work), tools, self._limit, work.usage, stale)
        except PromptTooLong as error:
            self._make_room(work, error)
            yield from self._conversed(model, work, tools, stale)
            return
        work.unread += [prompt.note("broken", tool=name) for name in answer.broken]
        yield from answer.calls
        if answer.text.strip() and not answer.calls:
            yield Words("say", answer.text)

    def _planned(self, work: Work, tools: Sequence[Tool], stale: Stale) -> Iterator[Part]:
        if self._reading.behind(work) is Head.WORLD:
            yield from self._known(work, stale)
            return
        script = self._script(work, tools)
        pieces = self._write(work, script, stale)
        fresh = self._small and work.passes == 1 and work.record.lane == "plan" and not (work.talk or work.calls)
        yield from self._reconsidered(pieces, script, work, stale) if fresh else read(pieces)

    def _reconsidered(
        self, pieces: Generator[str, None, None], script: PlanGrammar, work: Work, stale: Stale
    ) -> Iterator[Part]:
        """The plan; or, once it is stopped at its first words, what is written in its place."""
        parts = read(pieces)
        first = next(parts, None)
        if isinstance(first, Words) and first.kind == "say":
            if talk := self._reading.talked(work, ()):  # words alone, for what looked as if it might be more
                pieces.close()
                yield from self._talked(talk, script, work, stale)
                return
            first = self._refusal(first, parts)
            may = [self._catalogue.all[name] for name in work.allowed]
            if source := kept("speech", denied(first.text, work, may, self._phrases), ""):
                pieces.close()
                yield from self._looked(source, work, stale)
                return
        if first:
            yield first
        yield from parts

    def _refusal(self, first: Words, parts: Iterator[Part]) -> Words:
        """The words so far, up to the end of the sentence if it may be a refusal."""
        text = first.text
        while refusing(text, self._phrases):
            if not isinstance(more := next(parts, None), Words):
                break
            text += more.text
        return Words(first.kind, text)

    def _known(self, work: Work, stale: Stale) -> Iterator[Part]:
        """What the model knows of the world, as sure as it is of it: that is known at the end of the sentence.

        Where there is no room for the question alone, it is planned as anything else.
        """
        barred = unsaid(work, (), self._phrases, acted=False, acting=False)
        prompt, answer = self._reading.next(work), ""
        try:
            for piece in self._model.generate(prompt, SentenceGrammar(barred), self._limit, work.usage, stale):
                answer += piece
                yield Words("say", "")  # it has begun: the time for a plan is kept
        except PromptTooLong:
            work.talk, work.signs = None, replace(work.signs, world=OfTheWorld())
            yield from self._planned(work, self._catalogue.offered(work), stale)
            return
        answer = answer.strip()
        said = as_sure(answer, work.usage.doubt, work.signs.world, self._phrases)
        if work.talk and not declined(said, self._phrases):
            work.told_of_the_world = (work.talk, Message("assistant", answer))
        yield Words("say", said)

    def _looked(self, source: str, work: Work, stale: Stale) -> Iterator[Part]:
        """The call of a source, in place of the words that there is none."""
        work.must = source
        tools = self._catalogue.offered(work)
        yield from self._anew(work, tools, self._script(work, tools), stale)

    def _talked(self, talk: Message, script: PlanGrammar, work: Work, stale: Stale) -> Iterator[Part]:
        """Behind the head of talk, or of the world."""
        work.talk = talk
        if self._reading.behind(work) is Head.WORLD:
            self._begin_anew(work, ())
            yield from self._known(work, stale)
            return
        words = replace(self._grammar((), True), unsaid=script.unsaid, drafts=drafts(work, (), speech=True))
        yield from self._anew(work, (), words, stale)

    def _anew(self, work: Work, tools: Sequence[Tool], script: PlanGrammar, stale: Stale) -> Iterator[Part]:
        """One more pass, in place of what was stopped."""
        self._begin_anew(work, tools)
        yield from read(self._write(work, script, stale))

    def _begin_anew(self, work: Work, tools: Sequence[Tool]) -> None:
        work.passes += 1
        work.offered, work.usage.first_token_s = frozenset(tool.name for tool in tools), None

    def _script(self, work: Work, tools: Sequence[Tool]) -> PlanGrammar:
        """What may be written, and how it probably begins."""
        speech = kept("force", may_speak(work, tools, self._small), True)
        acted, acting = self._conversation.carried.acted, self._acted(work.calls)
        barred = [*unsaid(work, tools, self._phrases, acted, acting), *echo(work)] if self._small else []
        barred = kept("speech", barred, [])
        grammar = self._grammar(tuple(tool.name for tool in tools), speech)
        return replace(grammar, unsaid=tuple(barred), drafts=kept("draft", drafts(work, tools, speech), ("",)))

    def _write(self, work: Work, grammar: Grammar, stale: Stale) -> Generator[str, None, None]:
        while True:
            try:
                yield from self._model.generate(self._reading.next(work), grammar, self._limit, work.usage, stale)
                return
            except PromptTooLong as error:
                self._make_room(work, error)

    def _make_room(self, work: Work, error: PromptTooLong) -> None:
        """Forgets the older turns; raises `error` where that makes no room."""
        if work.talk:
            work.talk = None
        elif not self._conversation.forget_older_half():
            raise error

    def _compiled(self, names: tuple[str, ...], speech: bool) -> PlanGrammar:
        roles = sorted(self._settings.roles) if len(self._settings.roles) > 1 else ()
        tools = [self._catalogue.all[name] for name in names]
        return compile_grammar(tools, self._settings.steps_max, roles, speech)
