"""One heap for all threads: what one of them has freed another one uses."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has a heap for each thread")
@pytest.mark.parametrize(("how", "one"), [("shared", True), ("alone", False)])
def test_threads_share_one_heap(tmp_path: Path, how: str, one: bool) -> None:
    told = tmp_path / "heaps.xml"
    subprocess.run([sys.executable, "-c", CROWD, str(told), how], check=True, timeout=60)
    assert (told.read_text().count("<heap nr=") == 1) is one
