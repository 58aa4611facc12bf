"""What is asked of the box beside a conversation: its health, its state, what it keeps, and to be told aloud."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import JSONResponse, Response

from appliance.hub import shapes
from appliance.hub.gate import PING_S, SEND_S, Call
from appliance.hub.metrics import MEDIA_TYPE
from appliance.hub.problems import Problem
from appliance.hub.running import Tell
from appliance.hub.state import as_json, without_words
from appliance.ports import hub as port

STATUS_S, MUTE_S = 5.0, 10.0
MEMORY = "memory"
"""The skill whose facts they are (appliance/skills/memory/verbs.yaml)."""


async def _state(call: Call) -> tuple[port.State, str]:
    """How the box is, and why it would not answer a question; empty where it would. Raises Problem."""
    state = port.State.model_validate(await call.hub.core.ask("status", within_s=STATUS_S))
    return state, "" if state.ready else str(state.status.get("trouble") or state.state)


async def alive(call: Call, tell: Tell) -> shapes.Health:
    return shapes.Health()


async def ready(call: Call, tell: Tell) -> Response:
    """503 where a question would not be answered."""
    try:
        _, trouble = await _state(call)
    except Problem as problem:
        trouble = problem.detail
    told = shapes.Readiness(ready=not trouble, trouble=trouble)
    return JSONResponse(told.model_dump(), 503 if trouble else 200)


async def metrics(call: Call, tell: Tell) -> Response:
    return Response(call.hub.metrics.text(call.hub.core.connected), media_type=MEDIA_TYPE)


async def status(call: Call, tell: Tell) -> shapes.BoxStatus:
    state, _ = await _state(call)
    known = {"ready": state.ready, "state": state.state, "turns": [*call.hub.watchers.turns]}
    known |= {"version": call.hub.version, "name": call.hub.name}
    return shapes.BoxStatus.model_validate(state.status | known)


async def events(call: Call, tell: Tell) -> Response:
    """What happens on the box; the words of a turn are for the owner alone."""
    following = call.hub.watchers.follow()
    whole = call.caller.role == "owner"

    async def stream() -> AsyncIterator[ServerSentEvent]:
        yield ServerSentEvent(as_json({"connected": call.hub.core.connected}), event="hello")
        async for event in following:
            told = event if whole else without_words(event)
            rest = {key: value for key, value in told.items() if key not in ("id", "event")}
            yield ServerSentEvent(as_json(rest), event=str(told.get("event")))

    return EventSourceResponse(stream(), ping=PING_S, send_timeout=SEND_S)


async def commands(call: Call, tell: Tell) -> shapes.SkillAnswer:
    """With the rights of a terminal on the box."""
    body: shapes.SkillCommand = call.body
    if not call.caller.may_command(body.skill):
        detail = f"{body.skill} is the owner's alone"
        raise Problem(403, detail, "use a token of the owner", kind="not_allowed")
    return await _commanded(call, body.skill, body.words, body.yes)


async def announce(call: Call, tell: Tell) -> shapes.Done:
    body: shapes.Announcement = call.body
    await call.hub.core.ask("announce", port.Announce(text=body.text))
    return shapes.Done()


async def mute(call: Call, tell: Tell) -> shapes.Done:
    """It is closed when this is answered. Nothing opens it from here: no request is to turn a microphone on."""
    await call.hub.core.ask("mute", within_s=MUTE_S)
    return shapes.Done()


async def memory(call: Call, tell: Tell) -> shapes.SkillAnswer:
    """Facts that are stored, newest first: all of them, or those with each word of `query` in them."""
    known = await _commanded(call, MEMORY, [])
    words = call.request.query_params.get("query", "").casefold().split()
    if known.rows is None or not words:
        return known
    found = [row for row in known.rows if all(word in str(row.get("text", "")).casefold() for word in words)]
    return shapes.SkillAnswer(said="\n".join(str(row.get("text", "")) for row in found), rows=found)


async def why(call: Call, tell: Tell) -> shapes.SkillAnswer:
    return await _commanded(call, MEMORY, ["why", (await _fact(call))["text"]])


async def correct(call: Call, tell: Tell) -> shapes.SkillAnswer:
    body: shapes.Correction = call.body
    return await _commanded(call, MEMORY, ["correct", str((await _fact(call))["id"]), body.text], yes=True)


async def forget(call: Call, tell: Tell) -> shapes.SkillAnswer:
    return await _commanded(call, MEMORY, ["remove", str((await _fact(call))["id"])], yes=True)


async def _fact(call: Call) -> dict[str, Any]:
    """The one of the path. Raises Problem."""
    number = call.request.path_params["fact"]
    known = await _commanded(call, MEMORY, [])
    found = [row for row in known.rows or [] if str(row.get("id")) == number and row.get("text")]
    if not found:
        raise Problem(404, "there is no such fact", "look at GET /api/v0/memory", kind="no_fact")
    return found[0]


async def _commanded(call: Call, skill: str, words: list[str], yes: bool = False) -> shapes.SkillAnswer:
    """Raises Problem."""
    given = port.Commanded(skill=skill, words=words, yes=yes, may_act=True)
    answer: dict[str, Any] = await call.hub.core.ask("command", given)
    return shapes.SkillAnswer.model_validate(answer)
