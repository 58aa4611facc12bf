"""Speech passes as it comes; what only a machine can read never reaches the ear."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.safety.guard import Guard, spoken_or_none

TOOLS = ("get_weather", "set_timer", "stop", "repeat")


def heard(text: str, piece: int = 10_000) -> tuple[str, bool]:
    """What comes out of `text` in pieces, and whether the guard tripped."""
    guard = Guard(TOOLS)
    out = "".join(guard.feed(text[at : at + piece]) for at in range(0, len(text), piece)) + guard.finish()
    return out, guard.tripped


SPEECH = [
    "It is 21 degrees, and 5 > 3.",
    "The shop (about 3 km away) is open till 10:30.",
    'He said "hello" and left.',
    '"Dune" is long: 412 pages.',
    '"Dune": a novel by Frank Herbert.',
    "You need three things: milk, eggs and bread.",
    "First, the tea. Second: the milk, if there is any.",
    "note: the kettle is on.",
    "Add x = 5 and y = 6.",
    "He wrote [sic] in the margin, see [1] and [12].",
    "[laughs] All right.",
    "Less than: 5 < 6, and 6 <= 7.",
    "Stop (really) or repeat that (please).",
    "Please stop. I want to.",
    "That costs $1, or $1.50 with tax.",
    "The tool calls back (tomorrow).",
    "- milk\n- eggs\n5 - 3 = 2",
    ">5 km away",
    "Monday: rain\nTuesday: sun\nWednesday: snow\nThursday: rain",
    "Knock: who's there?\nAlice: me.",
    "Use `ls` for that.",
    "```python\nprint(1)\n```",
    "A <b>bold</b> word, _Dune_: a book, and {braces}.",
    "Say cheese.\nSay it again.",
    "Das kostet 3,50 €: „wenig“, oder?",
    "你好。今天二十一度（大约）。",
]


@pytest.mark.parametrize("text", SPEECH)
@pytest.mark.parametrize("piece", [1, 3, 10_000])
def test_speech_passes_unchanged(text: str, piece: int) -> None:
    assert heard(text, piece) == (text, False)


STRUCTURED = [
    '{"name": "get_weather"}',
    '{"na',
    "{}",
    "{ 'name': 1}",
    "{name: 1}",
    "[1, 2]",
    '["a"]',
    "[{",
    "[1]",
    "[false,",
    "[null]",
    "[\n  true,",
    '"name": "get_weather"',
    '"arguments": {',
    "tool_calls: []",
    "tool_call",
    "TOOL_CALLS:",
    "<tool_call>",
    "</tool_call>",
    "<function=get_weather>",
    "<think>hm",
    "<tools>",
    '<invoke name="x">',
    "<parameter=city>",
    "<html>",
    "<bos>",
    "<eos>",
    "<pad>",
    "<unk>",
    "<|im_end|>",
    "<｜User｜>",
    "</s>",
    "<start_of_turn>",
    "[INST]",
    "<<SYS>>",
    "<!-- x -->",
    "-> 25 minutes",
    "=> 25 minutes",
    "→ 25 minutes",
    "> [Mon 5 May 2025 08:12]",
    "[context: Monday]",
    "[known: the user sails]",
    "[running: bread timer]",
    "[Wednesday 14 May 2025 08:12]",
    "[Mon 5 May 2025 08:12]",
    "<untrusted 3fa9 source=web>",
    "</untrusted 3fa9>",
    'get_weather(city="Paris")',
    "Get_Weather()",
    "stop()",
    "set_timer(minutes=",
    "get_news(topic=1)",
    "```json\n",
    "```tool",
    "```xml\n",
    "```yaml\n",
    "```\n[",
    '```python\n{"a": 1}',
    "feels_like: 20",
    "temp_c=20",
    "temperature: 21\nhumidity: 40\nwind: 5 km/h\n",
    "temp: 21, wind: 5, rain: 0",
]


@pytest.mark.parametrize("call", ['what("day", since="2026-07-12")', "find(query=plums", "find ( 'plums"])
def test_a_call_of_whatever_there_is_not_ends_the_words(call: str) -> None:
    guard = Guard()
    heard = guard.feed(f"All right. {call}") + guard.finish()
    assert guard.tripped is ("find (" not in call)
    assert guard.tripped is ("plums" not in heard and "day" not in heard)


@pytest.mark.parametrize("structured", STRUCTURED)
@pytest.mark.parametrize("piece", [1, 10_000])
def test_structured_text_is_not_heard(structured: str, piece: int) -> None:
    assert heard(structured, piece) == ("", True)


@pytest.mark.parametrize("structured", STRUCTURED)
@pytest.mark.parametrize("piece", [1, 10_000])
def test_what_was_said_before_stays_and_nothing_comes_after(structured: str, piece: int) -> None:
    assert heard(f"All right.\n{structured}\nMore.", piece) == ("All right.\n", True)


@pytest.mark.parametrize("structured", ['{"a": 1}', '["a"]', "<tool_call>", 'get_weather(city="x")', "<|im_end|>"])
def test_structured_text_within_a_line_is_not_heard(structured: str) -> None:
    assert heard(f"Here you are: {structured}") == ("Here you are: ", True)


@pytest.mark.parametrize(
    "text", ["Hello", " There", "The weather", "It's 5 o'clock", "Gut", "今天", "Well,", "(about", "3", '"Dune is']
)
def test_first_words_do_not_wait(text: str) -> None:
    assert Guard(TOOLS).feed(text) == text


def test_what_may_be_a_call_waits_until_it_is_none() -> None:
    guard = Guard(TOOLS)
    assert guard.feed("Please stop") == "Please "
    assert guard.feed(" it") == "stop it"


def test_a_line_that_begins_like_a_key_waits_for_its_second_word() -> None:
    guard = Guard()
    assert guard.feed("temp") == ""
    assert guard.feed("ers run") == "tempers run"


@pytest.mark.parametrize("begun", ["Hello {", "Hello [", "Hello [-1.5e3", 'Hello "name":', "Hello <", "Hello stop("])
def test_a_document_cut_off_at_its_first_mark_is_not_heard(begun: str) -> None:
    assert heard(begun) == ("Hello ", True)


def test_a_whole_text_is_heard_as_it_is_or_not_at_all() -> None:
    assert spoken_or_none("It is 8:18.") == "It is 8:18."
    assert spoken_or_none('It is {"time": "8:18"}.') is None
    assert spoken_or_none(" \n") is None
    assert spoken_or_none("stop()", TOOLS) is None


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
).filter(lambda document: isinstance(document, dict | list))


@settings(max_examples=300)
@given(DOCUMENTS, st.sampled_from([None, 1, 4]), st.booleans(), st.data())
def test_no_json_is_heard(document: object, indent: int | None, ascii_only: bool, data: st.DataObject) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    cut = data.draw(st.integers(1, len(text)))
    assert heard(text[:cut]) == ("", True)
    assert heard(f"It is\n{text}\n") == ("It is\n", True)


PIECES = st.lists(
    st.sampled_from([*'{}[]"<>`|/-=$:,.12\n _tsa', *STRUCTURED, *SPEECH, "stop(", "a: b", "tool_", "``"]), max_size=20
).map("".join)


@settings(max_examples=1_000)
@given(PIECES, st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_the_size_of_the_pieces_does_not_matter(text: str, sizes: list[int]) -> None:
    guard, at, out = Guard(TOOLS), 0, ""
    while at < len(text):
        size = sizes[at % len(sizes)]
        out, at = out + guard.feed(text[at : at + size]), at + size
    assert (out + guard.finish(), guard.tripped) == heard(text)


@settings(max_examples=10_000)
@given(st.binary(max_size=40))
def test_whatever_comes_what_is_heard_is_how_it_begins(noise: bytes) -> None:
    text = noise.decode(errors="replace")
    out, tripped = heard(text)
    assert text.startswith(out)
    assert tripped or out == text


@pytest.mark.parametrize("unit", ["{ ", "[ 1", '"aaaa', "`", "a_", "<", "a: b, ", " ", "\n> ", "stop(a"])
def test_long_oddities_do_not_hold_the_turn_up(unit: str) -> None:
    text = unit * 10_000
    started_s = time.process_time()
    heard(text)
    assert time.process_time() - started_s < 2
