"""The sentences that a question is about come through, in their order and within the limit."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.reply.understanding.relevance import GAP, cut, pieces, rank, words

FILLER = "Nothing of interest happened on that day in the village by the sea. "
TOWER = "The Eiffel Tower was finished in 1889. "


def test_words_are_long_enough_and_of_any_script() -> None:
    assert words("It's the CAFÉ, Straße 404 Київ, at no 12") == ["the", "café", "strasse", "404", "київ"]


def test_a_tools_name_is_the_words_it_is_made_of() -> None:
    assert words("get_weather") == ["get", "weather"]


def test_a_text_within_the_limit_is_unchanged() -> None:
    text = "One. \n\n Two!"
    assert cut(text, "two", len(text)) == text


def test_the_sentence_that_was_asked_for_comes_through() -> None:
    text = FILLER * 20 + TOWER + FILLER * 20
    assert TOWER.strip() in cut(text, "when was the eiffel tower finished", 300)


def test_what_is_kept_keeps_its_order_and_gaps_are_marked() -> None:
    text = FILLER + "Tea is made of leaves. " + FILLER * 9 + "Tea was drunk in China. " + FILLER * 9
    out = cut(text, "china tea", 130)
    assert out.index("leaves") < out.index("China")
    assert GAP in out
    assert out.endswith(GAP.strip())


def test_the_start_wins_when_nothing_matches() -> None:
    text = "A title. " + FILLER * 20
    assert cut(text, "zebra", 200).startswith("A title.")
    assert cut(text, "", 200).startswith("A title.")


def test_a_lead_stays_beside_what_was_asked_for() -> None:
    text = "A page on towers. " + FILLER * 20 + TOWER
    out = cut(text, "eiffel tower", 70)
    assert out.startswith("A page on towers.")
    assert TOWER.strip() in out


def test_the_neighbours_of_a_match_come_before_the_rest() -> None:
    text = FILLER * 10 + TOWER + "It is 330 metres high. " + FILLER * 10
    assert "330" in cut(text, "eiffel", 200)


def test_json_is_cut_by_its_lines() -> None:
    text = json.dumps(
        [{"city": name, "temperature": at} for at, name in enumerate(["Oslo", "Rome", "Bern"] * 30)], indent=1
    )
    assert '"city": "Rome"' in cut(text, "rome", 200)


def test_a_long_line_without_a_full_stop_is_cut_too() -> None:
    text = ",".join(f"item{number}" for number in range(500)) + ",needle," + ",".join(["hay"] * 500)
    out = cut(text, "needle", 400)
    assert "needle" in out
    assert len(out) <= 400


def test_pieces_are_sentences_and_lines() -> None:
    assert pieces("One. Two? \nThree\n\n四。五") == ["One. ", "Two? \n", "Three\n\n", "四。", "五"]
    assert pieces("It is 3.14 now.") == ["It is 3.14 now."]


@given(st.text(), st.integers(1, 20))
def test_pieces_lose_nothing(text: str, longest_chars: int) -> None:
    parts = pieces(text, longest_chars)
    assert "".join(parts) == text
    assert all(0 < len(part) <= longest_chars for part in parts)


@settings(max_examples=500)
@given(st.text(st.sampled_from("ab. \n,?é漢")), st.text(st.sampled_from("ab ")), st.integers(0, 60))
def test_whatever_comes_is_within_the_limit(text: str, query: str, limit_chars: int) -> None:
    assert len(cut(text, query, limit_chars)) <= limit_chars


@given(st.text(), st.text(), st.integers(0, 60))
def test_no_text_is_too_odd(text: str, query: str, limit_chars: int) -> None:
    assert len(cut(text, query, limit_chars)) <= limit_chars


def test_the_best_document_is_first_and_strangers_are_absent() -> None:
    documents = ["set_timer starts a countdown", "get_weather tells the weather", "the weather or a timer or the time"]
    assert rank("weather tomorrow", documents) == [1, 2]
    assert rank("zebra", documents) == []


def test_equals_keep_their_order() -> None:
    assert rank("tea", ["tea", "milk", "tea", "tea"]) == [0, 2, 3]


@pytest.mark.parametrize("documents", [[], [""], ["", "a b"]])
def test_nothing_to_rank_is_no_error(documents: list[str]) -> None:
    assert rank("tea", documents) == []
    assert rank("", documents) == []


@pytest.mark.parametrize("unit", [TOWER, "word ", "x", "\n", ". ", '?"', '{"a": 1}, '])
def test_ten_megabytes_take_no_second(unit: str) -> None:
    text = unit * (10_000_000 // len(unit))
    started_s = time.process_time()
    cut(text, "eiffel word", 2_500)
    assert time.process_time() - started_s < 2


def test_the_journal_is_not_told_of_each_question(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        rank("tea", ["tea"])
    assert not caplog.records


def test_bm25_brings_no_compiler_along() -> None:
    code = "import sys, appliance.reply.understanding.relevance as _; "
    code += "print([m for m in ('numba', 'jax', 'scipy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
