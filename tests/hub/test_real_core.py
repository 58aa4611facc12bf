"""The hub before the running service, without a model: what sentences alone understand is done through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from running_hub import RunningHub, line, started
from running_service import PATIENCE_S, RunningService

V0 = "/api/v0"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    folder: Path = tmp_path_factory.mktemp("real")
    service = RunningService(folder, hub=folder / "core.sock")
    try:
        with RunningHub(folder, core_socket=folder / "core.sock") as box, box.client(None) as client:
            eventually(lambda: client.get("/readyz").json(), lambda told: told["trouble"] != "starting")
            yield box
    finally:
        service.end()


def eventually(look: Callable[[], Any], good: Callable[[Any], bool]) -> Any:
    ends_s = time.monotonic() + PATIENCE_S
    while not good(found := look()):
        assert time.monotonic() < ends_s, found
        time.sleep(0.1)
    return found


@pytest.fixture
def client(box: RunningHub) -> Iterator[httpx.Client]:
    with box.client("satellite") as client:
        yield client


def test_a_timer_is_set_in_words_and_listed_by_the_skill(client: httpx.Client) -> None:
    started(client)
    told = line(client, "set a pasta timer for eight minutes").json()
    assert told["stop_reason"] == "complete", told
    assert "8 minutes" in told["assistant_message"]
    rows = client.post(f"{V0}/commands", json={"skill": "timers"}).json()["rows"]
    assert [row["label"] for row in rows] == ["pasta"]


def test_what_a_skill_keeps_is_changed_in_writing(client: httpx.Client) -> None:
    body = {"skill": "lists", "words": ["add", "shopping", "milk"]}
    assert client.post(f"{V0}/commands", json=body).status_code == 200
    assert "milk" in client.post(f"{V0}/commands", json={"skill": "lists"}).text
    wrong = client.post(f"{V0}/commands", json={"skill": "lists", "words": ["explode"]})
    assert (wrong.status_code, bool(wrong.json()["remedy"])) == (422, True)


def test_a_guest_changes_nothing(box: RunningHub) -> None:
    with box.client("guest") as guest, box.client("owner") as owner:
        before = owner.post(f"{V0}/commands", json={"skill": "timers"}).json()["rows"]
        started(guest)
        told = line(guest, "set a timer for nine minutes")
        assert told.status_code in (200, 403), told.text
        assert owner.post(f"{V0}/commands", json={"skill": "timers"}).json()["rows"] == before


def test_a_chat_client_talks_to_it(box: RunningHub) -> None:
    with openai.OpenAI(base_url=f"{box.url}/v1", api_key=box.token("owner"), timeout=PATIENCE_S) as client:
        asked: Any = [{"role": "user", "content": "what is 17 times 23"}]
        answer = client.chat.completions.create(model="voice-appliance", messages=asked)
        assert "391" in (answer.choices[0].message.content or "")
        clauses = client.chat.completions.create(model="voice-appliance", messages=asked, stream=True)
        assert "391" in "".join(chunk.choices[0].delta.content or "" for chunk in clauses)


def test_its_state_is_told_and_its_turns_are_watched(box: RunningHub, client: httpx.Client) -> None:
    started(client, "watched")
    line(client, "what time is it", "watched")
    with box.client("owner") as owner:
        told = eventually(lambda: owner.get(f"{V0}/status").json(), lambda told: told["turns"])
    assert told["state"]
    assert "what time is it" not in str(told)
