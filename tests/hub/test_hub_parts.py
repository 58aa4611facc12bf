"""Parts of the hub by themselves: buckets, keys, watchers, and tokens that two processes write."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from appliance.hub import limits, running, state
from appliance.hub.limits import Limits
from appliance.hub.problems import Problem
from appliance.hub.running import Once, Running, Tell
from appliance.hub.sessions import Sessions
from appliance.hub.state import Remembered, Watchers
from appliance.hub.tokens import Tokens, hash_of


@given(some.lists(some.floats(0, 30), max_size=60), some.integers(1, 120))
def test_nobody_gets_more_than_their_bucket_and_what_it_gained(pauses_s: list[float], per_minute: int) -> None:
    now_s = 0.0
    held = Limits(per_minute, lambda: now_s)
    taken = 0
    for pause_s in pauses_s:
        now_s += pause_s
        wait_s = held.take("one")
        taken += wait_s == 0
        assert taken <= max(per_minute / 2, 1) + now_s * per_minute / 60 + 1e-6
        if wait_s:
            now_s += wait_s
            assert held.take("one") == 0, "who waits as long as they were told is let in"
            taken += 1


def test_buckets_are_not_kept_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST", 3)
    held = Limits(2)
    assert [held.take(str(number)) for number in range(10)] == [0] * 10
    assert len(held._held) == 3


async def four(tell: Tell) -> int:
    tell("event", 1)
    await asyncio.sleep(0)
    tell("event", 2)
    return 4


def test_whoever_follows_later_is_told_from_the_first() -> None:
    async def follow() -> None:
        made = Running(four)
        first, second = await asyncio.gather(told_by(made), told_by(made))
        assert first == second == await told_by(made) == [("event", 1), ("event", 2)]
        assert await made.answer() == 4

    asyncio.run(follow())


async def told_by(made: Running) -> list[Any]:
    return [event async for event in made.events()]


def test_answers_under_keys_are_not_kept_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_KEPT", 2)

    async def ask() -> None:
        once = Once(tmp_path)
        for number in range(5):
            assert await (await once.run(str(number), b"", four)).answer() == 4
        with pytest.raises(Problem, match="its answer is gone"):
            await once.run("0", b"", four)

    asyncio.run(ask())


def test_what_is_at_work_is_not_let_go_for_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_KEPT", 1)

    async def ask() -> None:
        once, over = Once(tmp_path), asyncio.Event()

        async def work(tell: Tell) -> int:
            await over.wait()
            return 1

        first = await once.run("a", b"", work)
        with pytest.raises(Problem) as refused:
            await once.run("b", b"", work)
        assert refused.value.status == 429
        over.set()
        assert await first.answer() == 1
        assert await (await once.run("b", b"", work)).answer() == 1

    asyncio.run(ask())


def test_keys_that_cannot_be_noted_have_nothing_done(tmp_path: Path) -> None:
    async def ask() -> None:
        with pytest.raises(Problem) as refused:
            await Once(tmp_path / "absent").run("a", b"", four)
        assert (refused.value.status, refused.value.kind) == (503, "keys_unusable")

    asyncio.run(ask())


def test_a_watcher_that_does_not_keep_up_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MOST_UNREAD", 3)

    async def watch() -> None:
        watchers = Watchers()
        following = watchers.follow()
        first = asyncio.ensure_future(anext(following))
        await asyncio.sleep(0)
        for number in range(10):
            watchers.told({"event": "state", "state": str(number)})
        assert (await first)["state"] == "0"
        assert [each["state"] async for each in following] == ["1", "2"]

    asyncio.run(watch())


def test_too_many_do_not_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MOST_WATCHING", 1)

    async def watch() -> None:
        watchers = Watchers()
        first = asyncio.ensure_future(anext(watchers.follow()))
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await anext(watchers.follow())
        assert refused.value.status == 429
        first.cancel()

    asyncio.run(watch())


def test_what_was_used_longest_ago_is_forgotten() -> None:
    held = Remembered(2)
    for key in ("a", "b", "a", "c"):
        held.keep(key, key)
    assert [*held] == ["a", "c"]


ADD = """
import sys
from pathlib import Path
from appliance.hub.tokens import Tokens
for number in range(20):
    Tokens(Path(sys.argv[1])).add(f"{sys.argv[2]}{number}", "guest")
"""


def test_two_processes_that_add_tokens_lose_none(tmp_path: Path) -> None:
    each = [subprocess.Popen([sys.executable, "-c", ADD, str(tmp_path), name]) for name in "ab"]
    assert [process.wait(120) for process in each] == [0, 0]
    assert len(Tokens(tmp_path).all()) == 40


def test_sessions_outlive_the_hub_and_are_kept_as_hashes(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    name, session = sessions.begin("va_token")
    gone, _ = sessions.begin("va_token")
    sessions.end(gone)
    file = tmp_path / "sessions.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not any(secret in file.read_text() for secret in ("va_token", name, gone))
    found = Sessions(tmp_path).find(name)
    assert found
    assert (found.csrf, found.token_sha256) == (session.csrf, hash_of("va_token"))
    assert Sessions(tmp_path).find(gone) is None


def test_a_session_that_nobody_used_is_over_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions(tmp_path)
    name, _ = sessions.begin("va_token")
    monkeypatch.setattr("appliance.hub.sessions.IDLE_S", -1.0)
    assert sessions.find(name) is None
    monkeypatch.undo()
    assert Sessions(tmp_path).find(name) is None


def test_a_damaged_file_of_sessions_signs_everybody_out(tmp_path: Path) -> None:
    name, _ = Sessions(tmp_path).begin("va_token")
    (tmp_path / "sessions.json").write_text('{"sessions": {')
    assert Sessions(tmp_path).find(name) is None
