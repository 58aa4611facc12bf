"""What the owner sees and changes of the box itself: settings, skills, the doctor, the release and its models."""

from __future__ import annotations

from contextlib import suppress

from appliance.hub import shapes
from appliance.hub.gate import Call
from appliance.hub.problems import Problem
from appliance.hub.running import Tell
from appliance.ports import hub as port
from appliance.ports import owner

SEE = "see: journalctl -u va"


async def settings(call: Call, tell: Tell) -> owner.OwnSettings:
    return owner.OwnSettings.model_validate(await call.hub.core.ask("settings"))


async def choose(call: Call, tell: Tell) -> owner.OwnSettings:
    body: owner.Change = call.body
    changes = body.model_dump(mode="json", exclude_unset=True)
    return owner.OwnSettings.model_validate(await call.hub.core.ask("choose", owner.Choose(changes=changes)))


async def skills(call: Call, tell: Tell) -> owner.OwnSkills:
    return owner.OwnSkills.model_validate(await call.hub.core.ask("skills"))


async def switch(call: Call, tell: Tell) -> owner.OwnSkills:
    body: shapes.SwitchSkill = call.body
    name = call.request.path_params["skill"]
    known = await skills(call, tell)
    if name not in [each.name for each in known.skills]:
        raise Problem(404, "there is no such skill", "look at GET /api/v0/skills", kind="no_skill")
    return owner.OwnSkills.model_validate(await call.hub.core.ask("switch", owner.Switch(skill=name, on=body.on)))


async def restart(call: Call, tell: Tell) -> shapes.Done:
    await call.hub.core.ask("restart")
    return shapes.Done()


async def doctor(call: Call, tell: Tell) -> shapes.Checks:
    """What `appliance doctor` finds, as the running box sees itself; and where it does not answer, that."""
    try:
        found = await _examined(call)
    except Problem as problem:
        ill = owner.OneCheck(part="appliance", fine=False, found=problem.detail, remedy=problem.remedy or SEE)
        return shapes.Checks(checks=[ill])
    return shapes.Checks(checks=found.checks)


async def installed(call: Call, tell: Tell) -> shapes.Installed:
    state = port.State.model_validate(await call.hub.core.ask("status"))
    found, previous = await _examined(call), ""
    with suppress(OSError):
        previous = (call.hub.releases / "previous").readlink().name
    return shapes.Installed(
        version=call.hub.version,
        release=str(state.status.get("release", "")),
        previous=previous,
        models=found.models,
    )


async def _examined(call: Call) -> owner.Examined:
    """Raises Problem."""
    return owner.Examined.model_validate(await call.hub.core.ask("examine"))
