"""A language model that dies in the middle of a turn: what the person hears, and that the box goes on."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import model_process
from small import Small

from appliance import build, settings
from appliance import events as ev
from appliance.audio import read_wav
from appliance.errors import ModelLost
from appliance.states import State
from appliance.thought.frames import Errand, Generate
from appliance.thought.isolated import IsolatedModel
from appliance.thought.keeper import Line

RECORDING = Path(__file__).parent / "recordings/hey_jarvis_tokyo.wav"


@pytest.fixture
def parts(small: Small, tmp_path: Path) -> Iterator[build.Parts]:
    shutil.copytree(small.state, tmp_path / "state")
    chosen = settings.load(small.config, state=tmp_path / "state")
    with build.parts(chosen, build.clock(chosen)) as made:
        yield made


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The next prompt is the death of the model; the process that had it, once that has happened."""
    killed, send = list[int](), IsolatedModel._send

    def kill(model: IsolatedModel, line: Line, errand: Errand) -> None:
        send(model, line, errand)
        if isinstance(errand, Generate) and not killed:
            killed.append(model_process())
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(IsolatedModel, "_send", kill)
    return killed


def test_written_line_after_the_crash_is_answered(parts: build.Parts, once: list[int]) -> None:
    with pytest.raises(ModelLost, match="started again"):
        parts.console.ask("tell me of your day")
    record = parts.console.ask("tell me of your day")
    assert record.said
    assert record.model.fresh_tokens < record.model.prompt_tokens / 2, "the head of the prompt was read anew"
    assert [model_process()] != once


def test_spoken_line_is_apologised_for_and_the_next_is_answered(parts: build.Parts, once: list[int]) -> None:
    failed = list[ev.ReplyFailed]()

    def watch(event: ev.Event, state: State) -> None:
        if isinstance(event, ev.ReplyFailed):
            failed.append(event)

    recording = read_wav(RECORDING)
    assert parts.hear(recording, watch=watch).record.outcome == "error"
    assert [type(event.error) for event in failed] == [ModelLost]
    record = parts.hear(recording, watch=watch).record
    assert (record.outcome in ("said", "asked"), len(failed)) == (True, 1)
    assert "Tokyo" in record.heard
    assert record.said
