"""The core's end of the hub's socket, without a model: it keeps to the protocol, and answers what it was told to."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from appliance.ports import hub as port
from appliance.ports import hub_told, owner
from appliance.ports.commands import Answer
from appliance.ports.refusals import Kind, Refusal

PIECE = base64.b64encode(bytes(3_200)).decode()
"""A tenth of a second of silence."""


class Refused(Exception):
    def __init__(self, kind: Kind, error: str = "it cannot be done", code: int = 4) -> None:
        super().__init__(error)
        self.refusal = Refusal(error=error, remedy="nothing to correct", code=code, kind=kind)


class SimulatedCore:
    """`script`: a line -> its outcomes, one behind the other as it is continued. Any other line is said back."""

    def __init__(self, script: Mapping[str, Sequence[port.Outcome]] | None = None, delay_s: float = 0) -> None:
        """delay_s: before each answer to a line, and between pieces of sound."""
        self.script, self.delay_s = script or {}, delay_s
        self.asked: list[tuple[str, dict[str, Any]]] = []
        """Each request but `watch`, in its order."""
        self.refuse: dict[str, Refused] = {}
        """What is asked -> how it is refused."""
        self.rows: list[dict[str, Any]] = []
        """What each skill keeps."""
        self.pieces = 1
        """Of what is spoken, each PIECE."""
        self.settings = owner.OwnSettings(
            values={"place": "", "wake_word": "hey_jarvis", "cues": True, "volume": 60},
            choices={"wake_word": ["hey_jarvis"]},
            fixed=[],
            waits=[],
            set_up=False,
            taken_back=False,
            restarts=True,
        )
        self.skills = [
            owner.OwnSkill(name=name, about=name, on=True, missing="", fixed=False, waits=False)
            for name in ("later", "timers")
        ]
        self.language = "en"
        self.talks: dict[str, port.Start] = {}
        self._open: dict[str, list[port.Outcome]] = defaultdict(list)
        """Conversation -> the outcomes that are left."""
        self._calls: dict[str, set[str]] = defaultdict(set)
        self._watching: dict[asyncio.StreamWriter, int] = {}
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, str(path), limit=port.LINE_BYTES)

    async def stop(self) -> None:
        """As a core that is killed."""
        if self._server:
            self._server.close()
        for writer in [*self._writers]:
            writer.transport.abort()
        await asyncio.sleep(0)

    def count(self, what: str) -> int:
        return sum(do == what for do, _ in self.asked)

    def tell(self, **event: Any) -> None:
        """All who watch."""
        for writer, number in self._watching.items():
            _send(writer, {"id": number} | event)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        tasks = set()
        try:
            async for line in reader:
                task = asyncio.create_task(self._answer(writer, port.Request.model_validate_json(line)))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        finally:
            self._watching.pop(writer, None)
            self._writers.discard(writer)
            for task in tasks:
                task.cancel()
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, request: port.Request) -> None:
        if request.do == "watch":
            self._watching[writer] = request.id
            return
        self.asked.append((request.do, request.arguments))
        try:
            if refused := self.refuse.get(request.do):
                raise refused
            arguments = port.ARGUMENTS[request.do].model_validate(request.arguments)
            answer = await getattr(self, f"_{request.do}")(arguments, lambda event: _told(writer, request.id, event))
            _send(writer, {"id": request.id, "is": answer.model_dump(mode="json")})
        except ValidationError as error:
            wrong = Refused("bad_request", str(error).splitlines()[-1], 2)
            _send(writer, {"id": request.id} | wrong.refusal.model_dump())
        except Refused as refused:
            _send(writer, {"id": request.id} | refused.refusal.model_dump())

    async def _start(self, asked: port.Start, tell: Any) -> BaseModel:
        self.talks[asked.conversation] = asked
        return port.Nothing()

    async def _turn(self, asked: port.TurnAsked, tell: Any) -> BaseModel:
        self._calls[asked.conversation].clear()
        echo = port.Outcome(said=f"You said: {asked.text}.", stop_reason="complete")
        self._open[asked.conversation] = [*self.script.get(asked.text, [echo])]
        return await self._next(asked.conversation, tell)

    async def _continue(self, asked: port.Continue, tell: Any) -> BaseModel:
        if asked.conversation not in self.talks:
            raise Refused("no_conversation", "there is no such conversation", 2)
        unknown = {each.id for each in asked.results} - self._calls[asked.conversation]
        if unknown:
            raise Refused("no_call", f"no call {min(unknown)} was made", 2)
        if not self._open[asked.conversation]:
            raise Refused("not_asked", "nothing was asked", 2)
        return await self._next(asked.conversation, tell)

    async def _next(self, conversation: str, tell: Any) -> BaseModel:
        outcome = self._open[conversation].pop(0)
        self._calls[conversation] = {each.id for each in outcome.calls}
        for clause in filter(None, outcome.said.split(" | ")):
            tell(hub_told.Say(text=clause))
        await asyncio.sleep(self.delay_s)
        return outcome.model_copy(update={"said": outcome.said.replace(" | ", " ")})

    async def _stop(self, asked: port.Conversation, tell: Any) -> BaseModel:
        return port.Nothing()

    async def _end(self, asked: port.Conversation, tell: Any) -> BaseModel:
        if self.talks.pop(asked.conversation, None) is None:
            raise Refused("no_conversation", "there is no such conversation", 2)
        return port.Nothing()

    async def _command(self, asked: port.Commanded, tell: Any) -> BaseModel:
        if not asked.words:
            return Answer(said="", rows=self.rows)
        return Answer(said=f"{asked.skill}: {' '.join(asked.words)}", tool=asked.words[0], arguments={})

    async def _status(self, asked: port.Nothing, tell: Any) -> BaseModel:
        status = {"ready": True, "trouble": "", "state": "idle", "language": self.language}
        return port.State(ready=True, state="idle", status=status)

    async def _transcribe(self, asked: port.Transcribe, tell: Any) -> BaseModel:
        return port.Heard(text=f"{len(base64.b64decode(asked.pcm)) // 2} samples")

    async def _speak(self, asked: port.Speak, tell: Any) -> BaseModel:
        for number in range(self.pieces):
            await asyncio.sleep(self.delay_s if number else 0)
            tell(hub_told.Audio(pcm=PIECE, rate=16_000))
        return port.Nothing()

    async def _silence(self, asked: port.Nothing, tell: Any) -> BaseModel:
        return port.Nothing()

    async def _mute(self, asked: port.Nothing, tell: Any) -> BaseModel:
        return port.Nothing()

    async def _admit(self, asked: port.Admit, tell: Any) -> BaseModel:
        return port.Nothing()

    async def _settings(self, asked: port.Nothing, tell: Any) -> BaseModel:
        return self.settings.model_copy(deep=True)

    async def _choose(self, asked: owner.Choose, tell: Any) -> BaseModel:
        owner.Change.model_validate(asked.changes)
        self.settings.values |= asked.changes
        self.settings.waits = sorted({*self.settings.waits, *asked.changes} - {"volume"})
        return self.settings

    async def _skills(self, asked: port.Nothing, tell: Any) -> BaseModel:
        return owner.OwnSkills(skills=self.skills)

    async def _switch(self, asked: owner.Switch, tell: Any) -> BaseModel:
        for each in self.skills:
            if each.name == asked.skill:
                each.on, each.waits = asked.on, True
        return owner.OwnSkills(skills=self.skills)

    async def _restart(self, asked: port.Nothing, tell: Any) -> BaseModel:
        return port.Nothing()

    async def _examine(self, asked: port.Nothing, tell: Any) -> BaseModel:
        model = owner.OneModel(
            name="whisper-base", role="stt", bytes=147_951_465, state="here", what="", hashed_at="2026-11-27"
        )
        return owner.Examined(checks=[owner.OneCheck(part="pins", fine=True, found="none are wanted")], models=[model])

    async def _announce(self, asked: port.Announce, tell: Any) -> BaseModel:
        return port.Nothing()


def _told(writer: asyncio.StreamWriter, number: int, event: BaseModel) -> None:
    _send(writer, {"id": number} | event.model_dump(mode="json"))


def _send(writer: asyncio.StreamWriter, value: dict[str, Any]) -> None:
    if not writer.transport.is_closing():
        writer.write(json.dumps(value, ensure_ascii=False).encode() + b"\n")
