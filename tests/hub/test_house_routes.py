"""What is asked of the box through the hub beside a conversation; the core that comes and goes; TLS; the document."""

from __future__ import annotations

import json
import ssl
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from running_hub import RunningHub, line, started

from appliance.hub.app import application
from appliance.hub.certificate import fingerprint
from appliance.records import TurnRecord
from appliance.simulated.hub_core import Refused, SimulatedCore

V0 = "/api/v0"
RECORD = TurnRecord(turn=7, conversation="c", heard="a secret", said="I keep it").model_dump(mode="json")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[RunningHub]:
    with RunningHub(tmp_path) as box:
        yield box


def test_health_is_told_without_a_token(box: RunningHub) -> None:
    with box.client(None) as client:
        assert client.get("/healthz").json() == {"alive": True}
        assert client.get("/readyz").json() == {"ready": True, "trouble": ""}
        box.core.refuse["status"] = Refused("starting", "the box is starting", 3)
        response = client.get("/readyz")
        assert (response.status_code, response.json()["trouble"]) == (503, "the box is starting")


def test_status_tells_of_the_box_and_its_newest_turns_without_words(box: RunningHub) -> None:
    with box.client("household") as client:
        box.tell(event="turn", record=RECORD)
        told = eventually(lambda: client.get(f"{V0}/status").json(), lambda told: told["turns"])
    assert (told["ready"], told["state"], told["trouble"]) == (True, "idle", "")
    assert [each["turn"] for each in told["turns"]] == [7]
    assert "secret" not in json.dumps(told)


def eventually(look: Any, good: Any) -> Any:
    ends_s = time.monotonic() + 20
    while not good(found := look()):
        assert time.monotonic() < ends_s, found
        time.sleep(0.02)
    return found


@pytest.mark.parametrize(("role", "words"), [("owner", True), ("household", False)])
def test_events_are_told_as_they_happen_and_words_to_the_owner_alone(box: RunningHub, role: Any, words: bool) -> None:
    with box.client(role) as client, client.stream("GET", f"{V0}/events") as response:
        lines = response.iter_lines()
        assert until(lines, "hello") == {"connected": True}
        box.tell(event="state", state="listening")
        box.tell(event="turn", record=RECORD)
        box.tell(event="ring", rings=True)
        assert until(lines, "state") == {"state": "listening"}
        assert ("heard" in until(lines, "turn")["record"]) is words
        assert until(lines, "ring") == {"rings": True}


def until(lines: Iterator[str], name: str) -> Any:
    for each in lines:
        if each == f"event: {name}":
            return json.loads(next(lines).removeprefix("data: "))
    raise AssertionError(f"no {name}")


def test_a_skill_is_commanded_and_what_it_keeps_is_told(box: RunningHub) -> None:
    with box.client("household") as client:
        done = client.post(f"{V0}/commands", json={"skill": "alarms", "words": ["add", "7:00"]}).json()
        assert done == {"said": "alarms: add 7:00", "tool": "add", "arguments": {}, "rows": None}
        assert client.post(f"{V0}/commands", json={"skill": "alarms"}).json()["rows"] == []
        assert client.post(f"{V0}/announce", json={"text": "Dinner!"}).json() == {"status": "success"}
    assert box.core.asked[0][1] == {"skill": "alarms", "words": ["add", "7:00"], "yes": False, "may_act": True}
    assert box.core.asked[-1] == ("announce", {"text": "Dinner!"})


