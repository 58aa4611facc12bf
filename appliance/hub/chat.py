"""POST /v1/chat/completions: any client of OpenAI's chat format talks to the box.

Such a client sends the whole conversation each time. Where the hub has just answered it, the core's own conversation
goes on, so that "yes" answers what was asked; any other is begun with what the client sent.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import AsyncIterator, Sequence

from sse_starlette import ServerSentEvent

from appliance.hub import openai_shapes as shapes
from appliance.hub.conversing import LOST, turned
from appliance.hub.gate import Call
from appliance.hub.problems import Problem
from appliance.hub.running import Running, Tell
from appliance.hub.state import as_json
from appliance.ports import hub as port

HISTORY_MOST = 100
"""Messages that the core takes."""
LINE_CHARS = 4_000


async def complete(call: Call, tell: Tell) -> shapes.ChatCompletion:
    body: shapes.ChatRequest = call.body
    last = body.messages[-1]
    if last.role == "tool":
        name, outcome = await _went_on(call, body, tell)
    elif last.role == "user" and last.text.strip():
        name, outcome = await _asked(call, body, tell)
    else:
        detail = "the last message is neither a line of the user nor the result of a tool"
        raise Problem(422, detail, "send one, with a text", kind="bad_schema")
    made = completion(outcome)
    _keep(call, body, name, made.choices[0].message)
    return made


async def _asked(call: Call, body: shapes.ChatRequest, tell: Tell) -> tuple[str, port.Outcome]:
    """Raises Problem."""
    text = body.messages[-1].text.strip()
    if len(text) > LINE_CHARS:
        raise Problem(422, f"a line of more than {LINE_CHARS:,} characters", "shorten it", kind="bad_schema")
    caller = call.caller
    known = call.chats.get(_digest(body, body.messages[:-1]))
    name = known or await _begun(call, body)
    asked = port.TurnAsked(conversation=name, text=text, channel=caller.channel, person=caller.person, room=caller.room)
    try:
        return name, await turned(call.hub, "turn", asked, tell)
    except Problem as problem:
        if not known or problem.kind not in LOST:
            raise
    name = await _begun(call, body)
    return name, await turned(call.hub, "turn", asked.model_copy(update={"conversation": name}), tell)


async def _begun(call: Call, body: shapes.ChatRequest) -> str:
    """A conversation of the core with what went before. Raises Problem."""
    name, caller = f"{call.caller.name}/chat-{uuid.uuid4()}", call.caller
    history = [
        port.Earlier(role=each.role, text=each.text)
        for each in body.messages[:-1]
        if each.role in ("user", "assistant") and each.text
    ]
    asked = port.Start(
        conversation=name,
        channel=caller.channel,
        person=caller.person,
        room=caller.room,
        tools=caller.tools(body.tools) if body.tool_choice == "auto" else [],
        history=history[-HISTORY_MOST:],
    )
    await call.hub.core.ask("start", asked)
    return name


async def _went_on(call: Call, body: shapes.ChatRequest, tell: Tell) -> tuple[str, port.Outcome]:
    """With the results at the end. Raises Problem."""
    results: list[port.Result] = []
    for message in reversed(body.messages):
        if message.role != "tool":
            break
        if not message.tool_call_id:
            raise Problem(422, "the result of a tool names no tool_call_id", "send it", kind="bad_schema")
        results.insert(0, port.Result(id=message.tool_call_id, message=message.text[: port.RESULT_CHARS]))
    names = {call.chats.get(each.id) for each in results}
    name = names.pop() if len(names) == 1 else None
    if name is None:
        detail = "these results are of no calls that one answer of the box made just now"
        raise Problem.of_kind("no_call", detail, "send the conversation without them, ending in a line of the user")
    return name, await turned(call.hub, "continue", port.Continue(conversation=name, results=results), tell)


def _keep(call: Call, body: shapes.ChatRequest, name: str, reply: shapes.Reply) -> None:
    """So that the next request of this conversation finds it."""
    calls = [
        shapes.MessageCall(id=each.id, function=shapes.Function(name=each.function.name))
        for each in reply.tool_calls or []
    ]
    said = shapes.Message(role="assistant", content=reply.content, tool_calls=calls or None)
    call.chats.keep(_digest(body, [*body.messages, said]), name)
    for each in calls:
        call.chats.keep(each.id, name)


def _digest(body: shapes.ChatRequest, messages: Sequence[shapes.Message]) -> str:
    """Of a conversation as the client has it; spaces apart, for clients tidy them."""
    told = [
        (each.role, " ".join(each.text.split()), [made.id for made in each.tool_calls or []], each.tool_call_id)
        for each in messages
        if each.role not in ("system", "developer")
    ]
    tools = [tool.model_dump(mode="json") for tool in body.tools]
    return hashlib.sha256(json.dumps([body.tool_choice, tools, told]).encode()).hexdigest()


def completion(outcome: port.Outcome) -> shapes.ChatCompletion:
    calls = [
        shapes.ChatCall(
            id=each.id,
            function=shapes.Called(name=each.name, arguments=json.dumps(each.arguments, ensure_ascii=False)),
        )
        for each in outcome.calls
    ]
    reply = shapes.Reply(content=outcome.said or (None if calls else ""), tool_calls=calls or None)
    choice = shapes.Choice(message=reply, finish_reason="tool_calls" if calls else "stop")
    usage = shapes.Usage()
    if outcome.record:
        read, written = outcome.record.model.prompt_tokens, outcome.record.model.generated_tokens
        usage = shapes.Usage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)
    return shapes.ChatCompletion(
        id=f"chatcmpl-{uuid.uuid4().hex}", created=int(time.time()), choices=[choice], usage=usage
    )


async def models(call: Call, tell: Tell) -> shapes.ModelList:
    return shapes.ModelList(data=[shapes.Model(id=shapes.MODEL)])


async def model(call: Call, tell: Tell) -> shapes.Model:
    if call.request.path_params["id"] != shapes.MODEL:
        raise Problem(404, "there is no such model", f"use {shapes.MODEL}", kind="model_not_found")
    return shapes.Model(id=shapes.MODEL)


def wants_stream(call: Call) -> bool:
    return bool(call.body.stream)


async def present(call: Call, running: Running) -> AsyncIterator[ServerSentEvent]:
    """The chunks of OpenAI's format."""
    body: shapes.ChatRequest = call.body
    head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": "chat.completion.chunk", "created": int(time.time())}
    head |= {"model": shapes.MODEL}

    def chunk(delta: dict[str, object], ended: str | None = None) -> ServerSentEvent:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ended}
        return ServerSentEvent(as_json(head | {"choices": [choice]}))

    yield chunk({"role": "assistant", "content": ""})
    sent = ""
    async for _, value in running.events():
        clause = _spaced(sent, value["text"])
        sent += clause
        yield chunk({"content": clause})
    try:
        made: shapes.ChatCompletion = await running.answer()
    except Problem as problem:
        yield ServerSentEvent(as_json({"error": problem.told["error"]}))
        return
    reply = made.choices[0].message
    if not sent and reply.content:
        yield chunk({"content": reply.content})
    if reply.tool_calls:
        calls = [{"index": at} | each.model_dump() for at, each in enumerate(reply.tool_calls)]
        yield chunk({"tool_calls": calls})
    yield chunk({}, made.choices[0].finish_reason)
    if body.stream_options and body.stream_options.include_usage:
        yield ServerSentEvent(as_json(head | {"choices": [], "usage": made.usage.model_dump()}))
    yield ServerSentEvent("[DONE]")


def _spaced(before: str, clause: str) -> str:
    """With a space between the two, where there is none."""
    apart = before and clause and not before[-1].isspace() and not clause[0].isspace()
    return f" {clause}" if apart else clause
