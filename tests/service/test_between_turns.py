"""Commands in writing wait for the thread that thinks: what it works on is never worked on by two."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from appliance import build
from appliance.build.typed import TypedParts, typed_parts
from appliance.errors import CannotBeDone, TurnFailed
from appliance.memory.items import SqliteItems
from appliance.ports import Answer, Command, Skill, Spoken
from appliance.service.vitals import Vitals
from appliance.settings import Reply, Settings, Thought
from appliance.skills.schema import tool

PATIENCE_S = 20.0


class Running:
    """A service without a model, whose thread that thinks is busy until it is `free`."""

    def __init__(self, parts: TypedParts, state: Path) -> None:
        self.parts, self._state, self.free = parts, state, Event()
        self.began = Event()

    def command(self, *words: str, skill: str = "lists") -> Answer:
        return self.parts.carry_out(Command(state=str(self._state), skill=skill, words=[*words]), True)

    def busy(self) -> None:
        assert self.parts._turned

        def turn() -> None:
            self.began.set()
            self.free.wait(PATIENCE_S)

        self.parts._turned.between(turn)
        assert self.began.wait(PATIENCE_S)

    @property
    def kept(self) -> int:
        return len(SqliteItems(self.parts._store, "lists").all())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    settings = Settings(
        state=tmp_path, models=tmp_path / "none", thought=Thought(deadline_s=1), reply=Reply(tool_timeout_s=0.3)
    )
    with (
        typed_parts(settings, build.clock(settings), lambda text: None, 0.01) as parts,
        parts.service(lambda record, moments: None, Vitals()),
    ):
        made = Running(parts, tmp_path)
        yield made
        made.free.set()


def test_it_waits_for_the_turn_and_is_then_done(running: Running) -> None:
    running.busy()
    answers = list[Answer]()
    waiting = Thread(target=lambda: answers.append(running.command("add", "shopping", "milk")))
    waiting.start()
    time.sleep(0.2)
    assert running.kept == 0
    running.free.set()
    waiting.join(PATIENCE_S)
    assert [answer.said for answer in answers] == ["I put milk on the shopping list."]
    assert running.kept == 1


def test_what_could_not_wait_longer_is_never_done(running: Running) -> None:
    running.busy()
    with pytest.raises(TurnFailed, match="busy with a turn; nothing was done; try again in a moment"):
        running.command("add", "shopping", "milk")
    running.free.set()
    assert running.command("add", "shopping", "eggs").said.startswith("I put eggs")
    assert "milk" not in str(SqliteItems(running.parts._store, "lists").all())


def test_what_was_commanded_is_told_and_taken_back_by_the_next_undo(running: Running) -> None:
    running.command("add", "shopping", "milk")
    assert running.command("last_deed", skill="help").said == "The last thing I did: I put milk on the shopping list."
    running.command("undo", skill="help")
    assert running.kept == 0
    assert "milk" not in running.command("last_deed", skill="help").said


def test_what_is_kept_is_told_also_while_it_thinks(running: Running) -> None:
    running.busy()
    assert running.command().rows == []


def test_the_end_of_the_service_ends_the_wait(running: Running) -> None:
    running.busy()
    failures = list[TurnFailed]()

    def give() -> None:
        try:
            running.command("add", "shopping", "milk")
        except TurnFailed as error:
            failures.append(error)

    waiting = Thread(target=give)
    waiting.start()
    time.sleep(0.2)
    assert running.parts._turned
    running.parts._turned.close()
    waiting.join(PATIENCE_S)
    give()
    assert [error.what for error in failures] == ["the service is ending; nothing was done"] * 2


class Sort:
    """Tools that end as a tool can."""

    def hang(self) -> Spoken:
        """Never comes back."""
        time.sleep(2)
        return Spoken("")

    def explode(self) -> Spoken:
        """Breaks."""
        raise RuntimeError("boom")

    def refuse(self) -> Spoken:
        """Cannot."""
        raise CannotBeDone("There is no such door.", remedy="build one")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("hang", "the tool did not answer in time; look whether it was done, and try again"),
        ("explode", "the tool broke (RuntimeError); see the log"),
        ("refuse", "There is no such door; build one"),
    ],
)
def test_however_a_tool_ends_it_is_one_line_and_the_next_is_done(running: Running, name: str, told: str) -> None:
    sort = Sort()
    skills = running.parts.skills
    own = Skill("doors", tools=[tool(each, "act") for each in (sort.hang, sort.explode, sort.refuse)])
    object.__setattr__(skills, "on", (*skills.on, own))
    with pytest.raises(TurnFailed) as error:
        running.command(name, skill="doors")
    assert str(error.value) == told
    assert running.command("add", "shopping", "milk").tool == "add_to_list"


def test_what_a_card_did_not_take_is_not_acknowledged_as_if_it_had(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = running.parts._store
    monkeypatch.setattr(store, "unsaved", lambda: "I can keep this only until I am switched off.")
    assert running.command("add", "shopping", "milk").said.endswith("only until I am switched off.")
