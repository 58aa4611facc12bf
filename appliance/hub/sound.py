"""The box's ear and voice for others: WAV to text, text to sound."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from appliance.audio import Samples, Speech, as_text, joined, of_text, resample, samples_of_wav, wav_of
from appliance.errors import BadAudio
from appliance.hub import openai_shapes as shapes
from appliance.hub.gate import Call
from appliance.hub.problems import Problem
from appliance.hub.running import Running, Tell
from appliance.ports import hub as port

FORMATS = ("json", "text")
PCM_HZ = 24_000
"""Of OpenAI's "pcm"."""


async def transcribe(call: Call, tell: Tell) -> Response | shapes.Transcription:
    file, wanted = await _form(call)
    samples = _samples(file)
    asked = port.Transcribe(pcm=as_text(samples))
    heard = port.Heard.model_validate(await call.hub.core.ask("transcribe", asked))
    return PlainTextResponse(heard.text) if wanted == "text" else shapes.Transcription(text=heard.text)


async def _form(call: Call) -> tuple[bytes, str]:
    """The file, and the format that is wanted. Raises Problem."""
    media = call.request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "multipart/form-data":
        raise Problem(415, "the body is no multipart/form-data", "send the recording as the field file")
    body: bytes = call.body

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(call.request.scope, receive).form(max_files=1, max_fields=20) as form:
            file, wanted = form.get("file"), str(form.get("response_format") or FORMATS[0])
            content = await file.read() if isinstance(file, UploadFile) else None
    except (HTTPException, MultiPartException, ValueError, KeyError) as error:
        detail = getattr(error, "detail", None) or getattr(error, "message", None) or "it ends too early"
        raise Problem(
            422, f"the form cannot be read: {detail}", "send it as a browser does", kind="bad_schema"
        ) from None
    if content is None:
        raise Problem(422, "the form has no file", "send the recording as the field file", kind="bad_schema")
    if wanted not in FORMATS:
        raise Problem(422, f"response_format {wanted[:40]!r}", f"use one of: {', '.join(FORMATS)}", kind="bad_schema")
    return content, wanted


def _samples(file: bytes) -> Samples:
    """Raises Problem."""
    try:
        return samples_of_wav(io.BytesIO(file), "the file", port.PCM_S)
    except BadAudio as error:
        remedy = f"send a PCM WAV file of {port.PCM_S} s at most, 16,000 Hz and mono at best"
        raise Problem(422, error.what, remedy, kind="bad_audio") from None


async def speak(call: Call, tell: Tell) -> Response:
    """WAV once all is spoken, for its head tells how long it is; PCM as it is spoken."""
    body: shapes.SpeechRequest = call.body

    async def work(spoken: Tell) -> Any:
        asked = port.Speak(text=body.input)
        return await call.hub.core.ask("speak", asked, lambda event: spoken("audio", _speech(event)))

    running = Running(work)
    await running.begun()
    if running.problem:
        raise running.problem
    if body.response_format == "pcm":
        return StreamingResponse(_as_pcm(running), media_type="audio/pcm")
    pieces = [piece async for _, piece in running.events()]
    await running.answer()
    return Response(wav_of(joined(pieces)), media_type="audio/wav")


async def _as_pcm(running: Running) -> AsyncIterator[bytes]:
    """Breaks off where speaking does, so that nobody takes a half for the whole."""
    try:
        async for _, piece in running.events():
            yield resample(piece.samples, piece.rate_hz, PCM_HZ).astype("<i2").tobytes()
        await running.answer()
    finally:
        running.abandon()


def _speech(event: dict[str, Any]) -> Speech:
    return Speech(of_text(event["pcm"]), int(event["rate"]))
