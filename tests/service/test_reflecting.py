"""What was said is thought over in a running service while nobody is served, and given up for whoever speaks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from appliance.audio import Stale
from appliance.body.clock import SystemClock
from appliance.build.typed import TypedParts, typed_parts
from appliance.memory.facts import SqliteMemory
from appliance.service.reflecting import reflecting
from appliance.service.states import State
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedModel

PATIENCE_S = 20.0
LISTENING_S = 1.0
"""Longest until a box that thinks something over listens, on a machine that has other work; 0.15 s is asked."""


def comes(there: Callable[[], bool]) -> bool:
    ends_s = time.monotonic() + PATIENCE_S
    while not there() and time.monotonic() < ends_s:
        time.sleep(0.01)
    return there()


class Pondering(CannedModel):
    """Hangs in every pass until it is stale."""

    def __init__(self) -> None:
        super().__init__(hangs=True)
        self.broken_off = Event()

    def generate(self, *given: object) -> Iterator[str]:
        stale: Stale = given[-1]  # type: ignore[assignment]
        try:
            yield from super().generate(*given)  # type: ignore[arg-type]
        finally:
            if stale():
                self.broken_off.set()


class Box:
    """The whole service around a model that is written for."""

    def __init__(self, parts: TypedParts, vitals: Vitals, model: CannedModel, said: list[str]) -> None:
        self.parts, self.vitals, self.model, self.said = parts, vitals, model, said
        self.memory = SqliteMemory(parts._store)
        at = parts.clock.now() - timedelta(minutes=20)
        self.memory.add_exchange("c-1", "we like the shed in green paint", "Green is nice.", at)

    @property
    def days(self) -> list[str]:
        today = self.parts.clock.now().date()
        return [each.text for each in self.memory.diary(today - timedelta(days=2), today)]


def running(state: Path, model: CannedModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    monkeypatch.setattr("appliance.service.chores.Chores.__init__.__defaults__", (0.2,))
    monkeypatch.setattr(TypedParts, "llm", model)
    settings, said, vitals = Settings(state=state, models=state / "none"), list[str](), Vitals()
    with (
        typed_parts(settings, SystemClock(UTC), said.append, frame_s=0.032) as parts,
        parts.service(lambda record, moments: None, vitals) as service,
    ):
        box = Box(parts, vitals, model, said)
        thread = Thread(target=service.run, daemon=True)
        thread.start()
        try:
            yield box
        finally:
            service.stop()
            thread.join()


@pytest.fixture
def writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    notes = CannedModel(['note(text="The user likes the shed in green paint.")', "nothing()"])
    yield from running(tmp_path, notes, monkeypatch)


@pytest.fixture
def pondering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    yield from running(tmp_path, Pondering(), monkeypatch)


def test_a_service_at_rest_writes_its_diary(writing: Box) -> None:
    assert comes(lambda: writing.days != [])
    assert writing.days == ["The user likes the shed in green paint."]


def test_who_speaks_is_listened_to_and_answered_while_it_thinks_over(pondering: Box) -> None:
    assert comes(lambda: pondering.model.prompts != [])
    assert pondering.vitals.state is State.IDLE, "nobody sees it think"
    began_s = time.monotonic()
    pondering.parts.ears.type("what is two plus two")
    assert comes(lambda: pondering.vitals.state is not State.IDLE)
    assert time.monotonic() - began_s < LISTENING_S
    assert isinstance(pondering.model, Pondering)
    assert pondering.model.broken_off.wait(PATIENCE_S)
    assert comes(lambda: "4" in " ".join(pondering.said))
    assert pondering.days == []


def test_it_is_not_begun_before_the_thread_that_thinks_is_free(pondering: Box) -> None:
    assert comes(lambda: pondering.model.prompts != [])
    turned = pondering.parts._turned
    assert turned
    assert turned.between(lambda: "done").result(PATIENCE_S) == "done", "what has to be done meanwhile breaks it off"


def test_pieces_follow_each_other_until_none_is_left_or_somebody_is_served() -> None:
    left = [True, True, False, True]
    chore = reflecting(lambda: left.pop(0))
    chore(lambda: True)
    assert left == [True]
    chore(lambda: False)
    assert left == [True]
