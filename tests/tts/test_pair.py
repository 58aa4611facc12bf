"""A slow voice with a quick one beside it: who says which clause."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.audio import Speech, Stale, never
from appliance.simulated import CannedSynthesizer, RecordingSpeaker
from appliance.tts.pair import BEGINS_S, EFFORT, Pair
from appliance.tts.speak import Voice


class Slow(CannedSynthesizer):
    """Takes as long as a test says: `begins_s` for a clause, `effort` for a second of sound."""

    def __init__(self, begins_s: float, effort: float | None = None) -> None:
        super().__init__()
        self.begins_s, self.effort = begins_s, effort

    def begins_in_s(self, clause: str) -> float:
        return self.begins_s


class Asked(CannedSynthesizer):
    """Remembers which clauses could not wait."""

    def __init__(self) -> None:
        super().__init__()
        self.hurried: list[bool] = []

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        self.hurried.append(hurried)
        return super().synthesize(clause, stale, hurried)


@pytest.mark.parametrize(
    ("begins_s", "effort", "hurried", "quick"),
    [
        (2 * BEGINS_S, None, True, True),
        (2 * BEGINS_S, None, False, False),
        (BEGINS_S / 2, None, True, False),
        (BEGINS_S / 2, EFFORT / 2, False, False),
        (BEGINS_S / 2, EFFORT * 2, False, True),
    ],
)
def test_the_quick_one_says_what_cannot_wait_and_all_on_a_slow_board(
    begins_s: float, effort: float | None, hurried: bool, quick: bool
) -> None:
    slow, other = Slow(begins_s, effort), CannedSynthesizer()
    list(Pair(slow, other).synthesize("It is four.", never, hurried))
    assert (slow.clauses, other.clauses) == (([], ["It is four."]) if quick else (["It is four."], []))


def reply(voice: Voice, *clauses: str) -> None:
    mouth = voice.begin(never, lambda at_s: None)
    for clause in clauses:
        mouth.say(f"{clause}\n")
    mouth.finish()


def test_only_the_first_clause_of_a_reply_cannot_wait() -> None:
    synthesizer = Asked()
    with Voice(synthesizer, RecordingSpeaker(), lambda error: None) as voice:
        reply(voice, "It is four.", "The kettle is on.")
        reply(voice, "It is five.")
    assert synthesizer.hurried == [True, False, True]


def test_what_was_made_at_leisure_serves_a_hurry_and_not_the_other_way_round() -> None:
    synthesizer = Asked()
    with Voice(synthesizer, RecordingSpeaker(), lambda error: None) as voice:
        reply(voice, "One.", "Two.")
        reply(voice, "Two.", "One.")
        reply(voice, "One.", "Two.")
    assert synthesizer.clauses == ["One.", "Two.", "One."]
    assert synthesizer.hurried == [True, False, False]
