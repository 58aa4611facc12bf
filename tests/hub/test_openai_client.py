"""OpenAI's own Python client, against the hub."""

from __future__ import annotations

import io
import json
import wave
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from running_hub import PATIENCE_S, RunningHub

from appliance.ports.hub import Call, Outcome
from appliance.records import ModelUse, TurnRecord
from appliance.simulated.hub_core import Refused, SimulatedCore

MODEL = "voice-appliance"
TOOLS: Any = [
    {
        "type": "function",
        "function": {
            "name": "open_garage",
            "parameters": {"type": "object", "properties": {"door": {"type": "string"}}},
        },
    }
]
RECORD = TurnRecord(turn=1, conversation="x", model=ModelUse(prompt_tokens=40, generated_tokens=7))
CALLED = Outcome(
    said="", stop_reason="tool_calls", calls=[Call(id="call_1", name="open_garage", arguments={"door": "left"})]
)
FINE = Outcome(said="The left one | is open.", stop_reason="complete", record=RECORD)
ASKED = Outcome(said="Shall I?", stop_reason="validation_required", question="Shall I?", options=["yes", "no"])
SCRIPT = {"open it": [CALLED, FINE], "say much": [FINE], "erase it": [ASKED]}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    with RunningHub(tmp_path_factory.mktemp("openai"), SimulatedCore(SCRIPT)) as box:
        yield box


@pytest.fixture
def box(running: RunningHub) -> RunningHub:
    running.core.asked.clear()
    running.core.refuse.clear()
    return running


@pytest.fixture
def client(box: RunningHub) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        base_url=f"{box.url}/v1", api_key=box.token("owner"), max_retries=0, timeout=PATIENCE_S
    ) as client:
        yield client


def said(client: openai.OpenAI, *messages: Any, **more: Any) -> Any:
    return client.chat.completions.create(model=MODEL, messages=[*messages], **more)


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def test_the_box_is_listed_as_a_model(client: openai.OpenAI) -> None:
    assert [each.id for each in client.models.list()] == [MODEL]
    assert client.models.retrieve(MODEL).id == MODEL
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("other")


def test_a_line_is_answered(client: openai.OpenAI) -> None:
    answer = said(client, {"role": "system", "content": "You are a pirate."}, user("say much"))
    [choice] = answer.choices
    assert (choice.message.content, choice.finish_reason) == ("The left one is open.", "stop")
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (40, 7, 47)


def test_what_went_before_is_told_to_the_core(box: RunningHub, client: openai.OpenAI) -> None:
    parts = [{"type": "text", "text": "And "}, {"type": "text", "text": "then?"}]
    said(client, user("hello"), {"role": "assistant", "content": "Good day."}, {"role": "user", "content": parts})
    (_, start), (_, turn) = box.core.asked
    assert start["history"] == [{"role": "user", "text": "hello"}, {"role": "assistant", "text": "Good day."}]
    assert turn["text"] == "And then?"
    assert (start["channel"], turn["conversation"]) == ("chat", start["conversation"])


def test_the_conversation_goes_on_where_the_box_left_it(box: RunningHub, client: openai.OpenAI) -> None:
    """So that a yes answers what it asked."""
    asked = said(client, user("erase it")).choices[0].message.content
    assert asked == "Shall I?"
    said(client, user("erase it"), {"role": "assistant", "content": asked}, user("yes"))
    assert [do for do, _ in box.core.asked] == ["start", "turn", "turn"]
    first, second = (told["conversation"] for do, told in box.core.asked if do == "turn")
    assert first == second


def test_one_that_the_core_has_forgotten_is_begun_again(box: RunningHub, client: openai.OpenAI) -> None:
    said(client, user("hello"))
    box.core.refuse["turn"] = Refused("expired", "too long ago", 2)
    with pytest.raises(openai.NotFoundError):
        said(client, user("hello"), {"role": "assistant", "content": "You said: hello."}, user("and?"))
    assert [do for do, _ in box.core.asked] == ["start", "turn", "turn", "start", "turn"]


def test_nobody_goes_on_where_another_was(box: RunningHub, client: openai.OpenAI) -> None:
    said(client, user("erase it"))
    with openai.OpenAI(base_url=f"{box.url}/v1", api_key=box.token("owner"), max_retries=0) as other:
        said(other, user("erase it"), {"role": "assistant", "content": "Shall I?"}, user("yes"))
    assert len({told["conversation"] for do, told in box.core.asked if do == "turn"}) == 2


@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_of_the_client_is_called_and_answered(box: RunningHub, client: openai.OpenAI, stream: bool) -> None:
    if stream:
        *_, last, _ = said(client, user("open it"), tools=TOOLS, stream=True)
        [call] = last.choices[0].delta.tool_calls
    else:
        choice = said(client, user("open it"), tools=TOOLS).choices[0]
        assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
        [call] = choice.message.tool_calls
    assert (call.id, call.function.name, json.loads(call.function.arguments)) == (
        "call_1",
        "open_garage",
        {"door": "left"},
    )
    function = {"name": call.function.name, "arguments": call.function.arguments}
    made = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call.id, "type": "function", "function": function}],
    }
    result = {"role": "tool", "tool_call_id": call.id, "content": "it is open"}
    answer = said(client, user("open it"), made, result, tools=TOOLS)
    assert answer.choices[0].message.content == "The left one is open."
    do, told = box.core.asked[-1]
    assert (do, told["results"][0]["message"]) == ("continue", "it is open")
    assert box.core.asked[0][1]["tools"][0]["function"]["name"] == "open_garage"


def test_a_result_of_a_call_that_was_not_made_is_a_conflict(client: openai.OpenAI) -> None:
    with pytest.raises(openai.ConflictError, match="no calls"):
        said(client, user("x"), {"role": "tool", "tool_call_id": "call_7", "content": "y"})


