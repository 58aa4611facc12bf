"""The picture of a turn: what it shows is where it happened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from appliance.audio import read_wav, silence
from appliance.errors import WrongUse
from appliance.records import Milliseconds, Step, TurnRecord
from appliance.terminal.picture import CARD, SOUND_BOTTOM, STRIP, WIDTH, draw, stages

DEMO = Path(__file__).parents[2] / "bench/recordings/demo.wav"
MOMENTS = {"wake": 1.9, "speech_ended": 4.5, "decided": 4.8, "transcribed": 5.0, "first_audio": 6.0, "ended": 9.0}
RECORD = TurnRecord(
    turn=1,
    conversation="c",
    heard="What is 17 × 23?",
    said="Three hundred and ninety one.",
    steps=[Step(kind="tool", tool="calculate")],
    ms=Milliseconds(stt=200, plan=500, tools=100),
)


def test_each_stage_stands_where_it_ran() -> None:
    spans = [(span.name, round(span.start_s, 3), round(span.end_s, 3)) for span in stages(RECORD, MOMENTS)]
    assert spans == [
        ("end of turn", 4.5, 4.8),
        ("speech to text", 4.8, 5.0),
        ("plan", 5.0, 5.5),
        ("tools", 5.5, 5.6),
        ("voice", 5.6, 6.0),
    ]


def test_a_noted_moment_counts_more_than_a_duration() -> None:
    plan = next(span for span in stages(RECORD, {**MOMENTS, "planned": 5.7}) if span.name == "plan")
    assert plan.end_s == 5.7


def test_transcribing_ahead_begins_before_the_turn_was_decided() -> None:
    ahead = RECORD.model_copy(update={"ms": Milliseconds(stt=400)})
    assert [round(span.start_s, 3) for span in stages(ahead, MOMENTS) if span.name == "speech to text"] == [4.6]


def test_a_stage_that_did_not_run_has_no_span() -> None:
    assert stages(TurnRecord(turn=1, conversation="c"), {"wake": 1.0, "speech_ended": 2.0}) == []


def test_the_stages_are_drawn_in_order_under_the_sound(tmp_path: Path) -> None:
    draw(RECORD, read_wav(DEMO), MOMENTS, tmp_path / "turn.png", answer=read_wav(DEMO))
    picture = Image.open(tmp_path / "turn.png").convert("RGB")
    assert picture.width == WIDTH
    strip = [picture.getpixel((x, SOUND_BOTTOM + STRIP // 2)) for x in range(WIDTH)]
    seen = list(dict.fromkeys(colour for colour in strip if strip.count(colour) > 5))
    wanted = [_rgb(span.colour) for span in stages(RECORD, MOMENTS)]
    assert [colour for colour in seen if colour in wanted] == wanted


def test_a_turn_in_which_nothing_happened_shows_its_sound_alone(tmp_path: Path) -> None:
    draw(TurnRecord(turn=1, conversation="c"), read_wav(DEMO), {}, tmp_path / "turn.png")
    short = Image.open(tmp_path / "turn.png").convert("RGB")
    draw(TurnRecord(turn=1, conversation="c"), silence(0), {}, tmp_path / "empty.png")
    assert short.size == Image.open(tmp_path / "empty.png").size
    assert any(short.getpixel((x, SOUND_BOTTOM - 30)) not in (_rgb(CARD), None) for x in range(WIDTH))


def test_endless_words_and_foreign_signs_still_fit(tmp_path: Path) -> None:
    long = RECORD.model_copy(update={"heard": "Übergrößenträger → 気温 " * 500, "said": "x" * 10_000})
    draw(long, np.tile(read_wav(DEMO), 20), {**MOMENTS, "ended": 130.0}, tmp_path / "turn.png")
    picture = Image.open(tmp_path / "turn.png").convert("L")
    beside = np.asarray(picture)[: SOUND_BOTTOM - 250, 1192:1206]
    assert beside.min() > 200, "the words run into the figure at the right"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="cannot write"):
        draw(RECORD, silence(1), MOMENTS, tmp_path / "absent" / "turn.png")


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))