def test_the_owner_governs_the_memory(box: RunningHub) -> None:
    texts = {4: "Likes tea", 5: "Has two cats", 6: "The cats like fish"}
    box.core.rows = [{"id": number, "text": text, "kind": "user"} for number, text in texts.items()]
    with box.client("owner") as client:
        assert [row["id"] for row in client.get(f"{V0}/memory").json()["rows"]] == [4, 5, 6]
        assert [row["id"] for row in client.get(f"{V0}/memory", params={"query": "cats LIKE"}).json()["rows"]] == [6]
        box.core.asked.clear()
        assert client.get(f"{V0}/memory/5/why").status_code == 200
        assert client.post(f"{V0}/memory/5/correct", json={"text": "Has three cats"}).status_code == 200
        assert client.post(f"{V0}/memory/5/forget").status_code == 200
        for wrong in ("7", "x", "5%2F..", "05"):
            assert client.post(f"{V0}/memory/{wrong}/forget").status_code == 404
    changed = [told["words"] for _, told in box.core.asked if told["words"]]
    assert changed == [["why", "Has two cats"], ["correct", "5", "Has three cats"], ["remove", "5"]]


def test_the_doctor_tells_what_the_running_box_knows_of_itself(box: RunningHub) -> None:
    with box.client("owner") as client:
        assert all(each["fine"] for each in client.get(f"{V0}/doctor").json()["checks"])
        assert client.get(f"{V0}/doctor").json()["checks"][0]["part"] == "pins"
        box.core.refuse["examine"] = Refused("starting", "the box is starting", 3)
        [check] = client.get(f"{V0}/doctor").json()["checks"]
        assert (check["fine"], check["found"]) == (False, "the box is starting")


def test_metrics_are_read_by_prometheus(box: RunningHub) -> None:
    with box.client("household") as client:
        client.get(f"{V0}/status")
        families = {each.name: each for each in text_string_to_metric_families(client.get("/metrics").text)}
    counted = {tuple(each.labels.values()): each.value for each in families["va_hub_requests"].samples}
    assert counted[f"{V0}/status", "200"] == 1
    assert families["va_hub_core_connected"].samples[0].value == 1


def test_a_core_that_comes_back_is_found_again(box: RunningHub) -> None:
    path = box.settings.hub.core_socket
    with box.client("owner") as client:
        started(client)
        assert line(client, "hello").status_code == 200
        box.do(box.core.stop())
        path.unlink()
        response = eventually(lambda: line(client, "hello"), lambda answer: answer.status_code != 200)
        assert response.status_code == 503
        assert response.json()["remedy"]
        assert response.headers["retry-after"]
        box.do(box.core.start(path))
        assert eventually(lambda: line(client, "hello"), lambda answer: answer.status_code == 200)


def test_a_core_that_dies_in_a_turn_leaves_it_open_whether_it_was_done(box: RunningHub) -> None:
    box.core.delay_s = 30
    with box.client("owner") as client:
        started(client)
        killer = Timer(1, lambda: box.do(box.core.stop()))
        killer.start()
        response = line(client, "set a timer", **{"Idempotency-Key": "k"})
        killer.join()
        assert (response.status_code, response.json()["kind"]) == (503, "unknown")
        again = line(client, "set a timer", **{"Idempotency-Key": "k"})
        assert again.json() == response.json(), "it is not done a second time"


def test_tls_with_a_certificate_of_its_own_is_pinned(tmp_path: Path) -> None:
    with RunningHub(tmp_path, tls=True) as box:
        certificate = box.folder / "tls.crt"
        assert (box.folder / "tls.key").stat().st_mode & 0o077 == 0
        trusting = ssl.create_default_context(cafile=str(certificate))
        trusting.check_hostname = False  # it is reached by an address here
        response = httpx.get(f"{box.url}/healthz", verify=trusting)
        assert response.status_code == 200
        address = box.socket.getsockname()
        served = ssl.get_server_certificate(address)
        assert ssl.PEM_cert_to_DER_cert(served) == ssl.PEM_cert_to_DER_cert(certificate.read_text())
        assert len(fingerprint(certificate).split(":")) == 32
        login = httpx.post(f"{box.url}{V0}/login", json={"token": box.token("owner")}, verify=trusting)
        assert "secure" in login.headers["set-cookie"].lower()
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{box.url}/healthz")
    kept = certificate.read_bytes()
    with RunningHub(tmp_path, tls=True):
        assert certificate.read_bytes() == kept, "or clients that pinned it would be locked out"


