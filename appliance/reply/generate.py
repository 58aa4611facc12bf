"""One pass of the model: what it may write, and what it writes, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Generator as Generating
from dataclasses import replace
from functools import lru_cache

from appliance.audio import Stale
from appliance.errors import PromptTooLong, ToolsRefused
from appliance.ports import Excerpt, Grammar, Message, Tool
from appliance.reply import prompt
from appliance.reply.confidence import as_sure, borne_out, declined
from appliance.reply.context import Context, Head, other_roles
from appliance.reply.dependencies import Dependencies, NativeModel
from appliance.reply.grammar import PlanGrammar, compile_grammar
from appliance.reply.phrases import Phrases
from appliance.reply.plan import SAY, Call, Part, Role, Words, read
from appliance.reply.select import Selection
from appliance.reply.sentence import SentenceGrammar
from appliance.reply.turn import Turn

GRAMMARS_KEPT = 16
"""Of the catalogue and of its shortlists."""


class Generator:
    def __init__(
        self,
        needs: Dependencies,
        context: Context,
        phrases: Phrases,
        acts: Callable[[Call], bool],
    ) -> None:
        """acts: whether a call changes anything."""
        self._model, self._conversation = needs.model, needs.conversation
        self._settings, self._limit = needs.settings.reply, needs.settings.thought.reply_tokens
        self._context, self._phrases, self._acts = context, phrases, acts
        self._excerpt = needs.excerpt
        self._grammar = lru_cache(GRAMMARS_KEPT)(self._compiled)

    def parts(self, turn: Turn, head: Head, choice: Selection, stale: Stale) -> Iterator[Part]:
        """What the model writes. Raises Cancelled, ModelChanged, TurnFailed."""
        if isinstance(self._model, NativeModel) and self._model.native:
            try:
                yield from self._conversed(self._model, turn, choice, stale)
                return
            except ToolsRefused:
                turn.took_branch("tools_refused")
        if head is Head.WORLD:
            yield from self._known(turn, stale)
        else:
            yield from read(self._write(turn, head, self._script(turn, choice), stale))

    def _conversed(self, model: NativeModel, turn: Turn, choice: Selection, stale: Stale) -> Iterator[Part]:
        try:
            answer = model.converse(self._context.next(turn, Head.PLAN), choice.tools, self._limit, turn.usage, stale)
        except PromptTooLong as error:
            self._make_room(error)
            yield from self._conversed(model, turn, choice, stale)
            return
        turn.unread += [prompt.note("broken", tool=name) for name in answer.broken]
        written = list(read([answer.text]))
        yield from (part for part in written if isinstance(part, Role))
        yield from answer.calls or (part for part in written if isinstance(part, Words))

    def _known(self, turn: Turn, stale: Stale) -> Iterator[Part]:
        """What the model knows of the world, said as surely as it is right; looked up where it is not sure."""
        line = self._context.talk_line(turn, Head.WORLD)
        answer = yield from self._sentence(turn, stale)
        said = as_sure(answer, turn.usage.doubt, turn.line.unheard_of, self._phrases)
        found = self._excerpt(turn.line.text) if said != answer else None
        if found and (looked_up := (yield from self._borne_out(answer, found, turn, stale))):
            answer = said = looked_up
        if not declined(said, self._phrases) and not turn.input.confidential:
            self._conversation.carried.world = (line, Message("assistant", answer))
        yield Words("say", said)

    def _borne_out(self, answer: str, found: Excerpt, turn: Turn, stale: Stale) -> Generating[Part, None, str]:
        """The answer, or one that the model gives once it has read the excerpt, if that says so; empty otherwise."""
        if not borne_out(answer, turn.line.text, found.text):
            turn.excerpt, turn.tainted = found, turn.tainted or found.outside
            answer = yield from self._sentence(turn, stale)
            if not borne_out(answer, turn.line.text, found.text):
                return ""
        found.told()
        return answer

    def _sentence(self, turn: Turn, stale: Stale) -> Generating[Part, None, str]:
        """What the model writes behind the head of the world."""
        answer = ""
        for piece in self._write(turn, Head.WORLD, SentenceGrammar(self._unsaid(turn)), stale):
            answer += piece
            yield Words("say", "")  # it has begun: the time for a plan is kept
        return answer.removeprefix(SAY).strip()

    def _script(self, turn: Turn, choice: Selection) -> PlanGrammar:
        """What may be written, and how it probably begins."""
        draft = choice.tools[0].name if choice.forced and len(choice.tools) == 1 else "" if choice.tools else "say"
        grammar = self._grammar(choice.tools, not choice.forced)
        return replace(grammar, unsaid=self._unsaid(turn), drafts=(draft,))

    def _unsaid(self, turn: Turn) -> tuple[str, ...]:
        """Phrases that claim or promise an act where none was done: words set no timer."""
        if not self._model.facts.small:
            return ()
        acting = any(self._acts(call) for call in turn.calls)
        promises = () if acting else self._phrases.promises
        deeds = () if acting or self._conversation.carried.acted else self._phrases.deeds
        return (*self._phrases.never, *promises, *deeds)

    def _write(self, turn: Turn, head: Head, grammar: Grammar, stale: Stale) -> Iterator[str]:
        while True:
            try:
                yield from self._model.generate(self._context.next(turn, head), grammar, self._limit, turn.usage, stale)
                return
            except PromptTooLong as error:
                if head is Head.PLAN:
                    self._make_room(error)
                head = Head.PLAN

    def _make_room(self, error: PromptTooLong) -> None:
        """Forgets the older turns; raises `error` where that makes no room."""
        if not self._conversation.forget_older_half():
            raise error

    def _compiled(self, tools: tuple[Tool, ...], speech: bool) -> PlanGrammar:
        """By the tools and not by their names: one that comes again may take other arguments."""
        return compile_grammar(tools, self._settings.steps_max, other_roles(self._settings), speech)
