"""The Command API: a conversation, its lines, the results of the client's own tools, the answers to questions."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

from sse_starlette import ServerSentEvent

from appliance.hub import shapes
from appliance.hub.gate import Call
from appliance.hub.problems import Problem
from appliance.hub.running import Running, Tell
from appliance.hub.state import Hub, as_json
from appliance.ports import hub as port

log = logging.getLogger(__name__)

LOST = ("no_conversation", "expired")
"""Refusals of the core after which a conversation has to be started again."""
NO_CONVERSATION = "no conversation of that name was started, or it has expired"
START = "start one: POST /api/v0/conversation/start"
STOP_S = 5.0


async def start(call: Call, tell: Tell) -> shapes.Started:
    body: shapes.ConversationStart = call.body
    name = _name(call, body.conversation_id)
    await call.hub.core.ask(
        "start",
        port.Start(
            conversation=name,
            tools=call.caller.tools(body.client_tools),
            history=_earlier(body.node_context),
            **_where(call, body.node_context),
        ),
    )
    call.talks.keep(name, "")
    return shapes.Started(conversation_id=body.conversation_id)


async def command(call: Call, tell: Tell) -> shapes.CommandResult:
    body: shapes.VoiceCommand = call.body
    name = _known(call, body.conversation_id)
    call.talks.keep(name, body.voice_command)
    context = body.node_context
    asked = port.TurnAsked(
        conversation=name,
        text=body.voice_command,
        speaker=_speaker(call, context.speaker),
        earlier=_earlier(context),
        **_where(call, context),
    )
    return await _taken(call, "turn", asked, body.conversation_id, tell)


async def go_on(call: Call, tell: Tell) -> shapes.CommandResult:
    body: shapes.VoiceContinue = call.body
    name = _known(call, body.conversation_id)
    results = [
        port.Result(
            id=each.tool_call_id,
            success=each.output.success,
            message=each.output.message,
            context=each.output.context,
        )
        for each in body.tool_results
    ]
    asked = port.Continue(conversation=name, results=results, answer=body.validation_response or "")
    return await _taken(call, "continue", asked, body.conversation_id, tell)


async def stop(call: Call, tell: Tell) -> shapes.Done:
    body: shapes.ConversationEnd = call.body
    await call.hub.core.ask("stop", port.Conversation(conversation=_known(call, body.conversation_id)))
    return shapes.Done()


async def end(call: Call, tell: Tell) -> shapes.Done:
    body: shapes.ConversationEnd = call.body
    name = _known(call, body.conversation_id)
    del call.talks[name]
    await call.hub.core.ask("end", port.Conversation(conversation=name))
    return shapes.Done()


async def stop_any(call: Call, tell: Tell) -> shapes.Stopped:
    """What the box itself says or rings; and the answer in a conversation, where there still is one of that name."""
    body: shapes.Stop = call.body
    asked = [call.hub.core.ask("silence", within_s=STOP_S)]
    if (name := _name(call, body.conversation_id)) in call.talks:
        asked.append(call.hub.core.ask("stop", port.Conversation(conversation=name), within_s=STOP_S))
    await asyncio.gather(*asked)
    return shapes.Stopped()


async def turned(hub: Hub, do: port.Do, asked: port.TurnAsked | port.Continue, tell: Tell) -> port.Outcome:
    """A turn of the core, its clauses told as `text`; it is stopped where nobody waits for it. Raises Problem."""
    try:
        answer = await hub.core.ask(do, asked, lambda event: tell("text", {"text": event["text"]}))
    except asyncio.CancelledError:
        hub.background(_stop(hub, asked.conversation))
        raise
    return port.Outcome.model_validate(answer)


async def _stop(hub: Hub, name: str) -> None:
    try:
        await hub.core.ask("stop", port.Conversation(conversation=name), within_s=STOP_S)
    except Problem as problem:
        log.debug("a turn that nobody waits for was not stopped: %s", problem)


async def _taken(
    call: Call, do: port.Do, asked: port.TurnAsked | port.Continue, given_id: str, tell: Tell
) -> shapes.CommandResult:
    """Raises Problem."""
    aloud = Aloud(call.hub, tell) if call.request.query_params.get("audio") == "true" else None
    try:
        outcome = await turned(call.hub, do, asked, aloud.tell if aloud else tell)
        if aloud:
            await aloud.said()
    except Problem as problem:
        if problem.kind in LOST:
            call.talks.pop(asked.conversation, None)
        raise
    finally:
        if aloud:
            aloud.close()
    information = shapes.RequestInformation(
        voice_command=call.talks.get(asked.conversation, ""), conversation_id=given_id
    )
    return result(outcome, information)


def result(outcome: port.Outcome, information: shapes.RequestInformation) -> shapes.CommandResult:
    asks = outcome.stop_reason == "validation_required"
    return shapes.CommandResult(
        request_information=information,
        stop_reason=outcome.stop_reason,
        assistant_message=outcome.said,
        tool_calls=[_called(each) for each in outcome.calls] or None,
        validation_request=shapes.ValidationRequest(question=outcome.question, options=outcome.options or None)
        if asks
        else None,
    )


def _called(made: port.Call) -> shapes.ToolCall:
    arguments = json.dumps(made.arguments, ensure_ascii=False)
    return shapes.ToolCall(id=made.id, function=shapes.CalledFunction(name=made.name, arguments=arguments))


async def present(call: Call, running: Running) -> AsyncIterator[ServerSentEvent]:
    """`text` and `audio` as they come; then `done` with the result, or `error` with the problem."""
    async for name, value in running.events():
        yield ServerSentEvent(as_json(value), event=name)
    try:
        given = await running.answer()
    except Problem as problem:
        yield ServerSentEvent(as_json(problem.told), event="error")
    else:
        yield ServerSentEvent(given.model_dump_json(), event="done")


class Aloud:
    """Has each clause spoken while the next is written."""

    def __init__(self, hub: Hub, tell: Tell) -> None:
        self._hub, self._tell = hub, tell
        self._clauses: asyncio.Queue[str | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._speak())

    def tell(self, name: str, value: Any) -> None:
        self._tell(name, value)
        self._clauses.put_nowait(value["text"])

    async def said(self) -> None:
        """Once all is."""
        self._clauses.put_nowait(None)
        await self._task

    def close(self) -> None:
        self._task.cancel()

    async def _speak(self) -> None:
        while (clause := await self._clauses.get()) is not None:
            try:
                await self._hub.core.ask("speak", port.Speak(text=clause), self._hand_on)
            except Problem as problem:  # the text is there all the same
                log.warning("a clause was not spoken: %s", problem)
                self._tell("no_audio", problem.told)
                return

    def _hand_on(self, event: dict[str, Any]) -> None:
        self._tell("audio", {"pcm": event["pcm"], "rate": event["rate"]})


def _name(call: Call, given_id: str) -> str:
    """The token's own: nobody goes on with a conversation of somebody else."""
    return f"{call.caller.name}/{given_id}"


def _known(call: Call, given_id: str) -> str:
    """Raises Problem."""
    name = _name(call, given_id)
    if name not in call.talks:
        raise Problem.of_kind("no_conversation", NO_CONVERSATION, START)
    return name


def _where(call: Call, context: shapes.NodeContext) -> dict[str, str]:
    caller = call.caller
    room = caller.room or context.room
    return {"channel": caller.channel, "person": caller.person, "room": room, "timezone": context.timezone}


def _earlier(context: shapes.NodeContext) -> list[port.Earlier]:
    pairs = [(("user", each.heard), ("assistant", each.said)) for each in context.earlier]
    return [port.Earlier.model_validate({"role": role, "text": text}) for pair in pairs for role, text in pair]


def _speaker(call: Call, given: str) -> str:
    """Of a guest: what they call themselves, or the token's name."""
    return (given or call.caller.person or call.caller.name)[:60] if call.caller.role == "guest" else ""
