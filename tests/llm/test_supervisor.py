"""What keeps the model's process alive, over processes that are real and models that are not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.audio import never
from appliance.errors import ModelDamaged, ModelLost
from appliance.llm import supervisor
from appliance.llm.isolated import IsolatedModel
from appliance.ports import Message, Usage
from appliance.settings import Thought

PATIENCE_S = 30
QUESTION = [Message("user", "What is the capital of France?")]

CHILD = """
import os, socket, sys, time
from pathlib import Path
from appliance.llm.protocol import REQUESTS, Beat, Ended, Failure, Load, Loaded, Piece, Wire
from appliance.ports import ModelFacts, Rates, Usage

tries = Path(sys.argv[1])
tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
count, mode = len(tries.read_text()), sys.argv[2]
wire, held = Wire(socket.socket(fileno=0)), []
for data in wire.received():
    request = REQUESTS.validate_json(data)
    if isinstance(request, Load):
        if mode == "damaged":
            wire.send(Ended(failure=Failure(name="ModelDamaged", what="it is no model", remedy="fetch it")))
            break
        if mode == "late" and count < 4:
            os.abort()
        wire.send(Loaded(facts=ModelFacts(1, 1, False), rates=Rates(1, 1)))
    else:
        if mode == "greedy" and count == 1:
            held.append(b"x" * 100_000_000)
        wire.send(Piece(number=request.number, text=f"Paris, says process {count}."))
        wire.send(Ended(number=request.number, usage=Usage(generated_tokens=3)))
"""
"""`late`: dies in its first three starts.  `greedy`: the first of them takes 100 MB and keeps them."""

Make = Callable[[str], IsolatedModel]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    made = list[IsolatedModel]()
    (tmp_path / "child.py").write_text(CHILD)
    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", root)

    def started(mode: str) -> IsolatedModel:
        command = (sys.executable, str(tmp_path / "child.py"), str(tmp_path / "tries"), mode)
        monkeypatch.setattr(supervisor, "COMMAND", command)
        made.append(IsolatedModel(tmp_path / "model.gguf", Thought(), tmp_path))
        made[-1].start()
        return made[-1]

    yield started
    for each in made:
        each.close()


def written(model: IsolatedModel) -> str:
    return "".join(model.generate(QUESTION, None, 8, Usage(), never))


def starts(tmp_path: Path) -> int:
    return len((tmp_path / "tries").read_text())


def test_model_that_is_lost_in_its_first_start_is_started_again(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by the kernel, which ends it where memory is short while the board starts."""
    monkeypatch.setattr(supervisor, "PAUSES_S", (0, 0.2, 0.4))
    model, ends_s = make("late"), time.monotonic() + PATIENCE_S
    with pytest.raises(ModelLost, match="SIGABRT"):
        assert model.facts
    while model.trouble and time.monotonic() < ends_s:
        time.sleep(0.05)
    assert written(model) == "Paris, says process 4."
    assert starts(tmp_path) == 4


def test_model_that_is_damaged_is_not(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "PAUSES_S", (0, 0.1))
    model = make("damaged")
    for _ in range(2):
        with pytest.raises(ModelDamaged):
            assert model.facts
        time.sleep(0.5)
    assert starts(tmp_path) == 1


def test_process_that_takes_more_memory_than_its_limit_is_replaced_once_it_has_answered(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervisor, "MEMORY_MAX_KB", 90_000)
    model = make("greedy")
    assert written(model) == "Paris, says process 1.", "the answer is not lost"
    ends_s = time.monotonic() + PATIENCE_S
    while starts(tmp_path) == 1 and time.monotonic() < ends_s:
        time.sleep(0.05)
    assert written(model) == "Paris, says process 2."
    assert "took more memory than its limit" in caplog.text
    assert written(model) == "Paris, says process 2.", "which is small, and stays"
