"""Long results on a board as slow as a Raspberry Pi 5: cut for nothing, and digested where nobody waits for it."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Rig

from appliance.ports import Rates, Spoken
from appliance.reply.budget import CHARS_PER_TOKEN, SPOKEN_CHARS_PER_S, Budget
from appliance.reply.shorten import DIGEST_TOKENS, WORTH
from appliance.settings import Reply
from appliance.skills.schema import tool

PI5, DESKTOP = Rates(80, 12), Rates(300, 40)
FILLER = "The film was shot in Los Angeles. "
LONG = FILLER * 40 + "The director of photography was Jordan Cronenweth. " + FILLER * 40
QUESTION = "who was the director of photography of blade runner"
STORY = "Once upon a time there was a lighthouse keeper who loved films more than the sea. " * 4
LARGE = 70_000_000_000


def story() -> Spoken:
    """Tell a story."""
    return Spoken(STORY)


def board(*writes: str, rates: Rates = PI5, **settings: Any) -> Rig:
    parameters = settings.pop("parameters", 1_500_000_000)
    rig = Rig(*writes, more_tools=[tool(story, "read")], parameters=parameters, reply=settings)
    rig.canned.rates = rates
    rig.home.gives = LONG
    return rig


def given(rig: Rig) -> str:
    """What the model read of the result that it answers from."""
    return rig.read[-1].partition("source=lookup>\n")[2].partition("\n</untrusted")[0]


def test_a_slow_board_reads_the_sentences_that_matter_and_no_other_pass_is_made() -> None:
    rig = board('lookup(query="Blade Runner")', "say Jordan Cronenweth.")
    record = rig.say(QUESTION, "voice")
    assert (record.model.calls, record.steps[0].digested) == (2, False)
    assert "Jordan Cronenweth" in given(rig)
    assert len(given(rig)) <= Reply().digest_max_chars


def test_a_faster_one_digests_more_of_it_first() -> None:
    rig = board('lookup(query="Blade Runner")', "It was Cronenweth.", "say Jordan Cronenweth.", rates=DESKTOP)
    record = rig.say(QUESTION)
    assert (record.model.calls, record.steps[0].digested) == (3, True)
    assert given(rig) == "According to lookup: It was Cronenweth."


@pytest.mark.parametrize(("channel", "digested"), [("voice", True), ("chat", False)])
def test_while_it_speaks_a_slow_board_has_time_for_a_digest(channel: str, digested: bool) -> None:
    """328 characters are 19 s of speech; what is written is read at once."""
    writes = ['story()\nlookup(query="Blade Runner")', "It was Cronenweth.", "say Jordan Cronenweth."]
    rig = board(*(writes if digested else writes[::2]))
    record = rig.say(f"tell me a story and {QUESTION}", channel)
    assert record.steps[1].digested is digested
    if digested:
        listens_s = len(STORY) / SPOKEN_CHARS_PER_S
        assert WORTH * 600 <= len(rig.read[1]) <= (listens_s - DIGEST_TOKENS / 12) * 80 * CHARS_PER_TOKEN + 400


@pytest.mark.parametrize("parameters", [1_500_000_000, LARGE])
def test_on_overrides_the_estimate_and_reads_what_fits_its_time(parameters: int) -> None:
    writes = ('lookup(query="Blade Runner")', "It was Cronenweth.", "say Jordan Cronenweth.")
    rig = board(*writes, digest="on", parameters=parameters)
    assert rig.say(QUESTION).steps[0].digested
    assert 600 <= len(rig.read[1]) < 1_600


def test_on_digests_on_the_slowest_board() -> None:
    rig = board('lookup(query="Blade Runner")', "It was Cronenweth.", "say Jordan Cronenweth.", digest="on")
    rig.canned.rates = Rates(20, 4)
    assert rig.say(QUESTION).steps[0].digested


def test_off_only_cuts() -> None:
    rig = board('lookup(query="Blade Runner")', "say Jordan Cronenweth.", rates=DESKTOP, digest="off")
    assert rig.say(QUESTION).model.calls == 2
    assert Reply().digest_max_chars < len(given(rig)) <= Reply().result_max_chars


def test_a_pass_that_would_read_no_more_than_the_cut_is_not_made() -> None:
    rates = Rates(150, 40)  # 3 s read 940 characters, and twice 600 are wanted
    rig = board('lookup(query="Blade Runner")', "say Jordan Cronenweth.", rates=rates)
    assert rig.say(QUESTION).model.calls == 2


def test_what_was_said_gives_time_as_long_as_it_is_heard() -> None:
    budget = Budget(PI5, 12)
    assert budget.seconds("digest") == 3
    assert budget.covered_s < 0
    assert not budget.affords("analyse", 64)
    budget.speaks(10 * SPOKEN_CHARS_PER_S)
    budget.speaks(2 * SPOKEN_CHARS_PER_S)
    assert 11 < budget.covered_s <= 12
    assert budget.affords("analyse", 64)


def test_what_cannot_even_be_written_is_not_read() -> None:
    assert Budget(PI5, 12).readable_chars(3, DIGEST_TOKENS) == 0
