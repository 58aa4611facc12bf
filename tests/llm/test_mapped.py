"""A mapped file leaves the process's memory, and nothing is lost."""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.llm import mapped
from appliance.llm.llama import LlamaCpp
from appliance.llm.snapshots import Snapshots
from appliance.settings import Thought

CONTENT = bytes(range(256)) * 4_096


def resident_kb(file: Path) -> int:
    """Of all the places where `file` is mapped."""
    mapping = rf"^\S+ \S+ \S+ \S+ \d+ +{re.escape(str(file))}\n(?:.*\n)*?Rss: +(\d+) kB"
    return sum(map(int, re.findall(mapping, Path("/proc/self/smaps").read_text(), re.M)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a model.gguf"
    path.write_bytes(CONTENT)
    return path


def test_what_is_mapped_for_reading_is_released_and_comes_back(file: Path) -> None:
    with file.open("rb") as handle, mmap.mmap(handle.fileno(), 0, prot=mmap.PROT_READ) as view:
        assert view[:] == CONTENT
        assert resident_kb(file) == len(CONTENT) // 1_024
        mapped.release(file)
        assert resident_kb(file) == 0
        assert view[:] == CONTENT


def test_another_file_stays(file: Path, tmp_path: Path) -> None:
    with file.open("rb") as handle, mmap.mmap(handle.fileno(), 0, prot=mmap.PROT_READ) as view:
        assert view[:] == CONTENT
        mapped.release(tmp_path / "model.gguf")
        assert resident_kb(file) == len(CONTENT) // 1_024


def test_what_was_changed_in_memory_is_not_lost(file: Path) -> None:
    private = mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE
    with file.open("rb") as handle, mmap.mmap(handle.fileno(), 0, *private) as view:
        view[:4] = b"mine"
        mapped.release(file)
        assert view[:4] == b"mine"


def test_a_link_to_the_file_is_as_good(file: Path, tmp_path: Path) -> None:
    (link := tmp_path / "link").symlink_to(file)
    with file.open("rb") as handle, mmap.mmap(handle.fileno(), 0, prot=mmap.PROT_READ) as view:
        assert view[:] == CONTENT
        mapped.release(link)
        assert resident_kb(file) == 0


def test_a_loaded_model_is_in_memory_only_as_far_as_it_is_used(model: Callable[..., Path], tmp_path: Path) -> None:
    path = model("smollm2-135m")
    llama = LlamaCpp(path, Thought(context_tokens=1_024, repack=False), Snapshots(tmp_path))
    assert resident_kb(path.resolve()) < path.stat().st_size // 1_024 // 10
    llama.close()
