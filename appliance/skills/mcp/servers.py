"""What the bridge tells of the servers and their tools, and which of those are offered."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import LINK, Bridge, Spoken, Tool
from appliance.settings import McpServer, McpTool
from appliance.skills.mcp.allowed import Allowed
from appliance.skills.mcp.schemas import Clean, Unusable, reduced
from appliance.skills.mcp.tools import PROVIDER, ServerTool
from appliance.skills.written import Words

log = logging.getLogger(__name__)

TOOLS = "tools"
MOST_NAME_CHARS, MOST_DESCRIPTION_CHARS = 64, 400

Row = Mapping[str, Any]
"""Of a tool, as the bridge tells it."""


class Servers:
    def __init__(
        self, chosen: Mapping[str, McpServer], allowed: Allowed, bridge: Bridge | None, words: Words, clean: Clean
    ) -> None:
        """clean: see SkillContext.harmless."""
        self._chosen, self._allowed, self._bridge = chosen, allowed, bridge
        self._words, self._clean = words, clean
        self._lock = Lock()
        self._links: Row = {}
        self._rows: Sequence[Row] = ()
        self._made: Mapping[str, ServerTool] = {}
        """Those that were last offered."""
        self._stale = True

    def follow(self) -> None:
        assert self._bridge
        self._bridge.follow(PROVIDER, self._heard)

    def offered(self) -> Sequence[Tool]:
        """Those that may be used, as they are now; what did not change is the same object as before."""
        with self._lock:
            rows, stale, self._stale = self._rows, self._stale, False
        if stale:
            found = [each for row, state, _ in self._states(rows) if state == "offered" and (each := self._tool(row))]
            self._made = {each.name: each for each in found}
        return tuple(self._made.values())

    def mcp_servers(self) -> Spoken:
        """Tell which servers there are, and which of their tools are offered."""
        with self._lock:
            rows, links = self._rows, self._links
        lines = list[str]()
        for server in self._chosen:
            link = links.get(server, {"up": False, "why": "no_bridge"})
            state = self._words.say("up") if link["up"] else self._words.say("down", why=link["why"])
            lines.append(self._words.say("server", server=server, state=state))
            lines += [self._line(row, state, why) for row, state, why in self._states(rows) if row["server"] == server]
        return Spoken("\n".join(lines))

    def allow_mcp_tool(self, server: str, name: str) -> Spoken:
        """Let a tool be used as it is now."""
        row = self._row(server, name)
        self._allowed.allow(server, name, row["digest"])
        self._renew()
        return self._words.say("allowed", server=server, name=name)

    def forbid_mcp_tool(self, server: str, name: str) -> Spoken:
        """Let a tool that was allowed no longer be used."""
        if self._allowed.in_settings(server, name):
            raise CannotBeDone(self._words.say("in_settings", server=server, name=name))
        self._allowed.forbid(server, name)
        self._renew()
        return self._words.say("forbidden", server=server, name=name)

    def _heard(self, kind: str, value: Any) -> None:
        """News, from a thread of the bridge. What a server can do is still known while it cannot be reached."""
        with self._lock:
            if kind == LINK:
                self._links = value.get("servers", {})
            elif kind == TOOLS:
                self._rows, self._stale = value, True

    def _renew(self) -> None:
        with self._lock:
            self._stale = True

    def _row(self, server: str, name: str) -> Row:
        """Raises BadArgument."""
        with self._lock:
            rows = self._rows
        for row in rows:
            if (row["server"], row["tool"]) == (server, name):
                return row
        raise BadArgument(self._words.say("no_such", server=server, name=name))

    def _states(self, rows: Sequence[Row]) -> Iterator[tuple[Row, str, str]]:
        """Each with the name of its state (phrases: states), and what of its schema is no use."""
        names = set[str]()
        for row in rows:
            if row["server"] not in self._chosen or len(row["name"]) > MOST_NAME_CHARS:
                continue
            state: str = self._allowed.state(row["server"], row["tool"], row["digest"])
            why = ""
            if row["name"] in names:
                state = "same_name"
            elif row["schema"] is None:
                state = "too_long"
            else:
                names.add(row["name"])
                try:
                    reduced(row["schema"], self._clean)
                except Unusable as error:
                    state, why = "schema", str(error)
            yield row, state, why

    def _line(self, row: Row, state: str, why: str) -> str:
        name, server = self._clean(row["tool"], MOST_NAME_CHARS), row["server"]
        effect = self._chosen[server].tools.get(row["tool"], McpTool()).effect
        told = self._words.phrases["states"][state].format(server=server, name=name, effect=effect, why=why)
        return self._words.say("tool", name=name, state=told)

    def _tool(self, row: Row) -> ServerTool:
        """That of before, where the server says the same of it."""
        before = self._made.get(row["name"])
        if before and before.digest == row["digest"]:
            return before
        assert self._bridge
        chosen = self._chosen[row["server"]]
        server, called, digest = row["server"], row["tool"], row["digest"]
        return ServerTool(
            name=row["name"],
            description=self._clean(row["description"].strip().partition("\n\n")[0], MOST_DESCRIPTION_CHARS),
            reduced=reduced(row["schema"], self._clean),
            server=server,
            called=called,
            digest=digest,
            chosen=chosen.tools.get(called, McpTool()),
            timeout_s=chosen.timeout_s,
            bridge=self._bridge,
            words=self._words,
            clean=self._clean,
            trouble=lambda: self._trouble(server, called, digest),
        )

    def _trouble(self, server: str, name: str, digest: str) -> str:
        """Asked when it is to run: it may have changed since it was offered, in a turn of before."""
        try:
            row = self._row(server, name)
        except BadArgument:
            return self._words.say("gone", server=server, name=name)
        fine = row["digest"] == digest and self._allowed.state(server, name, digest) == "offered"
        return "" if fine else self._words.say("changed", server=server, name=name)