def test_an_answer_is_streamed_by_clauses(client: openai.OpenAI) -> None:
    chunks = [*said(client, user("say much"), stream=True, stream_options={"include_usage": True})]
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert [piece for piece in pieces if piece] == ["The left one", " is open."]
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage.total_tokens == 47
    assert len({chunk.id for chunk in chunks}) == 1


def test_errors_are_those_that_the_client_knows(box: RunningHub, client: openai.OpenAI) -> None:
    with pytest.raises(openai.UnprocessableEntityError):
        said(client, user("x"), n=2)
    with pytest.raises(openai.UnprocessableEntityError):
        said(client, user("x"), tools=TOOLS, tool_choice="required")
    with pytest.raises(openai.UnprocessableEntityError, match="neither"):
        said(client, {"role": "assistant", "content": "x"})
    box.core.refuse["turn"] = Refused("busy", "too many wait")
    with pytest.raises(openai.RateLimitError, match="too many wait"):
        said(client, user("x"))
    with pytest.raises(openai.AuthenticationError):
        said(client.with_options(api_key="wrong"), user("x"))
    with pytest.raises(openai.PermissionDeniedError):
        said(client.with_options(api_key=box.token("guest")), user("x"))


def wav(seconds: float, rate_hz: int = 16_000, channels: int = 1) -> bytes:
    raw = io.BytesIO()
    with wave.open(raw, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(bytes(round(seconds * rate_hz) * 2 * channels))
    return raw.getvalue()


@pytest.mark.parametrize(("rate_hz", "channels"), [(16_000, 1), (48_000, 2)])
def test_a_recording_is_transcribed(client: openai.OpenAI, rate_hz: int, channels: int) -> None:
    file = ("a.wav", wav(1, rate_hz, channels))
    assert client.audio.transcriptions.create(model=MODEL, file=file).text == "16000 samples"
    text = client.audio.transcriptions.create(model=MODEL, file=file, response_format="text")
    assert text == "16000 samples"


def test_the_longest_recording_fits_into_a_line(client: openai.OpenAI) -> None:
    assert client.audio.transcriptions.create(model=MODEL, file=("a.wav", wav(24))).text == "384000 samples"


@pytest.mark.parametrize("content", [b"", b"OggS" + bytes(100), b"RIFF1234WAVEfmt ", wav(0), wav(25), wav(30, 8)])
def test_what_is_no_short_wav_is_refused(client: openai.OpenAI, content: bytes) -> None:
    with pytest.raises(openai.UnprocessableEntityError) as refused:
        client.audio.transcriptions.create(model=MODEL, file=("a.wav", content))
    assert "WAV" in str(refused.value)


def test_a_form_of_no_sense_is_refused(box: RunningHub) -> None:
    with box.client("owner") as client:
        for content, media in [
            (b"x", "multipart/form-data"),
            (b"x", "multipart/form-data; boundary=b"),
            (b"--b\r\n\r\n", "multipart/form-data; boundary=b"),
            (b"{}", "application/json"),
        ]:
            headers = {"Content-Type": media}
            response = client.post("/v1/audio/transcriptions", content=content, headers=headers)
            assert response.status_code in (415, 422), response.text


def test_a_text_is_spoken(client: openai.OpenAI) -> None:
    speak = client.audio.speech.create
    with wave.open(io.BytesIO(speak(model=MODEL, voice="alloy", input="Hello", response_format="wav").read())) as file:
        assert (file.getframerate(), file.getnframes()) == (16_000, 1_600)
    pcm = speak(model=MODEL, voice="alloy", input="Hello", response_format="pcm").read()
    assert len(pcm) == 2 * 2_400, "a tenth of a second at 24,000 Hz"
    with pytest.raises(openai.UnprocessableEntityError):
        speak(model=MODEL, voice="alloy", input="Hello", response_format="mp3")


def test_pcm_comes_as_it_is_spoken(box: RunningHub, client: openai.OpenAI) -> None:
    box.core.pieces, box.core.delay_s = 3, 0.2
    try:
        with client.audio.speech.with_streaming_response.create(
            model=MODEL, voice="alloy", input="Hello", response_format="pcm"
        ) as answer:
            pieces = [*answer.iter_bytes()]
    finally:
        box.core.pieces, box.core.delay_s = 1, 0
    assert len(pieces) >= 3
    assert sum(map(len, pieces)) == 3 * 2 * 2_400


def test_a_voice_that_is_not_there_is_told(box: RunningHub, client: openai.OpenAI) -> None:
    box.core.refuse["speak"] = Refused("missing", "no voice", 3)
    for kind in ("wav", "pcm"):
        with pytest.raises(openai.InternalServerError, match="no voice"):
            client.audio.speech.create(model=MODEL, voice="alloy", input="Hello", response_format=kind)


def test_a_key_of_the_client_has_it_done_once(box: RunningHub, client: openai.OpenAI) -> None:
    answers = [said(client, user("hello"), extra_headers={"Idempotency-Key": "a-key"}) for _ in range(2)]
    assert answers[0].id == answers[1].id
    assert box.core.count("turn") == 1


def test_a_stream_that_fails_says_so(box: RunningHub, client: openai.OpenAI) -> None:
    with httpx.Client() as other:
        headers = {"Authorization": f"Bearer {client.api_key}"}
        body = {"messages": [user("long")], "stream": True}
        box.core.refuse["turn"] = Refused("failed", "it broke")
        response = other.post(f"{box.url}/v1/chat/completions", json=body, headers=headers)
        assert (response.status_code, response.json()["error"]["message"]) == (500, "it broke; nothing to correct")
