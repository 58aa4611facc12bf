"""The conversations of other devices, which the hub speaks for: begun, gone on with, ended."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Literal

from appliance.audio import Stale
from appliance.ports import Message, Mouth, Tool
from appliance.ports.hub import Call, Continue, Earlier, Outcome, Start, TurnAsked
from appliance.ports.refusals import Refused
from appliance.records import TurnRecord
from appliance.reply.dependencies import Dependencies
from appliance.reply.opening import Opening
from appliance.reply.phrases import Phrases
from appliance.reply.returned import Returned
from appliance.reply.talk import Client, Talk
from appliance.reply.turn import Turn

AGAIN = "start a conversation, and say it again"
HISTORY_MOST = 20
"""Messages of an earlier conversation that are read: the newest ones; a judgement."""


class Clients:
    def __init__(
        self,
        needs: Dependencies,
        opening: Opening,
        returned: Returned,
        phrases: Phrases,
        answer: Callable[[Turn], TurnRecord],
        go_on: Callable[[Turn], TurnRecord],
        irreplaceable: Container[str],
    ) -> None:
        """answer: takes a turn that has begun.  go_on: one that has rested. Both until it ends, or rests.

        irreplaceable: names of the box's own tools in whose place a client's never comes.
        """
        self._conversation, self._clock, self._settings = needs.conversation, needs.clock, needs.settings.reply
        self._opening, self._returned, self._phrases = opening, returned, phrases
        self._answer, self._go_on, self.irreplaceable = answer, go_on, irreplaceable

    def start(self, asked: Start, tools: Sequence[Tool]) -> None:
        """tools: those of `asked`, as the engine takes them. Raises WrongUse, Refused."""
        channel = self._opening.channel(asked.channel)
        if tools and channel.guest:
            raise Refused("not_allowed", "a guest brings no tools along", remedy="start it without tools")
        talk = Talk(
            self._settings.results_kept,
            Client(channel, asked.person, {tool.name: tool for tool in tools}, asked.room),
        )
        talk.with_owner = not channel.guest
        self._hear_of(asked.history, talk)
        self._conversation.open(asked.conversation, talk, self._clock.monotonic())

    def turn(self, asked: TurnAsked, number: int, mouth: Mouth, stale: Stale) -> Outcome:
        """One line; what the one before waits for is dropped. Raises Refused, WrongUse, TurnFailed."""
        talk, client = self._taken_up(asked.conversation)
        for given, own in ((asked.channel, client.channel.name), (asked.person, client.person)):
            if given and given != own:
                raise Refused("not_allowed", "the conversation is somebody else's", remedy="start one of your own")
        if asked.room:
            talk.client = client = replace(client, room=asked.room)
        self._hear_of(asked.earlier, talk)
        return self._taken(number, asked.text, asked.speaker or client.person, mouth, stale, talk, client)

    def go_on(self, more: Continue, number: int, mouth: Mouth, stale: Stale) -> Outcome:
        """Results, or an answer. Raises Refused, WrongUse, TurnFailed; nothing was taken then."""
        if bool(more.results) == bool(more.answer):
            raise Refused("bad_request", "neither results nor an answer, or both", remedy="send one of them")
        talk, client = self._taken_up(more.conversation)
        if more.results:
            return self._returned_to(talk, more, mouth, stale)
        if not talk.asked:
            raise Refused("not_asked", "nothing was asked in this conversation", remedy="send it as a line of its own")
        return self._taken(number, more.answer, client.person, mouth, stale, talk, client)

    def drop(self, key: str) -> None:
        """The turn that rests in it, if there is one."""
        if not self._conversation.take_up(key, self._clock.monotonic()):
            self._conversation.talk.suspended = None

    def end(self, key: str) -> None:
        """Raises Refused."""
        if not self._conversation.end(key):
            raise _unknown()

    def _taken_up(self, key: str) -> tuple[Talk, Client]:
        """Raises Refused."""
        lack = self._conversation.take_up(key, self._clock.monotonic())
        if lack == "over":
            raise Refused("expired", "the conversation rested too long and is over", remedy=AGAIN)
        talk = self._conversation.talk
        if lack or talk.client is None:
            raise _unknown()
        return talk, talk.client

    def _taken(
        self, number: int, text: str, speaker: str, mouth: Mouth, stale: Stale, talk: Talk, client: Client
    ) -> Outcome:
        talk.suspended, talk.asked = None, False
        turn = self._opening.begin(number, text, client.channel, mouth, stale, speaker)
        return self._outcome(self._answer(turn), turn, talk)

    def _returned_to(self, talk: Talk, more: Continue, mouth: Mouth, stale: Stale) -> Outcome:
        turn = talk.suspended
        self._check([result.id for result in more.results], turn, talk)
        assert turn
        turn.go_on(self._opening.hushed(mouth), stale)
        for result in more.results:
            self._returned.take(result, turn)
            talk.answered.append(result.id)
        if turn.away:
            turn.rest()
            return _waiting(turn)
        talk.suspended = None
        return self._outcome(self._go_on(turn), turn, talk)

    def _check(self, ids: Sequence[str], turn: Turn | None, talk: Talk) -> None:
        """Raises Refused."""
        seen = {*talk.answered}
        for id in ids:
            if id in seen:
                raise Refused("answered", f"call {id} has its result already", remedy="send each result once")
            if turn is None or id not in turn.away:
                raise Refused("no_call", f"no call {id} waits for a result", remedy="send the ids that were given")
            seen.add(id)

    def _outcome(self, record: TurnRecord, turn: Turn, talk: Talk) -> Outcome:
        if turn.away:
            return _waiting(turn)
        said = turn.said_now
        if not talk.asked:
            return Outcome(said=said, stop_reason="complete", record=record)
        pending = talk.carried.pending
        options = [self._phrases.yes, self._phrases.no] if pending and not pending.lacks else []
        question = pending.question if pending else said
        return Outcome(said=said, stop_reason="validation_required", question=question, options=options, record=record)

    def _hear_of(self, history: Sequence[Earlier], talk: Talk) -> None:
        """What was said in it and not answered here: no step waits for its yes any more."""
        if not history:
            return
        newest = [(each.role, self._opening.redacted(each.text)) for each in history[-HISTORY_MOST:]]
        messages = [_as_read(role, text) for role, text in newest]
        talk.messages += messages
        talk.talked += messages
        talk.carried.pending = None
        talk.last_said = next((text for role, text in reversed(newest) if role == "assistant"), talk.last_said)


def _as_read(role: Literal["user", "assistant"], text: str) -> Message:
    """A message of a conversation, as the model reads it."""
    return Message("user", text, turn_begins=True) if role == "user" else Message("assistant", f"say {text}")


def _waiting(turn: Turn) -> Outcome:
    calls = [Call(id=id, name=away.call.name, arguments=away.call.arguments) for id, away in turn.away.items()]
    return Outcome(said=turn.said_now, stop_reason="tool_calls", calls=calls)


def _unknown() -> Refused:
    return Refused("no_conversation", "there is no such conversation", remedy=AGAIN)
