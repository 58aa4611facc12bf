"""What a model was taught, on the model it was taught to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.audio import never
from appliance.errors import ModelDamaged
from appliance.llm.llama import PROBE_TOKENS, LlamaCpp
from appliance.llm.snapshots import Snapshots
from appliance.models.registry import Catalog
from appliance.ports import Message, Usage
from appliance.reply import prompt
from appliance.reply.taught import FOLDER, PARTS, adapters_of
from appliance.settings import Thought

MODEL = "qwen2.5-coder-1.5b"
HEAD = prompt.head([], (), "Jarvis", small=True, taught=True)
LINE = Message("user", "[Monday 9 Mar 2026 10:15, Ghent, Belgium]\ni have been on my feet since five")
Loaded = Callable[..., LlamaCpp]


@pytest.fixture(scope="module")
def path(model: Callable[..., Path]) -> Path:
    return model(MODEL)


@pytest.fixture
def load(path: Path, tmp_path: Path) -> Iterator[Loaded]:
    made: list[LlamaCpp] = []

    def loaded(*adapters: Path) -> LlamaCpp:
        settings = Thought(context_tokens=2_048, repack=False)
        made.append(LlamaCpp(path, settings, Snapshots(tmp_path / "snapshots"), adapters))
        return made[-1]

    yield loaded
    for each in made:
        each.close()


def written(llama: LlamaCpp, *messages: Message) -> str:
    return "".join(llama.generate(messages, None, 12, Usage(), never))


def test_used_behind_the_head_and_nowhere_else(load: Loaded) -> None:
    plain, taught = load(), load(*adapters_of(MODEL))
    for llama in (plain, taught):
        llama.pin([HEAD])
    assert (taught.facts.taught, plain.facts.taught) == (True, False)
    behind = written(taught, *HEAD, LINE)
    assert behind != written(plain, *HEAD, LINE)
    assert written(taught, LINE) == written(plain, LINE)
    assert written(taught, *HEAD, LINE) == behind  # the head was read again, without it


def test_each_head_has_its_own(load: Loaded) -> None:
    talk = prompt.talk_head("Jarvis", taught=True)
    plan_only, both = load(adapters_of(MODEL)[0]), load(*adapters_of(MODEL))
    for llama in (plan_only, both):
        llama.pin([HEAD, talk])
    assert written(both, *talk, LINE) != written(plan_only, *talk, LINE)
    assert written(both, *HEAD, LINE) == written(plan_only, *HEAD, LINE)


def test_snapshot_of_a_head_serves_with_and_without(load: Loaded) -> None:
    load().pin([HEAD])
    taught, read = load(*adapters_of(MODEL)), list[int]()
    decode = taught._contexts[0].decode
    taught._contexts[0].decode = lambda tokens, *more: read.append(len(tokens)) or decode(tokens, *more)  # type: ignore
    taught.pin([HEAD])
    assert sum(read) == PROBE_TOKENS + 2


def test_damaged_one_is_told_with_a_remedy(load: Loaded, tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(64))
    with pytest.raises(ModelDamaged, match=r"thought\.taught"):
        load(broken)


def test_each_is_for_a_model_of_the_manifest(catalog: Catalog) -> None:
    assert {path.stem.removesuffix(".talk") for path in FOLDER.glob("*.gguf")} <= {row.name for row in catalog.rows()}
    assert len(adapters_of(MODEL)) == len(PARTS)
    assert not adapters_of("no-such-model")


def test_head_without_examples_is_the_system_message_alone() -> None:
    told = prompt.head([], (), "Jarvis", small=True)
    assert told[:1] == HEAD
    assert len(told) > 1
    assert prompt.talk_head("Jarvis", taught=True) == prompt.talk_head("Jarvis")[:1]
