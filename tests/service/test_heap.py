"""One heap for all threads: what one of them has freed another one uses, and at rest the system has it back."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.service.heap import Slack

GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has such a heap")
HOLES = """
import ctypes, re, sys
from pathlib import Path
from appliance.service import heap

def resident_mb():
    return int(re.search(r"VmRSS:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
blocks = [libc.malloc(100_000) for _ in range(1_000)]
for block in blocks:
    ctypes.memset(block, 1, 100_000)
for block in blocks[:-1]:
    libc.free(ctypes.c_void_p(block))
held = resident_mb()
if sys.argv[1] == "give":
    heap.give_back()
print(held - resident_mb() > 50)
"""
CROWD = """
import ctypes, sys
from threading import Barrier, Thread
from appliance.service import heap


if sys.argv[2] == "shared":
    heap.share()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
together = Barrier(4)

def allocate():
    together.wait()
    libc.malloc(1_000)
    together.wait()

crowd = [Thread(target=allocate) for _ in range(4)]
for thread in crowd:
    thread.start()
for thread in crowd:
    thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@GLIBC
@pytest.mark.parametrize(("how", "one"), [("shared", True), ("alone", False)])
def test_threads_share_one_heap(tmp_path: Path, how: str, one: bool) -> None:
    told = tmp_path / "heaps.xml"
    subprocess.run([sys.executable, "-c", CROWD, str(told), how], check=True, timeout=60)
    assert (told.read_text().count("<heap nr=") == 1) is one


@GLIBC
@pytest.mark.parametrize(("how", "fell"), [("give", "True"), ("keep", "False")])
def test_what_is_free_is_given_back(how: str, fell: str) -> None:
    told = subprocess.run([sys.executable, "-c", HOLES, how], check=True, timeout=60, capture_output=True, text=True)
    assert told.stdout.strip() == fell


def test_it_is_given_back_once_a_minute_and_only_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, busy, given = [0.0], [True], list[float]()
    monkeypatch.setattr("appliance.service.heap.time.monotonic", lambda: now_s[0])
    slack = Slack(lambda: not busy[0], lambda: given.append(now_s[0]))
    for second in range(200):
        now_s[0], busy[0] = float(second), second < 70
        slack.each_round()
    assert given == [70.0, 130.0, 190.0]
