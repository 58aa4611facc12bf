"""The OpenAPI document: as it is served, true of the server, and asked at random (schemathesis)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from running_hub import MANY, RunningHub

from appliance.hub.limits import Limits
from appliance.hub.routes import ROUTES
from appliance.hub.shapes import CommandResult
from appliance.simulated.wifi import SimulatedWifi

SECONDS = 45
"""For which it is asked at random."""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    folder = tmp_path_factory.mktemp("openapi")
    with RunningHub(folder) as box, SimulatedWifi(folder / "wifi.sock"):
        box.hub.wifi = folder / "wifi.sock"
        yield box


def test_the_document_has_every_route(box: RunningHub) -> None:
    told = httpx.get(f"{box.url}/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    served = {(method.upper(), path) for path, each in told["paths"].items() for method in each}
    assert served == {(route.method, route.path) for route in ROUTES}
    assert told["components"]["schemas"]["CommandResult"]["properties"].keys() == CommandResult.model_fields.keys()


def test_each_reference_leads_somewhere(box: RunningHub) -> None:
    told = httpx.get(f"{box.url}/openapi.json")
    names = set(re.findall(r"#/components/schemas/(\w+)", told.text))
    assert names <= told.json()["components"]["schemas"].keys()


def test_whatever_is_asked_is_answered_as_the_document_says(box: RunningHub, tmp_path: Path) -> None:
    """Not the stream of events, which does not end."""
    box.hub.failures = Limits(MANY)  # it tries many tokens
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{box.url}/openapi.json"]
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    checks += ",unsupported_method,ignored_auth"
    options = ["--header", f"Authorization: Bearer {box.token('owner')}", "--checks", checks, "--phases"]
    options += ["examples,coverage,fuzzing", "--max-examples", "8", "--exclude-path", "/api/v0/events"]
    options += ["--request-timeout", "20", "--max-time", str(SECONDS), "--no-color"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
