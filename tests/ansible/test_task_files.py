"""Single tasks of the role on the way to a release: the quiet moment, the lock, settings and models."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import ENVIRONMENT
from task_box import Box

PIECE = 64 * 1024 * 1024


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def service(box: Box) -> Iterator[dict[str, Any]]:
    """What /readyz of the box says, as long as the test lasts."""
    told: dict[str, Any] = {}
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(box.folder / "run/va/api.sock"))
    listener.listen()

    def serve() -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            with caller:
                caller.recv(4_096)
                body = json.dumps(told)
                head = f"HTTP/1.1 503 Unavailable\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                caller.sendall(f"{head}Connection: close\r\n\r\n{body}".encode())

    threading.Thread(target=serve, daemon=True).start()
    yield told
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


UPDATE = {"voice_appliance_release": "2", "voice_appliance_before": "1", "voice_appliance_patience_s": 10}


@pytest.mark.parametrize(
    ("state", "next_ring_s", "goes_on"),
    [("idle", None, True), ("idle", 4_000, True), ("idle", 120, False), ("speaking", None, False)],
)
def test_update_waits_for_a_timer_and_for_a_turn_or_passes_the_box_over(
    box: Box, service: dict[str, Any], state: str, next_ring_s: int | None, goes_on: bool
) -> None:
    service |= {"state": state, "next_ring_s": next_ring_s}
    worked, text = box.play("quiet.yml", **UPDATE)
    assert worked, text
    assert ("WENT ON" in text) is goes_on, text
    assert ("Passed over" in text) is not goes_on, text


def test_box_whose_service_does_not_answer_is_not_waited_for(box: Box) -> None:
    worked, text = box.play("quiet.yml", **UPDATE)
    assert worked, text
    assert "WENT ON" in text


def test_second_admin_is_told_of_the_first(box: Box) -> None:
    assert box.play("lock.yml")[0]
    worked, text = box.play("lock.yml")
    assert not worked
    assert "Another run works on this box, by " in text
    assert box.play("unlock.yml")[0]
    assert box.play("lock.yml")[0]


def test_settings_of_a_box_lie_over_the_shared_ones(box: Box) -> None:
    python = box.folder / "opt/va/releases/2/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/bin/true")
    shared, own = {"place": "Ulm", "sound": {"speaker": "USB", "retry_s": 2}}, {"sound": {"retry_s": 5}}
    worked, text = box.play(
        "settings.yml",
        voice_appliance_release="2",
        voice_appliance_shared_settings=shared,
        voice_appliance_settings=own,
    )
    assert worked, text
    written = tomllib.loads((box.folder / "etc/voice-appliance/config.toml").read_text())
    assert written == {"place": "Ulm", "sound": {"speaker": "USB", "retry_s": 5}}


class Models:
    """A release that asks for one model of two pieces, which the control machine has."""

    def __init__(self, box: Box) -> None:
        content = b"model" + bytes(PIECE)
        self.sha256, self.box = hashlib.sha256(content).hexdigest(), box
        self.place = box.folder / "srv/va/models" / self.sha256 / "m.gguf"
        self.part = box.folder / f"srv/va/models/.part-{self.sha256}"
        source = box.folder / "store" / self.sha256 / "m.gguf"
        source.parent.mkdir()
        source.write_bytes(content)
        python = box.folder / "opt/va/releases/2/bin/python"
        python.parent.mkdir(parents=True)
        row = json.dumps([{"name": "m", "state": "missing", "files": [[f"{self.sha256}/m.gguf"]]}])
        python.write_text(f"#!/bin/sh\necho '{row}'\n")
        python.chmod(0o755)

    def play(self) -> tuple[bool, str]:
        return self.box.play("models.yml", voice_appliance_release="2")


def test_broken_off_transfer_of_a_model_goes_on_where_it_was(box: Box) -> None:
    models = Models(box)
    models.part.write_bytes((b"model" + bytes(PIECE))[:PIECE])
    worked, text = models.play()
    assert worked, text
    assert hashlib.sha256(models.place.read_bytes()).hexdigest() == models.sha256
    assert "item=2 of 2" in text
    assert "item=1 of 2" not in text
    assert [each.name for each in (box.folder / "srv/va/models").iterdir()] == [models.sha256]


def test_damaged_transfer_is_thrown_away_and_said(box: Box) -> None:
    models = Models(box)
    models.part.write_bytes(b"x" * PIECE)
    worked, text = models.play()
    assert not worked
    assert "came damaged" in text
    assert not models.part.exists()
    assert not models.place.exists()


def test_room_for_the_models_is_asked_for_before_the_first_is_copied(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models(box)
    (box.folder / "bin").mkdir()
    (box.folder / "bin/df").write_text("#!/bin/sh\necho Avail\necho 60000000\n")
    (box.folder / "bin/df").chmod(0o755)
    monkeypatch.setitem(ENVIRONMENT, "PATH", f"{box.folder / 'bin'}:{ENVIRONMENT['PATH']}")
    worked, text = models.play()
    assert not worked
    assert "The models need 117 MB in /srv/va/models, and 60 MB are free" in " ".join(text.split())
    assert not list((box.folder / "srv/va/models").iterdir())
