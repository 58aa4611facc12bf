"""Plans: what may be written, what must come next, and how it is read."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from appliance.errors import WrongUse
from appliance.ports import Spoken
from appliance.reply.grammar import PlanGrammar, compile_grammar
from appliance.reply.plan import Call, Role, Words, parse, read
from appliance.simulated import ListedTool
from appliance.skills.schema import tool


def set_timer(minutes: float = 0, label: str = "") -> Spoken:
    """Start a countdown."""
    return Spoken("")


def set_volume(direction: Literal["up", "down"]) -> Spoken:
    """Louder or softer."""
    return Spoken("")


def convert(value: Annotated[float, Field(ge=0)], unit: str, exact: bool = True) -> Spoken:
    """Another unit."""
    return Spoken("")


def weather(day: Literal["today", "tomorrow"] = "today", days: int = 1, dates: str = "", place: str = "") -> Spoken:
    """What the sky does."""
    return Spoken("")


def stop() -> Spoken:
    """Be quiet."""
    return Spoken("")


@pytest.fixture
def grammar() -> PlanGrammar:
    return compile_grammar([tool(each, "act") for each in (set_timer, set_volume, convert, weather, stop)], steps_max=5)


@pytest.mark.parametrize(
    ("written", "forced"),
    [
        ("", ""),
        ("s", ""),
        ("sa", "y"),
        ("set_", ""),
        ("set_v", 'olume(direction="'),
        ("set_volume", '(direction="'),
        ('set_volume(direction="', ""),
        ('set_volume(direction="u', 'p")'),
        ('set_volume(direction="up', '")'),
        ('set_volume(direction="up"', ")"),
        ('weather(day="to', ""),
        ('weather(day="today', ""),
        ('weather(day="tom', "orrow"),
        ('weather(day="tomorrow"', ""),
        ('weather(day="tomorrow", da', ""),
        ('weather(day="tomorrow", days', "="),
        ("weather(pl", 'ace="'),
        ("conv", "ert(value="),
        ("convert(value=3", ""),
        ('convert(value=3, unit="mile', ""),
        ('convert(value=3, unit="mile"', ""),
        ("convert(value=3, u", 'nit="'),
        ('convert(value=3, unit="mile", exact', "="),
        ('convert(value=3, unit="mile", exact=F', "alse)"),
        ('convert(value=3, unit="a, exact', ""),
        ("st", "op()"),
        ("set_t", "imer"),
        ("set_timer(", ""),
        ("set_timer(m", "inutes="),
        ("set_timer(minutes", "="),
        ("set_timer(minutes=", ""),
        ("set_timer(minutes=5", ""),
        ("set_timer(minutes=5,", ""),
        ("set_timer(minutes=5, lab", 'el="'),
        ('set_timer(minutes=5, label="a (b', ""),
        ('set_timer(label="tea"', ")"),
        ("stop()", ""),
        ("stop()\nset_v", 'olume(direction="'),
        ("say sto", ""),
    ],
)
def test_only_what_is_certain_is_forced(grammar: PlanGrammar, written: str, forced: str) -> None:
    assert grammar.forced(written) == forced


def test_blank_after_say_is_left_to_the_word_that_follows(grammar: PlanGrammar) -> None:
    assert grammar.forced("sa") == "y"
    assert not grammar.free("say")
    assert grammar.free("say H")


def test_rules_grow_with_the_parameters_only() -> None:
    many = {f"p{number}": (float, 0) for number in range(30)}
    wide = compile_grammar([ListedTool("wide", properties={name: {"type": "number"} for name in many})], 5)
    assert len(wide.gbnf) < 10_000


def test_schema_that_no_call_can_express_is_refused() -> None:
    with pytest.raises(WrongUse, match="tool deep: argument x has type object"):
        compile_grammar([ListedTool("deep", properties={"x": {"type": "object"}})], 5)


VALUES = st.one_of(
    st.integers(-(10**6), 10**6),
    st.booleans(),
    st.text("ab 1.,;:=()[]'äß好", min_size=1),
)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), VALUES), min_size=1, max_size=5))
def test_calls_are_read_as_they_were_written(arguments: list[dict[str, object]]) -> None:
    def value(each: object) -> str:
        return f'"{each}"' if isinstance(each, str) else str(each)

    lines = [f"do({', '.join(f'{name}={value(each)}' for name, each in given.items())})" for given in arguments]
    assert list(read("\n".join(lines))) == [Call("do", given) for given in arguments]
    assert [call.text for call in map(parse, lines) if call] == lines


def test_call_is_known_with_its_bracket() -> None:
    parts = read(iter(["stop", "()", "\nset_timer(min", "utes=5", ")", "\n"]))
    assert next(parts) == Call("stop")
    assert next(parts) == Call("set_timer", {"minutes": 5})


def test_plan_cut_off_in_a_call_keeps_the_whole_ones() -> None:
    assert next(read('stop()\nset_timer(label="te')) == Call("stop")
    assert list(read("")) == []


def test_words_to_say_are_not_read_as_calls() -> None:
    assert "".join(part.text for part in read("say stop()") if isinstance(part, Words)) == "stop()"


def test_words_may_follow_calls_and_a_role_goes_before() -> None:
    assert list(read(["as cook\n", "stop()\n", "ask Which", " one?"])) == [
        Role("cook"),
        Call("stop"),
        Words("ask", "Which"),
        Words("ask", " one?"),
    ]


def test_words_without_a_mark_are_words_all_the_same() -> None:
    assert "".join(part.text for part in read("Hello there, you.") if isinstance(part, Words)) == "Hello there, you."


@given(st.text(), st.integers(1, 7))
def test_nothing_that_is_written_breaks_the_reader(text: str, size: int) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    parts = list(read(pieces))
    assert (
        bool(parts) == bool(text.strip())
        or text.strip() in ("say", "ask")
        or all(isinstance(part, Role | Words) for part in parts)
    )


def test_grammar_without_tools_allows_only_words() -> None:
    assert "call" not in compile_grammar((), 1).gbnf


def test_role_is_one_more_way_to_begin(grammar: PlanGrammar) -> None:
    roles = compile_grammar([tool(stop, "act")], 5, ("cook", "host"))
    assert "role?" in roles.gbnf
    assert "role" not in grammar.gbnf


def test_what_must_not_be_said_is_barred_where_it_ends() -> None:
    grammar = compile_grammar([], 3, unsaid=["i can't", "sorry, but"])
    assert grammar.barred("say I am sorry, but")
    assert grammar.barred("say I can’t")
    assert not grammar.barred("say I am sorry")
    assert not compile_grammar([], 3).barred("say I can't")


def test_the_only_call_begins_by_itself() -> None:
    """Its name need not be chosen: it is read with the prompt."""
    one, two = tool(set_volume, "act"), tool(stop, "act")
    assert compile_grammar([one], 3, speech=False).forced("") == 'set_volume(direction="'
    assert compile_grammar([one], 3).forced("") == ""
    assert compile_grammar([one, two], 3, speech=False).forced("") == ""
    assert compile_grammar([one], 3, ["cook"], speech=False).forced("") == ""
