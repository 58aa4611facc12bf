"""A language model that dies in the middle of a turn: what the person hears, and that the box goes on."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small import Small

from appliance import build, settings, settings_file
from appliance import events as ev
from appliance.audio import read_wav
from appliance.errors import ApplianceError, ModelLost
from appliance.llm import isolated
from appliance.llm.isolated import IsolatedModel
from appliance.llm.protocol import Errand, Generate
from appliance.llm.supervisor import Line
from appliance.ports import Message
from appliance.service.states import State
from bench.processes import PATIENCE_S, is_gone, model_process

RECORDING = Path(__file__).parents[1] / "recordings/hey_jarvis_tokyo.wav"
DEADLINE_S = 3.0


@pytest.fixture
def chosen(small: Small, tmp_path: Path) -> settings.Settings:
    shutil.copytree(small.state, tmp_path / "state")
    return settings_file.load(small.config, state=tmp_path / "state")


@pytest.fixture
def parts(chosen: settings.Settings) -> Iterator[build.Parts]:
    with build.parts(chosen, build.clock(chosen)) as made:
        yield made


@pytest.fixture
def strike(monkeypatch: pytest.MonkeyPatch) -> Callable[[signal.Signals], list[int]]:
    """Hits the process that is given the next prompt, once; its id, when that has happened."""
    send = IsolatedModel._send

    def prepare(number: signal.Signals) -> list[int]:
        hit = list[int]()

        def hits(model: IsolatedModel, line: Line, errand: Errand) -> None:
            send(model, line, errand)
            if isinstance(errand, Generate) and not hit:
                hit.append(model_process())
                os.kill(hit[0], number)

        monkeypatch.setattr(IsolatedModel, "_send", hits)
        return hit

    return prepare


class Failures:
    def __init__(self) -> None:
        self.errors: list[ApplianceError | None] = []

    def watch(self, event: ev.Event, state: State) -> None:
        if isinstance(event, ev.ReplyFailed):
            self.errors.append(event.error)


def test_written_line_after_the_crash_is_answered(
    parts: build.Parts, strike: Callable[[signal.Signals], list[int]]
) -> None:
    hit = strike(signal.SIGKILL)
    with pytest.raises(ModelLost, match="started again"):
        parts.console.ask("tell me of your day")
    record = parts.console.ask("tell me of your day")
    assert record.said
    assert record.model.fresh_tokens < record.model.prompt_tokens / 2, "the head of the prompt was read anew"
    assert [model_process()] != hit


def test_spoken_line_is_apologised_for_and_the_next_is_answered(
    parts: build.Parts, strike: Callable[[signal.Signals], list[int]]
) -> None:
    strike(signal.SIGKILL)
    failures, recording = Failures(), read_wav(RECORDING)
    assert parts.hear(recording, watch=failures.watch).record.outcome == "error"
    assert [type(error) for error in failures.errors] == [ModelLost]
    record = parts.hear(recording, watch=failures.watch).record
    assert (record.outcome in ("said", "asked"), len(failures.errors)) == (True, 1)
    assert "Tokyo" in record.heard
    assert record.said


def test_model_that_hangs_is_apologised_for_at_the_deadline_and_replaced(
    chosen: settings.Settings, strike: Callable[[signal.Signals], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolated, "OBEY_S", 0.5)
    hurried = chosen.thought.model_copy(update={"deadline_s": DEADLINE_S})
    chosen = chosen.model_copy(update={"thought": hurried})
    with build.parts(chosen, build.clock(chosen)) as parts:
        (hit, failures), recording = (strike(signal.SIGSTOP), Failures()), read_wav(RECORDING)
        parts.hear(recording, watch=failures.watch)
        assert "no answer within 3 s" in str(failures.errors[0])
        assert is_gone(hit[0], PATIENCE_S)
        assert parts.local_llm.shown([Message("user", "hello")])[1] > 0
