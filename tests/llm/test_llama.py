"""llama.cpp for real, on the smallest model of the manifest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from appliance.audio import Stale, never
from appliance.errors import Cancelled, ModelDamaged, PromptTooLong, WrongUse
from appliance.llm.decode import Writing
from appliance.llm.llama import PROBE_TOKENS, LlamaCpp
from appliance.llm.snapshots import KEPT, Snapshots
from appliance.ports import Message, Usage
from appliance.reply.grammar import compile_grammar
from appliance.reply.plan import Call, Words, read
from appliance.reply.sentence import SentenceGrammar
from appliance.settings import Thought
from appliance.skills.arithmetic.calculate import Calculator
from appliance.skills.schema import tool

HEAD = [
    Message("system", "You are a kind assistant in a box. " + "Answer briefly and plainly, and never lie. " * 20),
    Message("user", "hello"),
    Message("assistant", "Hello there."),
]
QUESTION = Message("user", "What is the capital of France?")


@pytest.fixture(scope="module")
def path(model: Callable[..., Path]) -> Path:
    return model("smollm2-135m")


@pytest.fixture
def load(path: Path, tmp_path: Path) -> Iterator[Callable[[], LlamaCpp]]:
    made: list[LlamaCpp] = []

    def loaded() -> LlamaCpp:
        made.append(LlamaCpp(path, Thought(context_tokens=1024, batch_tokens=64), Snapshots(tmp_path / "snapshots")))
        return made[-1]

    yield loaded
    for each in made:
        each.close()


def written(llama: LlamaCpp, *messages: Message, usage: Usage | None = None) -> str:
    return "".join(llama.generate([*HEAD, *messages], None, 24, usage or Usage(), never))


def batches_of(llama: LlamaCpp) -> list[int]:
    """How many tokens each batch holds that is evaluated from now on."""
    decode, read = llama._contexts[0].decode, list[int]()

    def counted(tokens: list[int], stale: Stale, outputs: int = 1) -> None:
        read.append(len(tokens))
        decode(tokens, stale, outputs)

    llama._contexts[0].decode = counted  # type: ignore[method-assign]
    return read


def test_snapshot_changes_no_word_and_saves_the_reading(load: Callable[[], LlamaCpp], tmp_path: Path) -> None:
    plain = written(load(), QUESTION)
    first = load()
    first.pin([HEAD])
    assert len(list((tmp_path / "snapshots").glob("*.kv"))) == 1
    second, usage = load(), Usage()
    read = batches_of(second)
    second.pin([HEAD])
    assert sum(read) == PROBE_TOKENS + 2  # to measure the board; nothing of the head
    assert written(second, QUESTION, usage=usage) == written(first, QUESTION) == plain
    assert usage.fresh_tokens < 30 < usage.prompt_tokens


def test_damaged_snapshot_is_thrown_away(load: Callable[[], LlamaCpp], tmp_path: Path) -> None:
    first = load()
    first.pin([HEAD])
    (snapshot,) = (tmp_path / "snapshots").glob("*.kv")
    data = bytearray(snapshot.read_bytes())
    data[len(data) // 2] ^= 1
    snapshot.write_bytes(data)
    second = load()
    second.pin([HEAD])
    assert written(second, QUESTION) == written(first, QUESTION)


def test_old_snapshots_are_removed(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path)
    for number in range(KEPT + 3):
        snapshots.keep(f"key{number}", lambda draft: bool(draft.write_bytes(b"state")))
    assert len(list(tmp_path.iterdir())) == KEPT


def test_second_turn_reads_only_what_is_new(load: Callable[[], LlamaCpp]) -> None:
    llama = load()
    answer = written(llama, QUESTION)
    usage = Usage()
    written(llama, QUESTION, Message("assistant", answer), Message("user", "And of Spain?"), usage=usage)
    assert usage.fresh_tokens < 40
    assert usage.prompt_tokens > 200


def test_what_is_read_ahead_need_not_be_read_again(load: Callable[[], LlamaCpp]) -> None:
    llama, usage = load(), Usage()
    llama.expect([*HEAD, Message("user", "[Mon 4 May]\na")], [*HEAD, Message("user", "[Mon 4 May]\n0")], never)
    answer = written(llama, Message("user", "[Mon 4 May]\nWhat is the capital of France?"), usage=usage)
    assert usage.fresh_tokens < 20
    assert answer == written(load(), Message("user", "[Mon 4 May]\nWhat is the capital of France?"))


def test_stop_is_obeyed_within_reading_and_nothing_is_spoilt(load: Callable[[], LlamaCpp]) -> None:
    llama, long = load(), Message("user", "word " * 700)
    stop_s = time.monotonic() + 0.3
    with pytest.raises(Cancelled):
        list(llama.generate([*HEAD, long], None, 8, Usage(), lambda: time.monotonic() > stop_s))
    assert time.monotonic() - stop_s < 0.5
    assert written(llama, QUESTION) == written(load(), QUESTION)


def test_stop_is_obeyed_within_the_reading_of_a_short_line(load: Callable[[], LlamaCpp]) -> None:
    llama, usage, looks = load(), Usage(), count()
    before = written(llama, QUESTION)
    with pytest.raises(Cancelled):
        list(llama.generate([*HEAD, Message("user", "And of Spain?")], None, 8, usage, lambda: next(looks) > 0))
    assert usage.generated_tokens == 0
    assert written(llama, QUESTION) == before


def test_prompt_beyond_the_context_is_refused(load: Callable[[], LlamaCpp]) -> None:
    with pytest.raises(PromptTooLong):
        list(load().generate([*HEAD, Message("user", "word " * 1_200)], None, 8, Usage(), never))


@pytest.mark.parametrize(("words", "fits"), [(300, True), (800, False)])
def test_reading_ahead_leaves_room_for_the_line(load: Callable[[], LlamaCpp], words: int, fits: bool) -> None:
    llama, held = load(), [*HEAD, Message("user", "word " * words)]
    with nullcontext() if fits else pytest.raises(PromptTooLong):
        llama.expect([*held, Message("user", "a")], [*held, Message("user", "0")], never)


def test_head_that_leaves_no_room_for_a_turn_is_refused_at_the_start(load: Callable[[], LlamaCpp]) -> None:
    with pytest.raises(WrongUse, match="fewer tools"):
        load().pin([[Message("system", "Answer briefly. " * 200)]])


def test_file_that_is_no_model_is_one_error(tmp_path: Path) -> None:
    broken = tmp_path / "model.gguf"
    broken.write_bytes(b"not a model at all")
    with pytest.raises(ModelDamaged, match="models verify"):
        LlamaCpp(broken, Thought(), Snapshots(tmp_path))


def test_model_can_only_write_plans(load: Callable[[], LlamaCpp]) -> None:
    """Even 135 million parameters that have no idea what a tool is."""
    llama, grammar = load(), compile_grammar([tool(Calculator().calculate, "read")], 5)
    for text in ("what is six times seven", "hello", "calculate", "say nothing"):
        parts = list(read(llama.generate([*HEAD, Message("user", text)], grammar, 40, Usage(), never)))
        assert parts
        assert all(isinstance(part, Words) or (isinstance(part, Call) and part.tool == "calculate") for part in parts)


def test_what_the_model_says_of_itself_is_read_from_its_file(load: Callable[[], LlamaCpp]) -> None:
    facts = load().facts
    assert facts.parameters == pytest.approx(135e6, rel=0.2)
    assert facts.context_tokens == 8_192
    assert facts.small
    assert not facts.tools


def test_board_is_measured_when_the_head_is_pinned(load: Callable[[], LlamaCpp]) -> None:
    llama = load()
    before = written(llama, QUESTION)
    llama.pin([HEAD])
    assert llama.rates.prefill_tps > llama.rates.decode_tps > 1
    assert written(llama, QUESTION) == before


def test_trying_the_likeliest_first_chooses_what_the_whole_mask_would(load: Callable[[], LlamaCpp]) -> None:
    llama, grammar = load(), compile_grammar([tool(Calculator().calculate, "read")], 5)
    random = np.random.default_rng(0)
    for _ in range(5):
        guard = llama._grammars.guard(grammar.gbnf)
        logits = random.normal(size=llama._contexts[0]._vocab_size).astype(np.float32)
        allowed = guard._allowed(range(llama._contexts[0]._vocab_size))
        assert guard.best(logits) == max(allowed, key=lambda token: logits[token])
        guard.close()


def test_model_may_be_closed_while_another_thread_uses_it(load: Callable[[], LlamaCpp]) -> None:
    llama, ended = load(), list[BaseException]()

    def read_on() -> None:
        try:
            while True:
                list(llama.generate([*HEAD, QUESTION], None, 8, Usage(), never))
        except Cancelled as cancelled:
            ended.append(cancelled)

    reader = Thread(target=read_on)
    reader.start()
    time.sleep(0.2)
    llama.close()
    reader.join(timeout=10)
    assert len(ended) == 1


def test_what_is_barred_is_not_said(load: Callable[[], LlamaCpp]) -> None:
    """Whatever the model said first is barred, and it finds something else."""
    llama = load()
    llama.pin([HEAD])

    def said(unsaid: list[str]) -> str:
        grammar = compile_grammar([], 1, unsaid=unsaid)
        return "".join(llama.generate([*HEAD, QUESTION], grammar, 12, Usage(), never))

    first = said([])
    barred = " ".join(first.casefold().split()[1:3])
    assert barred not in said([barred]).casefold()
    assert said([]) == first


def test_the_only_call_is_begun_with_the_prompt(load: Callable[[], LlamaCpp]) -> None:
    """The same is written, and the model is asked for less of it."""
    llama = load()
    llama.pin([HEAD])
    line = [*HEAD, Message("user", "What is 6 times 7?")]

    def written(speech: bool) -> tuple[str, int]:
        usage, grammar = Usage(), compile_grammar([tool(Calculator().calculate, "read")], 1, speech=speech)
        text = "".join(llama.generate(line, grammar, 40, usage, never))
        return text, usage.generated_tokens

    text, tokens = written(speech=False)
    assert text.startswith('calculate(expression="')
    free, more = written(speech=True)
    assert free != text or tokens < more


@pytest.mark.parametrize(("right", "wrong", "saved"), [(0, 0, 0), (3, 0, 3), (2, 2, 2), (0, 3, 0)])
def test_guess_changes_no_word_and_saves_as_many_passes_as_it_is_right(
    load: Callable[[], LlamaCpp], monkeypatch: pytest.MonkeyPatch, right: int, wrong: int, saved: int
) -> None:
    llama, usage = load(), Usage()
    llama.expect([*HEAD, QUESTION], [*HEAD, QUESTION], never)
    batches = batches_of(llama)
    plain, passes = written(llama, QUESTION), len(batches)
    held, chosen = list(llama._contexts[0].held), llama._contexts[0].held[1 - passes :]
    batches.clear()
    guesses = iter([[*chosen[:right], *[11, 12, 13][:wrong]]])
    monkeypatch.setattr(Writing, "guess", lambda self: next(guesses, []))
    assert written(llama, QUESTION, usage=usage) == plain
    assert (len(batches), usage.fresh_tokens) == (passes - saved, 1)
    assert batches[0] == 1 + right + wrong
    assert llama._contexts[0].held == held


def test_guess_may_be_made_at_any_token(load: Callable[[], LlamaCpp], monkeypatch: pytest.MonkeyPatch) -> None:
    llama = load()
    llama.expect([*HEAD, QUESTION], [*HEAD, QUESTION], never)
    batches = batches_of(llama)
    plain, passes = written(llama, QUESTION), len(batches)
    held, chosen = list(llama._contexts[0].held), llama._contexts[0].held[1 - passes :]
    assert len(chosen) > 6
    batches.clear()
    guesses = iter([[11], [], [], chosen[3:5], [12, 13]])
    monkeypatch.setattr(Writing, "guess", lambda self: next(guesses, []))
    assert written(llama, QUESTION) == plain
    assert batches[:6] == [2, 1, 1, 3, 3, 1]
    assert len(batches) == passes - 2
    assert llama._contexts[0].held == held


def test_no_guess_is_read_by_a_model_whose_memory_cannot_be_cut(
    load: Callable[[], LlamaCpp], monkeypatch: pytest.MonkeyPatch
) -> None:
    llama = load()
    written(llama, QUESTION)
    monkeypatch.setattr(Writing, "guess", lambda self: [1, 2])
    llama._cuts, batches = False, batches_of(llama)
    written(llama, QUESTION)
    assert set(batches) == {1}


def test_two_heads_are_kept_beside_each_other(load: Callable[[], LlamaCpp]) -> None:
    """What follows one of them takes nothing from the other, and no word changes."""
    other = [Message("system", "You talk. " * 30), Message("user", "hello"), Message("assistant", "Hello.")]
    alone, both = load(), load()
    both.pin([HEAD, other])
    plain = "".join(alone.generate([*other, QUESTION], None, 12, Usage(), never))
    for _ in range(2):
        of_one, of_other = Usage(), Usage()
        assert written(both, QUESTION, usage=of_one) == written(alone, QUESTION)
        assert "".join(both.generate([*other, QUESTION], None, 12, of_other, never)) == plain
        assert max(of_one.fresh_tokens, of_other.fresh_tokens) < 30


def test_one_sentence_is_written_and_weighed(load: Callable[[], LlamaCpp]) -> None:
    llama, usage, long = load(), Usage(), Usage()
    said = "".join(llama.generate([*HEAD, QUESTION], SentenceGrammar(), 60, usage, never))
    assert said.count(".") == 1
    assert said == written(llama, QUESTION)[: len(said)]
    assert usage.doubt is not None
    assert usage.doubt > 0
    written(llama, QUESTION, usage=long)
    assert long.doubt is None


def test_doubt_is_that_of_the_two_least_likely_tokens() -> None:
    """A token that was said before is chosen more rarely, and is no less sure once it is."""
    writing = Writing(SentenceGrammar(), None, lambda text: [], lambda token: b"abc"[token : token + 1])
    for shares in ((0.9, 0.05, 0.05), (0.25, 0.5, 0.25), (0.5, 0.25, 0.25)):
        token = writing.choose(np.log(np.array(shares, np.float32)))
        writing.take(token)
    assert writing.doubt == pytest.approx((-np.log(0.5) - np.log(0.5)) / 2, abs=1e-5)
