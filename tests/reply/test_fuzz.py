"""Whatever is said, given by a tool, or written by the model: a turn ends, with words that are fit for the ear."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rig import Household, Rig

from appliance.audio import never
from appliance.safety.guard import Guard

NAMES = [tool.name for tool in Household().tools() if tool.name != "sleep"]
VALUES = st.one_of(st.integers(-999, 9999).map(str), st.text("ab $1\"',()=", max_size=12).map(lambda text: f'"{text}"'))
CALLS = st.builds(
    lambda name, key, value: f"{name}({key}={value})",
    st.sampled_from(NAMES),
    st.sampled_from(["query", "minutes", "door", "topic", "place", "fact", "x"]),
    VALUES,
)
BYTES = st.binary(max_size=60).map(lambda data: data.decode(errors="replace"))
WRITTEN = st.one_of(
    BYTES,
    st.lists(CALLS, min_size=1, max_size=4).map("\n".join),
    st.text(max_size=60).map("say {}".format),
    st.sampled_from(["", "say ", "ask", "as \n", 'say {"a": 1}', "lookup(", "say <|im_end|> $1 ```json"]),
)


@given(st.text(max_size=80), st.lists(WRITTEN, max_size=6), st.one_of(BYTES, st.text(max_size=4_000)))
@settings(max_examples=1_500)
def test_every_turn_ends_in_words_or_in_a_stop(heard: str, written: list[str], result: str) -> None:
    rig = Rig(*written)
    rig.home.gives = result
    record = rig.say(heard)
    rig.engine.after(never)
    assert record.said or record.outcome == "stopped"
    assert record.model.calls <= 12
    assert '{"' not in record.said


@given(st.lists(BYTES, max_size=5))
@settings(max_examples=9_000)
def test_random_bytes_come_through_the_guards_as_a_beginning_of_themselves(pieces: list[str]) -> None:
    guard = Guard(NAMES)
    out = "".join(map(guard.feed, pieces)) + guard.finish()
    assert "".join(pieces).startswith(out)
