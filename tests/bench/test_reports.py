"""What the runners tell: rows and tables from canned turns."""

import json
from pathlib import Path
from typing import Any

import pytest

from appliance import settings_file
from appliance.records import ModelUse, TurnRecord
from bench import cases, evaluate, machine, results, spoken
from bench.cases import Case
from bench.requests import Request
from bench.scoring import Cause
from bench.spoken import Trial


def trial(say: str, cause: Cause | None = None, held_out: bool = False) -> Trial:
    request = Request(say=say, voice="joe", held_out=held_out, expect=({"stop": {}},))
    return Trial(request, cause, TurnRecord(turn=1, conversation="c-1", heard="be quite"))


TRIALS = [trial("Shush now."), trial("Silence!", "stt"), trial("Hush, box.", "plan", held_out=True), trial("Quiet!")]


def test_the_row_counts_the_right_ones_by_voice_noise_tool_and_set() -> None:
    row = spoken.summary(TRIALS)
    assert (row["n"], row["right"], row["share"]) == (4, 2, 0.5)
    assert row["held_out"] == {"n": 1, "right": 0}
    assert row["by"]["tool"] == {"stop": [2, 4]}
    assert row["by"]["set"] == {"held out": [0, 1], "open": [2, 3]}
    assert row["causes"] == {"stt": 1, "plan": 1}


def test_a_failure_is_told_in_full_unless_it_is_held_out() -> None:
    row = spoken.summary(TRIALS)
    shown = spoken.report(TRIALS, row, show_held_out=False)
    assert "Silence!" in shown
    assert "be quite" in shown
    assert "failed by plan: 1, of them 1 held out" in shown
    assert "Hush, box." not in shown
    assert "Hush, box." in spoken.report(TRIALS, row, show_held_out=True)


def test_the_comparison_counts_what_was_mended_and_what_broke() -> None:
    stamp = {"date": "2026-01-01", "commit": "abc"}
    before = spoken.summary([trial("Shush now.", "stt"), trial("Silence!"), trial("Quiet!")]) | stamp
    told = results.comparison(spoken.summary(TRIALS), before)
    assert "of 3 in both 2 -> 2 right, 1 mended, 1 broken" in told, "the fourth is in one of the rows only"
    assert results.comparison(spoken.summary(TRIALS), None) == "no earlier row of this machine"


def test_the_latest_row_is_the_last_one_of_its_kind_and_machine(tmp_path: Path) -> None:
    row = {"date": "2026-01-02", "machine": machine.name()}
    results.save(row, "eval", tmp_path)
    results.save(row | {"date": "2026-01-01"}, "eval", tmp_path)
    results.save(row | {"date": "2026-01-03"}, "wake", tmp_path)
    results.save(row | {"date": "2026-01-04", "machine": "another-box"}, "eval", tmp_path)
    assert results.latest("eval", tmp_path) == row
    assert results.latest("", tmp_path) is None


def case(name: str, file: str = cases.OPEN, tools: tuple[str, ...] = ()) -> Case:
    return Case.model_validate({"name": name, "kind": "k", "file": file, "tools": tools, "turns": [{"say": name}]})


def test_cases_are_counted_apart_by_whether_a_box_has_their_tools() -> None:
    trials = [
        evaluate.Trial(case("one")),
        evaluate.Trial(case("two", tools=("home",)), faults=["called nothing"]),
        evaluate.Trial(case("three", tools=("lookup",))),
    ]
    row = evaluate.summary(trials)
    assert (row["on_board"], row["scripted"]) == ({"n": 1, "share": 1.0}, {"n": 2, "share": 0.5})
    told = evaluate.report(trials, row, show_held_out=False)
    assert "the tools on board alone {'n': 1, 'share': 1.0}, with scripted ones as well {'n': 2, 'share': 0.5}" in told


def test_a_row_shows_nothing_of_held_out_cases_and_knows_them_again() -> None:
    def outcomes(*asked: Case) -> dict[str, str]:
        found: dict[str, str] = evaluate.summary([evaluate.Trial(each) for each in asked])["outcomes"]
        return found

    open_, hidden = case("open one"), case("hidden one", cases.HELD_OUT)
    made_new = hidden.model_copy(update={"now": hidden.now.replace(year=2027)})
    before = outcomes(open_, hidden)
    assert "open one" in before
    assert not [name for name in before if "hidden" in name]
    assert before.keys() & outcomes(hidden, made_new).keys() == before.keys() - {"open one"}


