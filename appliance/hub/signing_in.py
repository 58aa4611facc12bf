"""A browser signs in with a token, and out; a new client is given a token of its own."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from appliance.hub import shapes
from appliance.hub.gate import Call, address_of, limited
from appliance.hub.problems import Problem
from appliance.hub.running import Tell
from appliance.hub.sessions import COOKIE, IDLE_S
from appliance.hub.state import Hub
from appliance.ports import hub as port
from appliance.wording import said

LANGUAGE_S = 2.0
"""For the box to say in which language it speaks."""
ADMIT_S = 45.0
"""For the name to be said, behind whatever the box is saying, and to be turned away."""


async def login(call: Call, tell: Tell) -> Response:
    body: shapes.Login = call.body
    hub = call.hub
    caller = hub.tokens.caller(body.token)
    if caller is None:
        limited(hub.failures.take(address_of(call.request)))
        raise Problem(401, "that token is not known", "make one: sudo appliance hub token add NAME --as owner")
    name, session = hub.sessions.begin(body.token)
    told = shapes.SignedIn(csrf=session.csrf, name=caller.name, role=caller.role)
    response = JSONResponse(told.model_dump())
    response.set_cookie(
        COOKIE, name, max_age=int(IDLE_S), path="/", secure=hub.secure, httponly=True, samesite="strict"
    )
    return response


async def session(call: Call, tell: Tell) -> shapes.SignedIn:
    """For a page that was loaded again: who is signed in, and the csrf that its changes need."""
    held = call.hub.sessions.find(call.request.cookies.get(COOKIE, ""))
    return shapes.SignedIn(csrf=held.csrf if held else "", name=call.caller.name, role=call.caller.role)


async def logout(call: Call, tell: Tell) -> Response:
    call.hub.sessions.end(call.request.cookies.get(COOKIE, ""))
    response = JSONResponse(shapes.Done().model_dump())
    response.delete_cookie(COOKIE, path="/", secure=call.hub.secure, httponly=True, samesite="strict")
    return response


async def pair(call: Call, tell: Tell) -> shapes.Paired:
    body: shapes.PairRequest = call.body
    token, role = call.hub.pairing.use(body.code, body.name)
    return shapes.Paired(token=token, name=body.name, role=role)


async def admit(call: Call, tell: Tell) -> shapes.Paired:
    """By the button of the box: whoever stands beside it has just held it. Raises Problem."""
    body: shapes.AdmissionRequest = call.body
    hub = call.hub
    limited(hub.failures.take(address_of(call.request)))
    hub.pairing.check(body.name)
    await hub.core.ask("admit", port.Admit(name=body.name), within_s=ADMIT_S)
    token = hub.pairing.add(body.name, body.role, room=body.room)
    return shapes.Paired(token=token, name=body.name, role=body.role)


async def door(call: Call, tell: Tell) -> shapes.Door:
    return shapes.Door(owned=call.hub.tokens.owned, language=await _language(call.hub))


async def read_out(call: Call, tell: Tell) -> shapes.Done:
    """Whoever hears the box stands beside it: a box that has no owner yet reads the code for one out, and shows it to
    nobody. Raises Problem."""
    hub = call.hub
    limited(hub.failures.take(address_of(call.request)))
    if hub.tokens.owned:
        raise Problem(403, "the box has an owner already", "run: sudo appliance hub pair --as owner", kind="owned")
    code = hub.pairing.open("owner")
    spoken = ", ".join(code)
    await hub.core.ask("announce", port.Announce(text=said("pairing_code", await _language(hub)).format(code=spoken)))
    return shapes.Done()


async def _language(hub: Hub) -> str:
    """As it is chosen on the box, of which the hub's own settings need not know; as they have it where it is silent."""
    try:
        state = port.State.model_validate(await hub.core.ask("status", within_s=LANGUAGE_S))
    except Problem:
        return hub.language
    return str(state.status.get("language") or hub.language)
