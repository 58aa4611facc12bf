"""A box whose every free text holds a canary: none of them is in the report. And the report says what it should."""

from __future__ import annotations

import gzip
import json
import shlex
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from appliance import build, settings_file
from appliance.build.support import Sources, bundle
from appliance.doors import client
from appliance.doors.health import Answer, HealthDoor
from appliance.errors import DeviceMissing, WrongUse
from appliance.memory.contents import KEYS
from appliance.memory.facts import SqliteMemory
from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.memory.values import SqliteValues
from appliance.records import MemoryUse, Step, TurnRecord
from appliance.service.metrics import Metrics
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import HandSetClock
from appliance.terminal import support

CANARIES = ("canary", "linnet")
"""In the settings; in the memory, in the log, and in what the service says."""
SYSTEMD = Path(__file__).parents[2] / "systemd"
SETTINGS = """
place = "Canary Wharf"
timezone = "Antarctica/Troll"
metrics_file = "/home/canary/va.prom"
[sound]
microphone = "Canary's headset"
speaker = "canary speaker"
[thought]
server = "http://canary:secret@10.0.0.1/v1"
server_model = "canary-70b"
server_key_file = "/mnt/Old Canary/db"
reply_tokens = 64
[[thought.servers]]
url = "http://canary.localhost:9/v1"
model = "canary-70b"
key_files = ["/etc/canary", "/srv/canary/key"]
[reply]
role = "canary"
router_limit = 6
[reply.roles.canary]
prompt = "Speak as the canary does."
tools = ["canary_tool"]
[skills]
off = ["care", "canary"]
own = "/home/canary/skills"
[discord]
owners = [123456789012345678]
[body]
pins = "gpiochip"
chip = "/dev/canary"
button_pin = "CANARY1"
light_pins = ["CANARY2"]
"""
RECORD = TurnRecord(
    turn=7,
    conversation="c1",
    heard="my linnet is called Pip",
    said="The linnet is called Pip.",
    steps=[Step(kind="tool", tool="remember", arguments={"fact": "the linnet is called Pip"})],
    memory=MemoryUse(written=["3"]),
)
LOG = f"""\
INFO appliance.service.supervision: ready
INFO appliance.cli: {RECORD.as_json()}
INFO appliance.cli: {{"turn": 8, "heard": "linnet", "of": "another release"}}
ERROR appliance.cli: going on with the settings of before: /home/linnet/a.toml: reply.roles.linnet = 'linnet'
ERROR appliance.service.capture: the microphone 'Canary headset' is not there; set sound.microphone to one of: Linnet's
ERROR appliance.service.turn: turn 7
Traceback (most recent call last):
  File "/opt/va/releases/1/lib/python3.11/site-packages/appliance/service/turn.py", line 169, in _answer
    linnet = "a line of somebody's own skill"
ValueError: no linnet in 'my linnet is called Pip'
and the linnet goes on
Fatal Python error: Aborted
ERROR appliance.skills.loader: the skill for the linnet cannot be used
INFO birds: a linnet was seen
ERROR appliance.memory.store: /mnt/Old Canary/db and /home/linnet/db (No space left on device)
WARNING appliance.memory.store: a sentence
 of two lines with a linnet
WARNING appliance.llm.pool: the model server at http://canary.localhost:9 failed (status 500); look whether it runs
"""
JOURNAL = "".join(f"2026-11-27T17:50:28+0000 sh[123]: {line}\n" for line in LOG.splitlines())
JOURNAL += "2026-11-27T17:50:29+0000 systemd[1]: va.service: Main process exited, code=killed, status=6/ABRT\n"
JOURNAL += "linnet, of no program\n"


