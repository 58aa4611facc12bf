"""What the memory does on a real disk that is full, read-only or spoiled. test_disk.py runs each of these."""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.errors import MuteNotKept
from appliance.llm.snapshots import Snapshots
from appliance.memory.causes import Cause
from appliance.memory.facts import SqliteMemory
from appliance.memory.mute import MuteMarker
from appliance.memory.reserve import RESERVE_BYTES
from appliance.memory.store import State, Store
from appliance.memory.timers import SqliteTimers
from appliance.memory.values import SqliteValues
from appliance.service.muting import MUTED

DUE = datetime(2026, 5, 4, 7, 30, tzinfo=UTC)
SIZE_MB = 16


class Disk:
    """A file system of its own on `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.database = folder, folder / "appliance.db"
        self._filling = folder / "somebody-elses-file"

    def mount(self) -> None:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", self.folder], check=True)

    def fill(self) -> None:
        """To the last byte."""
        with suppress(OSError), self._filling.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def make_room(self) -> None:
        self._filling.unlink()

    def remount(self, how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", self.folder], check=True)

    def as_after_a_power_cut(self, store: Store) -> None:
        """What lies there now, under the name of the database, once `store` has closed."""
        files = {suffix: Path(f"{store.path}{suffix}").read_bytes() for suffix in ("", "-wal", "-shm")}
        store.close()
        for suffix, content in files.items():
            Path(f"{store.path}{suffix}").write_bytes(content)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path)
    disk.mount()
    yield disk
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def knows(store: Store) -> list[str]:
    return sorted(fact.text for fact in SqliteMemory(store).facts())


def labels(store: Store) -> list[str]:
    return sorted(timer.label for timer in SqliteTimers(store).all())


def a_box_that_knows_something(disk: Disk, reserve: bool = False) -> Store:
    store = Store(disk.database)
    SqliteMemory(store).save("Anna drinks tea", "user", DUE)
    SqliteTimers(store).add("pasta", 300, DUE)
    if reserve:
        store.look_after()
    return store


def test_the_start_on_a_full_disk_knows_all_and_keeps_in_memory_what_is_new(disk: Disk) -> None:
    disk.as_after_a_power_cut(a_box_that_knows_something(disk))
    Path(f"{disk.database}-shm").unlink()  # SQLite has to make it anew
    disk.fill()
    with Store(disk.database) as store:
        assert (store.state, store.cause) == (State.MEMORY_ONLY, Cause.FULL)
        assert (knows(store), labels(store)) == (["Anna drinks tea"], ["pasta"])
        assert store.notice == store.trouble
        assert store.trouble.startswith("My memory card is full. Please make room on it.")
        assert store.unsaved() == ""
        SqliteTimers(store).add("eggs", 300, DUE)
        assert store.unsaved() == "I keep that only until I am switched off, for my memory card is full."
        assert store.unsaved() == ""
        assert not store.come_back()
        assert labels(store) == ["eggs", "pasta"]


def test_a_new_box_on_a_full_disk_starts(disk: Disk) -> None:
    disk.fill()
    with Store(disk.database) as store:
        assert (store.state, store.cause) == (State.MEMORY_ONLY, Cause.FULL)
        SqliteTimers(store).add("eggs", 300, DUE)
        disk.make_room()
        assert store.come_back()
    with Store(disk.database) as store:
        assert labels(store) == ["eggs"]


def test_what_came_in_meanwhile_is_on_the_disk_once_there_is_room_and_only_once(disk: Disk) -> None:
    store = a_box_that_knows_something(disk)
    memory, timers = SqliteMemory(store), SqliteTimers(store)
    memory.save("Bob has a dog", "user", DUE)
    memory.add_exchange("one", "is it late", "No.", DUE)
    disk.fill()
    SqliteValues(store).set("large", "x" * 100_000)
    assert store.state is State.MEMORY_ONLY
    eggs = timers.add("eggs", 300, DUE)
    timers.remove(timers.all()[0].id)
    memory.save("Carl sings", "user", DUE)
    memory.add_exchange("one", "who sings", "Carl.", DUE)
    (bob,) = memory.nearest("dog", 1)
    memory.forget(bob.id)
    disk.make_room()
    assert store.come_back()
    assert (store.state, store.cause, store.trouble) == (State.OPEN, None, "")
    assert "what you told me meanwhile" in store.notice
    timers.move(eggs.id, DUE)  # the ids are those that were given
    store.close()
    with Store(disk.database) as store:
        assert labels(store) == ["eggs"]
        assert knows(store) == ["Anna drinks tea", "Carl sings"]
        assert SqliteMemory(store).exchanges() == 2
        assert len(SqliteMemory(store).search("sings", 5)) == 2
        assert SqliteMemory(store).search("dog", 5) == []
        assert SqliteValues(store).get("large") == "x" * 100_000


def test_history_and_diary_of_a_full_disk_are_on_it_once_there_is_room(disk: Disk) -> None:
    store = a_box_that_knows_something(disk)
    memory = SqliteMemory(store)
    (fact,) = memory.facts()
    memory.write_diary(DUE.date(), "Anna drank tea.", DUE)
    disk.fill()
    SqliteValues(store).set("large", "x" * 100_000)
    assert store.state is State.MEMORY_ONLY
    said = memory.add_exchange("one", "Anna drinks cocoa now", "Noted.", DUE, person="Anna", tools=[{"tool": "update"}])
    memory.update(fact.id, "Anna drinks cocoa", DUE, source=said)
    memory.write_diary(DUE.date(), "Anna went over to cocoa.", DUE)
    disk.make_room()
    assert store.come_back()
    store.close()
    with Store(disk.database) as store:
        memory = SqliteMemory(store)
        assert [former.text for former in memory.history(fact.id)] == ["Anna drinks tea"]
        source = memory.source(fact.id)
        assert source is not None
        assert (source.heard, source.person, source.tools) == ("Anna drinks cocoa now", "Anna", ({"tool": "update"},))
        assert [each.text for each in memory.diary(DUE.date(), DUE.date())] == ["Anna went over to cocoa."]
        assert len(memory.search("cocoa", 5)) == 3


def test_the_reserve_is_the_way_out_of_a_full_disk(disk: Disk) -> None:
    store = a_box_that_knows_something(disk, reserve=True)
    assert store.trouble == ""
    disk.fill()
    SqliteValues(store).set("large", "x" * 100_000)
    assert (store.state, store.cause) == (State.OPEN, Cause.FULL)
    store.look_after()
    assert store.notice == "My memory card is almost full. Please make room on it."
    disk.make_room()
    store.look_after()
    assert store.trouble == ""
    assert Path(f"{disk.database}.reserve").stat().st_blocks * 512 >= RESERVE_BYTES
    store.close()
    with Store(disk.database) as store:
        assert SqliteValues(store).get("large") == "x" * 100_000


def test_only_what_can_be_made_again_is_removed_from_a_full_disk(disk: Disk) -> None:
    cache, other = disk.folder / "snapshots", disk.folder / "recipes.txt"
    cache.mkdir()
    (cache / "head.kv").write_bytes(bytes(6 * RESERVE_BYTES))
    other.write_text("leeks")
    a_box_that_knows_something(disk).close()
    disk.fill()
    with Store(disk.database, caches=[cache]) as store:
        SqliteTimers(store).add("eggs", 300, DUE)
        assert store.state is State.OPEN
        assert list(cache.iterdir()) == []
        assert other.read_text() == "leeks"
    with Store(disk.database) as store:
        assert labels(store) == ["eggs", "pasta"]


@pytest.mark.parametrize("cut", [True, False], ids=["after a power cut", "after a good end"])
def test_the_start_on_a_read_only_disk_knows_all_and_says_why(disk: Disk, cut: bool) -> None:
    store = a_box_that_knows_something(disk)
    disk.as_after_a_power_cut(store) if cut else store.close()
    disk.remount("ro")
    with Store(disk.database, language="de") as store:
        assert (store.state, store.cause) == (State.MEMORY_ONLY, Cause.READ_ONLY)
        assert store.notice.startswith("Meine Speicherkarte lässt sich nicht mehr beschreiben. Bitte tausche sie aus.")
        assert (knows(store), labels(store)) == (["Anna drinks tea"], ["pasta"])
        SqliteTimers(store).add("eggs", 300, DUE)
        assert not store.come_back()
        disk.remount("rw")
        assert store.come_back()
    with Store(disk.database) as store:
        assert labels(store) == ["eggs", "pasta"]


def test_a_damaged_file_that_cannot_be_put_aside_leaves_the_copy_in_memory(disk: Disk) -> None:
    store = a_box_that_knows_something(disk)
    store.leave_no_trace()
    shutil.copy(disk.database, Path(f"{disk.database}.backup-000001-20260504T073000"))
    store.close()
    disk.database.write_bytes(b"not a database at all" * 100)
    disk.remount("ro")
    with Store(disk.database) as store:
        assert store.state is State.MEMORY_ONLY
        assert knows(store) == ["Anna drinks tea"]


def test_a_disk_that_fails_while_the_box_runs_costs_nothing_that_was_said(disk: Disk) -> None:
    """A limit on the length of files makes the system refuse writes that are no matter of room."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = a_box_that_knows_something(disk, reserve=True)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most))
    try:
        rice = SqliteTimers(store).add("rice", 300, DUE)
        assert (store.state, store.cause) == (State.MEMORY_ONLY, Cause.NOT_ANSWERING)
        assert "does not answer" in store.notice
        SqliteTimers(store).remove(rice.id)
        assert not store.come_back(), "with nothing to write either"
        SqliteTimers(store).add("eggs", 300, DUE)
        assert labels(store) == ["eggs", "pasta"]
        assert not store.come_back()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert store.come_back()
    store.close()
    with Store(disk.database) as store:
        assert labels(store) == ["eggs", "pasta"]