def test_rows_of_some_files_are_named_after_them() -> None:
    assert evaluate.kind_of("m", cases.FILES) == evaluate.kind_of("m", cases.FILES[::-1]) == "replies-m"
    assert evaluate.kind_of("m", [cases.POISON, cases.HELD_OUT]) == "replies-m-held_out-poison"


def test_a_kind_is_not_taken_for_one_that_it_begins_with(tmp_path: Path) -> None:
    row = {"date": "2026-01-02", "machine": machine.name()}
    results.save(row, "replies-m-held_out", tmp_path)
    assert results.latest("replies-m", tmp_path) is None
    assert results.latest("held_out", tmp_path) is None
    assert results.latest("replies-m-held_out", tmp_path) == row


@pytest.mark.parametrize(("share", "value"), [(0.5, 5), (0.95, 10), (1.0, 10), (0.01, 1)])
def test_a_percentile_is_a_value_that_occurred(share: float, value: int) -> None:
    assert results.percentile(list(range(10, 0, -1)), share) == value


def test_no_percentile_is_invented() -> None:
    assert results.spread([]) == {"p50": None, "p95": None, "n": 0}


def test_the_machine_is_named_by_its_kind_and_not_by_its_host() -> None:
    told = machine.describe()
    assert told["cores"] >= 1
    assert machine.name().replace("-", "").isalnum()
    json.dumps(told)


def record(kind: str, first_audio_ms: int | None) -> dict[str, Any]:
    calls = int(kind != "fast")
    use = ModelUse(calls=calls, prompt_tokens=400 * calls, fresh_tokens=20 * calls)
    turn = TurnRecord(turn=1, conversation="c-1", lane="plan" if calls else "fast", model=use)
    turn.ms.first_audio, turn.ms.total, turn.ms.first_token = first_audio_ms, 3_000, 1_000
    return turn.model_dump() | {"first_sentence_s": 2.5}


def test_the_bench_row_holds_what_was_measured_and_null_for_the_rest() -> None:
    bench, parts = pytest.importorskip("bench.bench"), pytest.importorskip("bench.parts")
    waits = {"fast": 900, "tool": 1_300, "talk": None}
    row = results.blank()
    results.merge(row, parts.of_spoken([(kind, record(kind, waits[kind])) for kind in waits for _ in range(8)]))
    results.merge(row, parts.of_written([(kind, record(kind, None)) for kind in parts.TYPED for _ in range(8)]))
    assert row["first_audio_ms"]["tool"] == {"p50": 1_300, "p95": 1_300, "n": 8}
    assert row["first_audio_ms"]["talk"]["n"] == 0
    assert row["calls"]["fast"]["p50"] == 0
    assert row["lanes"]["fast"] == {"fast": 8}
    assert row["tokens"]["fresh"] == {kind: {"p50": 20, "p95": 20, "n": 8} for kind in ("tool", "talk", "memory")}
    assert (row["reuse"], row["spoken_reuse"]) == (0.95, 0.95)
    assert row["growth"] is None
    verdicts = {what: bench.met(row, (what, path, limit)) for what, path, limit in (*bench.AT_MOST, *bench.AT_LEAST)}
    assert verdicts["first audio of a tool turn, p50 ms"] is True
    assert verdicts["first audio of the fast lane, p50 ms"] is False
    assert verdicts["first audio of small talk, p50 ms"] is None
    assert "missed" in bench.report(row)
    json.dumps(row)


def test_rates_are_those_of_a_long_line_and_of_the_answers_in_one_pass() -> None:
    parts = pytest.importorskip("bench.parts")
    long, short, twice = (record("talk", None) for _ in range(3))
    long["model"] |= {"fresh_tokens": 200, "generated_tokens": 51}
    short["model"] |= {"generated_tokens": 2}
    twice["model"] |= {"calls": 2, "generated_tokens": 90}
    assert parts.model_rates(long, [long, short, twice, long]) == {"prefill_tps": 200.0, "decode_tps": 25.0}
    assert parts.model_rates(twice, [short]) == {"prefill_tps": None, "decode_tps": None}


def test_rows_of_another_profile_or_model_do_not_take_the_place_of_the_board_s_own() -> None:
    bench = pytest.importorskip("bench.bench")
    board, other = settings_file.load(), "pi4" if settings_file.load().profile != "pi4" else "pi5"
    assert bench.kind_of(board, None) == ""
    assert bench.kind_of(settings_file.load(profile=other), other) == other
    tried = board.model_copy(update={"thought": board.thought.model_copy(update={"model": "smollm2-135m"})})
    assert bench.kind_of(tried, None) == "smollm2-135m"
