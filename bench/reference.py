"""The reference flow beside ours: the same model, machine and run, from a line of text to its first sentence.

The reference asks the model six or seven times a turn, each time with a prompt of its own, and streams nothing: its
first sentence is there when its last call is over. The prompts are filler of our own, of its sizes.
It is kept leaner than it is: outputs are at the short end, batches are not full, nothing is asked twice, there
is no conversation so far, and only the chat prompt has its clock at the head (the others' system prompts hold none).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from appliance import build
from appliance.reply import prompt
from appliance.settings import Settings
from bench import consoles, results
from bench.questions import MEMORIES, MEMORY_QUESTIONS, QUESTIONS
from bench.results import Row
from bench.slots import Cost, Model, Slot

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Stage:
    """One call of the reference."""

    name: str
    head: int
    """Tokens of its prompt that are written in its source (counted 2026-11-21)."""
    output: int
    """Tokens it writes. Estimated from the answer format that its prompt asks for, at the short end."""
    batch: int = 0
    """Tokens of what it is given to read besides the line."""
    tool: bool = False
    """Only in a turn that used a tool."""
    catalogue: bool = False
    """The list of tools stands behind its head, and is always the same."""
    clock: bool = False
    """Begins with the time and place, so that nothing of it is found again a minute later."""


STAGES = (
    Stage("judge", 2_040, 45),  # a JSON object of five fields, the line again and a reason among them
    Stage("router", 605, 12),  # names of tools, between commas
    Stage("planner", 990, 30, catalogue=True),  # two steps of under 15 words
    Stage("extractor", 950, 35),  # a JSON object: key words, questions, a span of time
    Stage("memory digest", 1_355, 50, batch=320),  # one or two sentences; 8 entries of 40 tokens
    Stage("tool digest", 576, 50, batch=330, tool=True),  # two sentences; 1,200 characters, as our own results have
    Stage("chat", 4_700, 40, clock=True),  # 25 words, which are 33 tokens (docs/design/facts.md), and their marks
)
UTTERANCES = (("tool", QUESTIONS["tool"][0]), ("talk", QUESTIONS["talk"][0]), ("memory", MEMORY_QUESTIONS[0]))
"""None of them is a sentence that needs no model: there the ratio would have no meaning."""
ROUNDS = 3
"""Times that our own engine takes each of them, in turn: the same line twice in a row would find itself."""
FILLER = (
    "Read what the user said with care, keep to the facts that were given, and leave out whatever was not asked for. "
    "When two rules speak against each other the earlier one holds; when none fits, say so in one short sentence. "
    "Numbers, names and dates are copied letter by letter, and a thing that nobody mentioned is never added. "
)
BEGAN = datetime.fromisoformat("2026-11-22T08:00:00+01:00")


@dataclass(frozen=True)
class Prompt:
    stage: Stage
    tokens: Sequence[int]
    static: int
    """Tokens of it that are the same for every line."""


class Prompts:
    """What the reference reads for a line: each stage's prompt, token by token."""

    def __init__(self, tokens: Callable[[str], list[int]], catalogue: str, stages: Sequence[Stage] = STAGES) -> None:
        self._tokens, self._catalogue, self.stages = tokens, tokens(catalogue), stages
        self.catalogue_tokens = len(self._catalogue)

    def of(self, kind: str, line: str, turn: int) -> list[Prompt]:
        return [self._one(stage, line, turn) for stage in self.stages if kind == "tool" or not stage.tool]

    def longest(self, stage: Stage) -> int:
        """Room for the stage's prompt with its output, whatever is said."""
        line = max(len(self._tokens(line)) for _, line in UTTERANCES)
        return stage.head + stage.batch + stage.output + line + stage.catalogue * self.catalogue_tokens

    def _one(self, stage: Stage, line: str, turn: int) -> Prompt:
        """A turn is a minute after the one before it."""
        now = BEGAN + timedelta(minutes=turn)
        clock = f"Now: {now:%A, %d %B %Y, %H:%M}. Place: Utrecht, Netherlands. " if stage.clock else ""
        head = self._filled(f"{clock}You are the {stage.name} of a voice assistant. ", stage.head)
        head += self._catalogue if stage.catalogue else []
        batch = self._filled(f"For {line} ", stage.batch) if stage.batch else []
        return Prompt(stage, [*head, *self._tokens(line), *batch], len(head))

    def _filled(self, text: str, count: int) -> list[int]:
        tokens, filler = self._tokens(text), self._tokens(FILLER)
        return (tokens + filler * (count // len(filler) + 1))[:count]


def measure(chosen: Settings, tell: Tell, quick: bool = False) -> Row:
    """The part `reference` of the bench row. `quick`: prompts of a twentieth of their size; for a try."""
    utterances = UTTERANCES[:2] if quick else UTTERANCES
    stages = tuple(replace(stage, head=stage.head // 20, output=2) for stage in STAGES) if quick else STAGES
    tell("our own engine")
    ours, catalogue = own(chosen, utterances, tell)
    model_file = build.catalog(chosen).path(chosen.thought.model)
    with closing(Model(model_file, chosen.thought)) as model:
        prompts = Prompts(model.tokens, catalogue, stages)
        single, several = reference(model, prompts, utterances, tell)
    row = ratios(ours, single, several)
    row["sizes"] = {stage.name: asdict(stage) for stage in stages} | {"catalogue_tokens": prompts.catalogue_tokens}
    return row


def own(chosen: Settings, utterances: Sequence[tuple[str, str]], tell: Tell) -> tuple[list[list[Row]], str]:
    """For each utterance the turns that our engine took, and the catalogue of its tools as the model reads it."""
    with tempfile.TemporaryDirectory() as folder:
        own_state = chosen.model_copy(update={"state": Path(folder)})
        with build.parts(own_state, build.clock(own_state)) as parts:
            parts.console.seed(MEMORIES)
            consoles.ask(parts.console, QUESTIONS["talk"][-1])
            turns: list[list[Row]] = [[] for _ in utterances]
            for number in range(ROUNDS):
                for place, (_, line) in enumerate(utterances):
                    parts.console.new_conversation()
                    turns[place].append(consoles.ask(parts.console, line).row())
                    tell(f"ours, round {number + 1}: {turns[place][-1]['first_sentence_s']:6.2f} s  {line}")
            return turns, prompt.catalogue(parts.skills.for_model())


def reference(
    model: Model, prompts: Prompts, utterances: Sequence[tuple[str, str]], tell: Tell
) -> tuple[list[Row], list[Row]]:
    """Each utterance's stages through one slot, then through a slot per prompt that has read its head before."""
    with ExitStack() as stack:
        room = {stage.name: prompts.longest(stage) for stage in prompts.stages}
        one = stack.enter_context(closing(Slot(model, max(room.values()))))
        many = {name: stack.enter_context(closing(Slot(model, cells))) for name, cells in room.items()}

        def keep(each: Prompt) -> None:
            many[each.stage.name].adopt(one, each.static)

        single = [
            _turn(prompts.of(*utterance, turn), lambda stage: one, keep, tell, f"one slot: {utterance[1]}")
            for turn, utterance in enumerate(utterances)
        ]
        several = [
            _turn(prompts.of(*utterance, turn), many.__getitem__, _nothing, tell, f"a slot a prompt: {utterance[1]}")
            for turn, utterance in enumerate(utterances, len(utterances))
        ]
    return single, several


def _turn(
    prompts: Sequence[Prompt], slot: Callable[[str], Slot], done: Callable[[Prompt], None], tell: Tell, title: str
) -> Row:
    costs = dict[str, Cost]()
    for each in prompts:
        name = each.stage.name
        costs[name] = slot(name).call(each.tokens, each.stage.output)
        done(each)
        tell(
            f"  {name:14}{costs[name].total_s:7.1f} s  {costs[name].fresh_tokens:6} of {costs[name].prompt_tokens} read"
        )
    total_s = sum(cost.total_s for cost in costs.values())
    tell(f"{total_s:6.1f} s  {title}")
    return {"total_s": round(total_s, 3), "stages": {name: _rounded(cost) for name, cost in costs.items()}}


def _nothing(_: Prompt) -> None:
    """Done with a call, and nothing else to do."""


def _rounded(cost: Cost) -> Row:
    return asdict(cost) | {"read_s": round(cost.read_s, 3), "write_s": round(cost.write_s, 3)}


def ratios(ours: Sequence[Sequence[Row]], single: Sequence[Row], several: Sequence[Row]) -> Row:
    """Medians over the utterances, what they are made of, and how many times ours is faster."""
    own_s = results.percentile([turn["first_sentence_s"] for turns in ours for turn in turns], 0.5)
    single_s, several_s = (results.percentile([turn["total_s"] for turn in form], 0.5) for form in (single, several))
    return {
        "ours_p50_s": own_s,
        "single_slot_p50_s": single_s,
        "slot_per_prompt_p50_s": several_s,
        "ratio_single_slot": _ratio(single_s, own_s),
        "ratio_slot_per_prompt": _ratio(several_s, own_s),
        "ours": [[_own_turn(turn) for turn in turns] for turns in ours],
        "single_slot": list(single),
        "slot_per_prompt": list(several),
    }


def _own_turn(turn: Row) -> Row:
    read_s = (turn["ms"]["first_token"] or 0) / 1000
    return {
        "heard": turn["heard"],
        "lane": turn["lane"],
        "first_sentence_s": turn["first_sentence_s"],
        "read_s": read_s,
        "model": turn["model"],
    }


def _ratio(theirs_s: float | None, ours_s: float | None) -> float | None:
    return round(theirs_s / ours_s, 1) if theirs_s and ours_s else None