def test_mute_survives_a_full_disk_and_a_restart(disk: Disk) -> None:
    with Store(disk.database) as store:
        MuteMarker(store.path, SqliteValues(store)).begin(MUTED)
        disk.fill()
        MuteMarker(store.path, SqliteValues(store)).set(MUTED, "yes")
    with Store(disk.database) as store:
        assert SqliteValues(store).get(MUTED) is None, "the database has no room for it"
        assert MuteMarker(store.path, SqliteValues(store)).get(MUTED) == "yes"


def test_mute_that_a_read_only_disk_does_not_keep_is_said(disk: Disk) -> None:
    store = a_box_that_knows_something(disk)
    MuteMarker(store.path, SqliteValues(store)).begin(MUTED)
    store.close()
    disk.remount("ro")
    with Store(disk.database) as store, pytest.raises(MuteNotKept, match="a restart will not know"):
        MuteMarker(store.path, SqliteValues(store)).set(MUTED, "yes")


def test_a_box_that_is_muted_already_is_muted_on_a_read_only_disk_without_a_word(disk: Disk) -> None:
    store = a_box_that_knows_something(disk)
    MuteMarker(store.path, SqliteValues(store)).begin(MUTED)
    MuteMarker(store.path, SqliteValues(store)).set(MUTED, "yes")
    store.close()
    disk.remount("ro")
    with Store(disk.database) as store:
        MuteMarker(store.path, SqliteValues(store)).set(MUTED, "yes")
        assert MuteMarker(store.path, SqliteValues(store)).get(MUTED) == "yes"


def test_what_the_model_has_read_is_found_on_a_read_only_disk(disk: Disk) -> None:
    snapshots = Snapshots(disk.folder)
    for key in ("whole", "damaged"):
        snapshots.keep(key, lambda draft: bool(draft.write_bytes(b"state")))
    (damaged,) = disk.folder.glob("damaged.*")
    damaged.write_bytes(b"other")
    disk.remount("ro")
    assert snapshots.find("whole") is not None
    assert snapshots.find("damaged") is None
    snapshots.keep("more", lambda draft: bool(draft.write_bytes(b"state")))
