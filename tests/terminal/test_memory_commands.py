"""`appliance memory`: shown, searched, corrected, forgotten, taken out and in; with the real service and without."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running_service import RunningService

from appliance import cli
from appliance.doors import client
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.terminal import jail

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> tuple[int, str, str]:
        code = cli.main(["memory", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    made = RunningService(tmp_path_factory.mktemp("service"))
    yield made
    made.end()


@pytest.fixture(params=["service", "none"])
def options(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Of a box whose service runs, and of one without."""
    if request.param == "none":
        return ["--state", str(tmp_path / "state")]
    if shutil.which("systemd-socket-activate") is None:
        pytest.skip("systemd is not here: apt install systemd")
    shared: RunningService = request.getfixturevalue("shared")
    monkeypatch.setattr(client, "SOCKET", shared.socket)
    monkeypatch.setattr(jail, "service_process", lambda: Path("/proc/self"))
    return shared.options


def rows(run: Run, options: list[str]) -> dict[str, int]:
    """What each fact says -> its number."""
    return {row["text"]: row["id"] for row in json.loads(run("show", "--json", *options)[1])}


def test_a_fact_is_kept_shown_found_corrected_explained_and_forgotten(run: Run, options: list[str]) -> None:
    assert run("add", "The user's dentist is Doctor Pell.", *options) == (0, "I will remember that.\n", "")
    number = rows(run, options)["The user's dentist is Doctor Pell."]
    assert "Doctor Pell" in run("search", "dentist", *options)[1]
    assert run("correct", str(number), "The user's dentist is Doctor Wren.", *options)[0] == 0
    assert rows(run, options)["The user's dentist is Doctor Wren."] == number
    assert "Doctor Pell" in run("before", "dentist", *options)[1]
    assert "Doctor Wren" in run("why", "dentist", *options)[1]
    code, _, error = run("remove", str(number), *options)
    assert code == 2
    assert "Doctor Wren" in error
    assert run("remove", str(number), "--yes", *options)[0] == 0
    assert "The user's dentist is Doctor Wren." not in rows(run, options)


def test_what_is_taken_out_is_taken_in_once(run: Run, options: list[str], tmp_path: Path) -> None:
    run("add", "The user's boat is red.", *options)
    file, other = tmp_path / "memory.jsonl", ["--state", str(tmp_path / "other")]
    assert run("export", "--out", str(file), *options)[0] == 0
    assert file.stat().st_mode & 0o077 == 0, "nobody else reads it"
    assert run("export", *options)[1] == file.read_text()
    with pytest.MonkeyPatch.context() as alone:
        alone.setattr(jail, "service_process", lambda: None)
        assert json.loads(run("import", str(file), "--json", *other)[1])[0]["facts"] >= 1
        assert "The user's boat is red." in rows(run, other)
    assert run("import", str(file), *options) == (0, "new: 0 facts, 0 exchanges, 0 days\n", "")


def test_exchanges_keep_their_place_as_the_source_of_facts(run: Run, tmp_path: Path) -> None:
    from datetime import UTC, datetime

    now = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
    with Store(tmp_path / "appliance.db") as store:
        memory = SqliteMemory(store)
        memory.add_exchange("c", "hello", "Hello.", now)
        said = memory.add_exchange("c", "my boat is red", "I see.", now)
        memory.save("The user's boat is red.", "user", now, source=said)
    file = tmp_path / "memory.jsonl"
    run("export", "--out", str(file), "--state", str(tmp_path))
    other = ["--state", str(tmp_path / "other")]
    assert run("import", str(file), *other)[1] == "new: 1 facts, 2 exchanges, 0 days\n"
    assert "My boat is red." in run("why", "boat", *other)[1]


@pytest.mark.parametrize(("line", "told"), [("nonsense", "line 1 "), ('{"what": "fact"}', "1 is no memory")])
def test_what_is_no_export_is_refused_whole(run: Run, options: list[str], tmp_path: Path, line: str, told: str) -> None:
    before = rows(run, options)
    (file := tmp_path / "memory.jsonl").write_text(f"{line}\n")
    code, out, error = run("import", str(file), *options)
    assert (code, out) == (2, "")
    assert told in error
    assert rows(run, options) == before
    assert not [*Path(options[-1]).glob("import-*")], "nothing of it is left in the state folder"


def test_a_secret_in_it_is_not_taken_in(run: Run, options: list[str], tmp_path: Path) -> None:
    fact = {
        "what": "fact",
        "text": "The card is 4111 1111 1111 1111",
        "kind": "user",
        "at": "2026-11-28T09:00:00+00:00",
    }
    (file := tmp_path / "memory.jsonl").write_text(json.dumps(fact | {"at": "2026-11-28T09:00:00+00:00"}))
    assert run("import", str(file), *options)[0] == 0
    assert "4111" not in run("export", *options)[1]


def test_private_mode_begins_and_ends(run: Run, options: list[str]) -> None:
    assert run("private", *options)[1].startswith("Private mode is on.")
    code, _, error = run("add", "The user likes figs.", *options)
    assert code == 4
    assert error.startswith("appliance: I am in private mode")
    assert run("open", *options) == (0, "Private mode is off. I keep what you tell me again.\n", "")
    assert run("add", "The user likes figs.", *options)[0] == 0


def test_a_file_that_is_not_there_is_said_so(run: Run, tmp_path: Path) -> None:
    code, _, error = run("import", str(tmp_path / "none"), "--state", str(tmp_path))
    assert code == 2
    assert "cannot be read" in error
    assert run("export", "too", "many", "--state", str(tmp_path))[0] == 2