class Box:
    """With everything that it must not tell, and a service that runs."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.folder = folder / "Canary's"
        self.config, self.state, self.out = folder / "config.toml", self.folder / "state", folder / "out.tar.gz"
        self.config.write_text(f"{more}{SETTINGS}")
        self.vitals = Vitals()
        self.vitals.devices = lambda: {"microphone": "Linnet's headset", "speaker": ""}
        self.vitals.microphone = "lost"
        self.vitals.missing = 'the microphone "Linnet\'s" is gone; set sound.microphone to one of: linnet'
        self.vitals.sounded(DeviceMissing("the speaker 'linnet' is busy", remedy="choose another"))
        self.settings = settings_file.load(self.config, state=self.state)
        self.metrics = Metrics(self.vitals, self.settings, HandSetClock(datetime.now(UTC)), {})
        self.metrics.take(RECORD)

    def fill(self, store: Store) -> None:
        now = datetime.now(UTC)
        memory = SqliteMemory(store, 100)
        linnet = memory.save("the linnet is called Bit", "user", now, person="Linnet")
        memory.update(linnet.id, "the linnet is called Pip", now)
        memory.write_diary(now.date(), "Of the linnet.", now)
        memory.save("always speak of the linnet", "rule", now)
        memory.add_exchange("c1", "my linnet is called Pip", "So the linnet is.", now)
        SqliteTimers(store).add("linnet seed", 60, now + timedelta(hours=1))
        SqliteValues(store).set("linnet", "linnet")
        SqliteItems(store, "linnet").write(add=[{"linnet": "linnet"}])
        for name in ("linnet.txt", "appliance.db.linnet", "snapshots/linnet"):
            (self.state / name).parent.mkdir(exist_ok=True)
            (self.state / name).write_text("linnet")

    @contextmanager
    def asked(self) -> Iterator[Sources]:
        """Beside a service that has the database open."""
        answers: dict[str, Answer] = {**self.vitals.answers, "/metrics": lambda: (True, self.metrics.text())}
        path = self.folder.parent / "s"
        with Store(self.settings.database) as store, socket.socket(socket.AF_UNIX) as listener:
            self.fill(store)
            listener.bind(str(path))
            listener.listen()
            with HealthDoor(listener.dup(), answers):
                look = partial(build.examine, self.settings)
                yield Sources(look, partial(client.ask, path=path), partial(client.read, path=path), JOURNAL)

    def report(self) -> dict[str, str]:
        with self.asked() as sources:
            bundle(self.settings, sources, self.out)
        return files(self.out)


def files(packed: Path) -> dict[str, str]:
    """Name -> content; no canary is in them, nor in any header."""
    everything = gzip.decompress(packed.read_bytes()).decode().casefold()
    assert [each for each in CANARIES if each in everything] == []
    with tarfile.open(packed) as bundle:
        found = {member.name: bundle.extractfile(member) for member in bundle}
        return {name.removeprefix("support/"): file.read().decode() for name, file in found.items() if file}


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICE_APPLIANCE_MODELS", str(tmp_path / "Canary's/models"))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_nothing_personal_is_in_it_and_all_else_is(box: Box) -> None:
    told = box.report()
    assert set(told) == {"README.txt", *(line.split()[0] for line in told["README.txt"].splitlines()[4:])}
    assert not [name for name, text in told.items() if "cannot be had" in text]
    chosen = json.loads(told["settings.json"])
    assert (chosen["thought"]["reply_tokens"], chosen["reply"]["router_limit"], chosen["body"]["pins"]) == (
        64,
        6,
        "gpiochip",
    )
    assert chosen["thought"]["model"] == Settings().thought.model
    assert [chosen["place"], chosen["timezone"], chosen["sound"]["microphone"]] == ["(set)"] * 3
    assert (chosen["reply"]["roles"], chosen["skills"]["off"]) == ("(1 set)", "(2 set)")
    assert chosen["thought"]["servers"] == chosen["discord"]["owners"] == "(1 set)"
    checks = {check["part"]: check for check in json.loads(told["doctor.json"])}
    assert {"microphone", "database", "disk", "clock"} <= checks.keys()
    assert "sound" in checks["database"]["found"]
    status = json.loads(told["status.json"])
    assert (status["ready"], status["microphone"], status["devices"]) == (
        False,
        "lost",
        {"microphone": True, "speaker": False},
    )
    assert status["dumb"] == "the speaker (removed) is busy; choose another"
    assert "va_turns_total" in told["metrics.prom"]
    assert {len(row["sha256"][0]) for row in json.loads(told["models.json"])} == {64}
    rows = json.loads(told["database.json"])["rows"]
    assert rows.items() >= {"timers": 1, "facts": 2, "exchanges": 1}.items()
    assert rows.keys() == KEYS.keys()
    assert all(rows.values()), "a table that nothing was planted in"
    state = json.loads(told["state.json"])
    assert {"appliance.db", "appliance.db-wal", "snapshots", "other"} <= state.keys()
    assert state["other"] == 2 * len("linnet"), "files that the appliance does not know"


def test_of_the_journal_what_is_no_word_of_anybody_stays(box: Box) -> None:
    texts = [line.partition(": ")[2] for line in box.report()["journal.txt"].splitlines()]
    assert texts[0] == "INFO appliance.service.supervision: ready"
    assert texts[1] == f"INFO appliance.cli: {RECORD.as_log()}"
    assert "remember" in texts[1]
    assert texts[2] == "INFO appliance.cli: (left out)"
    assert texts[6:12] == [
        "Traceback (most recent call last):",
        '  File "/opt/va/releases/1/lib/python3.11/site-packages/appliance/service/turn.py", line 169, in _answer',
        "(left out)",
        "ValueError",
        "(left out)",
        "Fatal Python error: Aborted",
    ]
    assert texts[12:15] == [
        "ERROR appliance.skills.loader: (left out)",
        "INFO birds: (left out)",
        "ERROR appliance.memory.store: (removed) and (removed) (No space left on device)",
    ]
    assert texts[-3].startswith("WARNING appliance.llm.pool: the model server at http:(removed):9 failed (status 500)")
    assert texts[-2] == "va.service: Main process exited, code=killed, status=6/ABRT"


def test_journal_that_holds_words_is_left_out_as_a_whole_and_says_so(tmp_path: Path) -> None:
    assert Box(tmp_path, more="log_words = true").report()["journal.txt"] == support.WORDS_IN_IT


def test_part_that_cannot_be_had_says_so_and_the_others_are_there(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.settings = box.settings.model_copy(
        update={"ears": box.settings.ears.model_copy(update={"wake_words": ["hey_canary"]})}
    )
    told = box.report()
    assert told["doctor.json"] == "It cannot be had: BadSettings\n"
    assert json.loads(told["settings.json"])["ears"]["wake_words"] == "(1 set)"


def test_place_that_takes_no_file_is_one_error_with_a_remedy(box: Box) -> None:
    box.out = box.folder / "absent/out.tar.gz"
    with pytest.raises(WrongUse, match="--out"):
        box.report()


def test_the_verb_says_where_it_is_and_what_is_in_it(box: Box) -> None:
    """As a person types it, beside a service whose journal another user has read."""
    words = ["--config", str(box.config), "--state", str(box.state)]
    command = [sys.executable, "-m", "appliance", "support", "--journal", *words]
    with box.asked():
        done = subprocess.run(command, input=JOURNAL.encode(), capture_output=True, timeout=120, check=False)
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    packed = box.state / support.NAME
    assert out.startswith(f"{packed}: ")
    told = files(packed)
    assert [line.split()[0] for line in out.splitlines()[1:]] == [name for name in told if name != "README.txt"]
    assert "supervision: ready" in told["journal.txt"]
    assert packed.stat().st_mode & 0o777 == 0o600


def test_journal_is_read_alike_by_root_and_by_the_verb() -> None:
    lines = (SYSTEMD / "appliance").read_text().splitlines()
    (line,) = [line for line in lines if line.strip().startswith("journalctl")]
    assert shlex.split(line.removesuffix("|")) == list(support.JOURNAL)


def test_journal_that_cannot_be_read_says_how(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "JOURNAL", ["false"])
    with box.asked() as sources:
        given: dict[str, Any] = {**vars(sources), "journal": None}
        bundle(box.settings, Sources(**given), box.out)
    assert files(box.out)["journal.txt"] == support.UNREADABLE
