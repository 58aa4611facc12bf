"""What the reference flow reads and what its slots save, without a model: a token is a word."""

from typing import Any

import pytest

from bench import reference, slots
from bench.reference import STAGES, UTTERANCES, Prompts, Stage

CATALOGUE = "set_timer minutes label get_time place"
SIZES = {"judge": 2_040, "router": 605, "planner": 990, "extractor": 950, "memory digest": 1_355, "tool digest": 576}


@pytest.fixture
def prompts() -> Prompts:
    known: dict[str, int] = {}
    return Prompts(lambda text: [known.setdefault(word, len(known)) for word in text.split()], CATALOGUE)


@pytest.mark.parametrize(
    ("held", "prompt", "kept"),
    [
        ([], [1, 2, 3], 0),
        ([1, 2, 3, 4], [1, 2, 9, 9], 2),
        ([1, 2], [1, 2, 3], 2),
        ([9, 1, 2], [1, 2, 3], 0),
        ([1, 2, 3, 4], [1, 2, 3], 2),
    ],
)
def test_a_slot_keeps_the_common_prefix_but_reads_the_last_token(held: list[int], prompt: list[int], kept: int) -> None:
    assert slots.kept(held, prompt) == kept


def test_the_prompts_have_exactly_the_sizes_of_the_issue(prompts: Prompts) -> None:
    line = UTTERANCES[0][1]
    for each in prompts.of("tool", line, 1):
        catalogue = len(CATALOGUE.split()) * each.stage.catalogue
        assert each.static == each.stage.head + catalogue
        assert len(each.tokens) == each.static + len(line.split()) + each.stage.batch
        assert len(each.tokens) + each.stage.output <= prompts.longest(each.stage)
    assert {stage.name: stage.head for stage in STAGES} == SIZES | {"chat": 4_700}


def test_a_turn_without_a_tool_digests_no_result(prompts: Prompts) -> None:
    assert "tool digest" in [each.stage.name for each in prompts.of("tool", "Hello.", 1)]
    assert "tool digest" not in [each.stage.name for each in prompts.of("talk", "Hello.", 1)]


def test_one_slot_finds_next_to_nothing_again_and_a_slot_a_prompt_its_heads(prompts: Prompts) -> None:
    first, second = (prompts.of(kind, line, turn) for turn, (kind, line) in enumerate(UTTERANCES[:2]))
    heads = {each.stage.name: each for each in first}
    held = list(first[-1].tokens)
    for each in second:
        assert slots.kept(held, each.tokens) < 5
        held = list(each.tokens)
        found = slots.kept(heads[each.stage.name].tokens, each.tokens)
        assert found < 10 if each.stage.clock else found >= each.static


def cost(seconds: float) -> dict[str, Any]:
    return {"prompt_tokens": 10, "fresh_tokens": 10, "generated_tokens": 1, "read_s": seconds, "write_s": seconds}


def turn(*seconds: float) -> dict[str, Any]:
    return {"total_s": 2 * sum(seconds), "stages": {stage.name: cost(s) for stage, s in zip(STAGES, seconds)}}  # noqa: B905


def own(seconds: float) -> dict[str, Any]:
    return {
        "first_sentence_s": seconds,
        "heard": "Is it late?",
        "lane": "plan",
        "model": {"calls": 1},
        "ms": {"first_token": 400},
    }


def measured() -> dict[str, Any]:
    ours = [[own(1.0), own(3.0)], [own(0.5), own(1.0)]]
    return reference.ratios(ours, [turn(20, 30), turn(10, 40)], [turn(4, 6), turn(1, 1)])


def test_ratios_are_of_medians() -> None:
    row = measured()
    assert (row["ours_p50_s"], row["single_slot_p50_s"], row["slot_per_prompt_p50_s"]) == (1.0, 100, 4)
    assert (row["ratio_single_slot"], row["ratio_slot_per_prompt"]) == (100, 4)
    assert row["ours"][0][0]["read_s"] == 0.4


def test_a_stage_is_no_tool_turn_unless_it_says_so() -> None:
    assert [stage.name for stage in STAGES if stage.tool] == ["tool digest"]
    assert not Stage("judge", 1, 1).clock
