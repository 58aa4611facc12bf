"""A core that only hears and speaks, behind a real socket, in the words of ports/hub.py."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np

from appliance.audio import Samples, Speech
from appliance.ports.hub import Heard, Request, Speak, Transcribe
from appliance.ports.hub_told import Audio
from appliance.ports.refusals import Refusal

Hear = Callable[[Samples], str]
Voice = Callable[[str], Iterable[Speech]]


def in_letters(samples: Samples) -> str:
    """How long it was, and how loud."""
    return f"{len(samples)} samples, at most {int(np.abs(samples).max(initial=0))}"


def ten_a_letter(clause: str) -> Iterable[Speech]:
    """Ten samples a letter at 22,050 Hz, in two pieces, as loud as the clause is long."""
    sound = np.full(10 * len(clause), len(clause), dtype=np.int16)
    return [Speech(part, 22_050) for part in np.array_split(sound, 2)]


class SpeakingCore:
    def __init__(self, path: Path, hear: Hear = in_letters, voice: Voice = ten_a_letter) -> None:
        self.path, self._hear, self._voice = path, hear, voice
        self.asked: list[str] = []
        """What was to be spoken or heard, in order."""
        self.refusal: Refusal | None = None
        self.open = asyncio.Event()
        """Nothing is answered before it is set."""
        self.open.set()
        self.at_once = self.most_at_once = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[SpeakingCore]:
        async with await asyncio.start_unix_server(self._serve, self.path, limit=2 << 20):
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            while line := await reader.readline():
                await self._answer(Request.model_validate_json(line), writer)
        except OSError:
            pass  # whoever asked has hung up
        finally:
            self.at_once -= 1
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if request.do == "transcribe":
            pcm = base64.b64decode(Transcribe.model_validate(request.arguments).pcm)
            samples = np.frombuffer(pcm, dtype="<i2")
            self.asked.append(in_letters(samples))
            await self.open.wait()
            is_ = Heard(text=await asyncio.to_thread(self._hear, samples)).model_dump()
        else:
            text = Speak.model_validate(request.arguments).text
            self.asked.append(text)
            await self.open.wait()
            for piece in () if self.refusal else await asyncio.to_thread(lambda: [*self._voice(text)]):
                pcm = base64.b64encode(piece.samples.astype("<i2").tobytes())
                self._tell(writer, request, Audio(pcm=pcm.decode(), rate=piece.rate_hz).model_dump())
                await writer.drain()
            is_ = {}
        self._tell(writer, request, self.refusal.model_dump() if self.refusal else {"is": is_})
        await writer.drain()

    def _tell(self, writer: asyncio.StreamWriter, request: Request, told: dict[str, Any]) -> None:
        writer.write(json.dumps({"id": request.id, **told}).encode() + b"\n")