def test_the_page_is_served_with_no_right_to_anything_else(tmp_path: Path, box: RunningHub) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<title>Box</title>")
    (page / "main.js").write_text("export {}")
    (tmp_path / "secret").write_text("x")

    async def got(path: str) -> httpx.Response:
        transport = httpx.ASGITransport(application(box.hub, page=page))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get(path)

    index = box.do(got("/"))
    assert (index.status_code, index.text) == (200, "<title>Box</title>")
    assert index.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in index.headers["content-security-policy"]
    assert box.do(got("/main.js")).headers["content-type"].startswith("text/javascript")
    assert box.do(got("/%2e%2e/secret")).status_code == 404
    assert box.do(got("/api/v0/nothing")).headers["cache-control"] == "no-store"


def appliance(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    config = folder / "config.toml"
    config.write_text(f'[hub]\nfolder = "{folder / "hub"}"\ncore_socket = "{folder / "core.sock"}"\n')
    command = [sys.executable, "-m", "appliance", "hub", *words, "--config", str(config)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_tokens_are_given_out_in_a_terminal(box: RunningHub, tmp_path: Path) -> None:
    made = appliance(tmp_path, "token", "add", "page", "--as", "owner", "--person", "Mia")
    assert made.returncode == 0, made.stderr
    headers = {"Authorization": f"Bearer {made.stdout.strip()}"}
    assert httpx.get(f"{box.url}{V0}/status", headers=headers).status_code == 200
    listed = appliance(tmp_path, "token", "list").stdout
    assert listed.split()[:3] == ["page", "owner", "Mia"]
    assert made.stdout.strip() not in listed
    assert appliance(tmp_path, "token", "remove", "page").returncode == 0
    assert httpx.get(f"{box.url}{V0}/status", headers=headers).status_code == 401
    again = appliance(tmp_path, "token", "remove", "page")
    assert (again.returncode, "hub token list" in again.stderr) == (2, True)
    assert appliance(tmp_path, "token", "add", "page").returncode == 2


def test_a_window_for_pairing_is_opened_in_a_terminal(box: RunningHub, tmp_path: Path) -> None:
    code = appliance(tmp_path, "pair", "--room", "kitchen").stdout[:8]
    told = httpx.post(f"{box.url}{V0}/pair", json={"code": code, "name": "node"})
    assert (told.status_code, told.json()["role"]) == (200, "satellite")


def test_check_says_what_to_do(box: RunningHub, tmp_path: Path) -> None:
    found = appliance(tmp_path, "check")
    assert found.returncode == 3
    assert "hub token add" in found.stdout
    box.token("owner")
    assert appliance(tmp_path, "check", "--json").returncode == 0


MOST_OVER_S = 0.03
"""For half of all answers, on a machine that does other things; 95 of 100 are to take 15 ms (bench/hub.py: 5). A body
that waits for its head to be acknowledged takes 40."""


def test_the_hub_adds_little_to_an_answer(box: RunningHub) -> None:
    with box.client("owner") as client:
        started(client)
        took_s = []
        for _ in range(100):
            began_s = time.monotonic()
            assert line(client, "hello").status_code == 200
            took_s.append(time.monotonic() - began_s)
    print(f"p95 {statistics.quantiles(took_s, n=20)[-1] * 1_000:.1f} ms")
    assert statistics.median(took_s) < MOST_OVER_S


def test_a_core_with_many_questions_is_asked_no_more(tmp_path: Path) -> None:
    """And whoever asks then is told to wait, at once."""
    with RunningHub(tmp_path, SimulatedCore(delay_s=3)) as box, box.client("owner") as client:
        for number in range(40):
            started(client, f"c{number}")
        with ThreadPoolExecutor(40) as pool:
            answers = [*pool.map(lambda number: line(client, "hello", f"c{number}"), range(40))]
    statuses = [each.status_code for each in answers]
    assert set(statuses) == {200, 429}
    assert statuses.count(429) <= 10
