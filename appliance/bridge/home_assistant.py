"""The provider "home": Home Assistant, with what it exposes to its own assistant and nothing else."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel, ValidationError

from appliance.bridge.home_assistant_following import Following
from appliance.bridge.home_assistant_link import HomeAssistantLink, Refused, connected
from appliance.bridge.trouble import Lost
from appliance.errors import BadArgument, BadSettings, CannotBeDone
from appliance.ports import LINK, News
from appliance.retries import Retries
from appliance.wording import said

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
"""Before the next attempt to connect; doubled each time, up to LONGEST_PAUSE_S."""
LONGEST_PAUSE_S = 15.0
REFUSED_S = 600.0
"""Before the same token is tried again: each is a failed login to Home Assistant, which may ban who fails often."""
LOOK_S = 2.0
"""Between two looks at whether there is another token."""
TARGETS = {"entity_id", "device_id", "area_id", "floor_id", "label_id"}
"""Home Assistant takes these among a service's data, too."""
AS_IT_WAS = ("scene", "apply")
"""The service that brings things to a state, each with its own: they stand in its data."""
OF_NONE = "notify"
"""Domain of the services that act on no thing: they send a message to whom their name says."""
OF_ALL = {"turn_on", "turn_off", "toggle", "update_entity"}
"""Services of the domain "homeassistant", for a thing of any domain."""
BETTER = {"invalid_format", "service_validation_error", "not_found"}
"""Codes of refusals that better arguments would help."""


class Call(BaseModel):
    """The question "call"."""

    domain: str
    service: str
    entities: list[str]
    data: dict[str, Any] = {}
    response: bool = False

    @property
    def things(self) -> set[str]:
        """Those that it acts on."""
        told = self.data.get("entities") if (self.domain, self.service) == AS_IT_WAS else None
        return {*self.entities, *(told if isinstance(told, dict) else ())}

    @property
    def allowed(self) -> bool:
        """Whether it is of these things alone: a shell command would take them as well."""
        if (self.domain, self.service) == AS_IT_WAS:
            return bool(self.things) and not self.entities and self.data.keys() == {"entities"}
        if not self.entities:
            return self.domain == OF_NONE and not TARGETS & self.data.keys()
        domains = {name.partition(".")[0] for name in self.entities}
        fits = domains == {self.domain} or (self.domain == "homeassistant" and self.service in OF_ALL)
        return fits and not TARGETS & self.data.keys()


class HomeAssistant:
    """A `Provider`."""

    name = "home"

    def __init__(self, url: str, token: Callable[[], str], language: str) -> None:
        """`token`: read anew for each attempt; raises BadSettings."""
        self._url, self._token, self._language = url, token, language
        self._following: Following | None = None
        """While it is up."""
        self._why = "no_server"

    async def run(self, tell: News) -> None:
        retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        while True:
            began_s, token, lost = time.monotonic(), "", Lost("no_server")
            try:
                token = self._token()
                await self._stay(token, tell)
            except (BadSettings, Refused, ValidationError, Lost) as error:
                lost = _lost(error)
            self._following, self._why = None, lost.why
            tell(LINK, self._state)
            failed = retries.failed(lost.why, time.monotonic() - began_s)
            if failed.is_news:
                log.warning("Home Assistant at %s: %s", self._url, lost)
            await self._rest(lost.why, token, failed.pause_s)

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, self._state
        if self._following:
            yield "house", self._following.house()

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        if what != "call":
            raise CannotBeDone(said("home_no_such", self._language), remedy=f"{what!r} is no question to {self.name}")
        try:
            call = Call.model_validate(arguments)
        except ValidationError as error:
            raise self._better(str(error)) from None
        if self._following is None:
            raise CannotBeDone(said("home_gone", self._language))
        if not call.things <= {*self._following.names}:
            raise BadArgument(said("home_no_such", self._language), remedy="name things that are exposed")
        if not call.allowed:
            raise self._better(f"{call.domain}.{call.service} is not for {', '.join(call.entities) or 'nothing'}")
        return {"response": await self._call(self._following.link, call)}

    @property
    def _state(self) -> dict[str, Any]:
        return {"up": True, "why": ""} if self._following else {"up": False, "why": self._why}

    async def _stay(self, token: str, tell: News) -> None:
        """Connected, until it ends. Raises Lost, Refused, ValidationError."""

        def began() -> None:
            self._following = following
            tell(LINK, self._state)
            log.info("Home Assistant at %s: %d things are exposed", self._url, len(following.names))

        async with connected(self._url, token) as link:
            following = Following(link, tell)
            await following.run(began)

    async def _rest(self, why: str, token: str, pause_s: float) -> None:
        if why not in ("refused", "no_token"):
            await asyncio.sleep(pause_s)
            return
        ends_s = time.monotonic() + REFUSED_S
        while time.monotonic() < ends_s:
            await asyncio.sleep(LOOK_S)
            try:
                if self._token() != token:
                    return
            except BadSettings as error:
                log.debug("%s", error)

    async def _call(self, link: HomeAssistantLink, call: Call) -> Any:
        """Raises BadArgument, CannotBeDone."""
        wanted: dict[str, Any] = {"return_response": True} if call.response else {}
        if call.entities:
            wanted["target"] = {"entity_id": call.entities}
        try:
            done = await link.ask(
                "call_service", domain=call.domain, service=call.service, service_data=call.data,
                **wanted,
            )  # fmt: skip
        except Refused as refused:
            if refused.code in BETTER:
                raise self._better(refused.message) from None
            raise CannotBeDone(said("home_refused", self._language), remedy=refused.message[:200]) from None
        except Lost:
            raise CannotBeDone(said("home_gone", self._language)) from None
        return done.get("response") if isinstance(done, dict) else None

    def _better(self, remedy: str) -> BadArgument:
        return BadArgument(said("home_refused", self._language), remedy=remedy[:200])


def _lost(error: Exception) -> Lost:
    match error:
        case Lost():
            return error
        case BadSettings():
            return Lost("no_token", str(error))
        case Refused(code="unauthorized"):
            return Lost("refused", error.message)
    return Lost("nonsense", str(error).splitlines()[0])
