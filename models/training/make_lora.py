"""Writes a LoRA adapter: what a model reads and ought to write in the lessons, learnt by its upper layers.

    pip install torch==2.13.0 gguf==0.19.0 && python -m models.training.make_lora qwen2.5-coder-0.5b.talk

It learns on the dequantised weights of the very file that the box runs, from nothing, as many steps as `RECIPES` says.
The heads are read without the adapter, there and here, so their keys and values are computed once. So is what the lower
layers make of each sequence: they are not taught, and each further epoch costs the upper ones alone. The libraries are
needed for this alone, so they are no requirement of the box or of the tests.

With --state FILE it goes on where an earlier run was ended, with the same lessons: to prepare takes as long again.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path

import gguf
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from appliance import settings_file
from appliance.models.registry import Catalog
from appliance.reply.taught import FOLDER
from models.training import lessons, tokens
from models.training.qwen2 import ALPHA, Adapter, Base, Reader

TAUGHT_SHARE = 4 / 7
"""Of the layers, the upper ones: 16 of 28. A token costs 1 to 7 % more with them adapted, 25 % with all (llama.cpp,
2 EPYC cores, 2026-11-24)."""
RATE = 4e-4
"""Highest learning rate; it rises over `WARM` of the steps and falls to nothing at their end."""
WARM = 0.04
BATCH_TOKENS = 1_200
TOLD_S = 900
"""Between two exams: one of 205 sequences takes two minutes, as long as nine steps (2 EPYC cores, 2026-11-25)."""
SAID_WEIGHT = 0.5
"""Of a word to say, which has many right ones, against 1 for what decides (tokens.py)."""


@dataclass(frozen=True)
class Recipe:
    """How an adapter is made. `strength`: by how much of it, 0 to 1, the model is changed."""

    model: str
    talk: bool
    steps: int
    strength: float = 1.0


RECIPES = {
    "qwen2.5-coder-1.5b": Recipe("qwen2.5-coder-1.5b", talk=False, steps=240),
    "qwen2.5-coder-1.5b.talk": Recipe("qwen2.5-coder-1.5b", talk=True, steps=101, strength=0.35),
    "qwen2.5-coder-0.5b": Recipe("qwen2.5-coder-0.5b", talk=False, steps=466),
    "qwen2.5-coder-0.5b.talk": Recipe("qwen2.5-coder-0.5b", talk=True, steps=132, strength=0.65),
}
"""As many steps as those that ship had learnt (models/cards/lora.md)."""


@dataclass
class Sample:
    """One of the samples; `hidden`: what the lower layers made of it, (tokens, width)."""

    head: int
    tokens: list[int]
    written: list[int]
    kept_back: bool
    hidden: Tensor | None = None


class School:
    def __init__(self, base: Base, heads: Sequence[Sequence[int]], first: int) -> None:
        self.reader, self.first = Reader(base), first
        self.adapter = Adapter(base, first)
        with torch.no_grad():
            self.pasts = [self._past(head) for head in heads]

    def _past(self, head: Sequence[int]) -> list[tuple[Tensor, Tensor]]:
        x, past = self.reader.embedded(torch.tensor([list(head)])), []
        for number in range(self.reader.shape.layers):
            x, own = self.reader.layer(number, x, None, None, keep=True)
            assert own
            past.append(own)
        return past

    @torch.no_grad()
    def prepare(self, batch: Sequence[Sample]) -> None:
        """Keep what the lower layers make of each sequence."""
        x = self.reader.embedded(padded([each.tokens for each in batch]))
        for number in range(self.first):
            x, _ = self.reader.layer(number, x, self.pasts[batch[0].head][number], None)
        for row, each in enumerate(batch):
            each.hidden = x[row, : len(each.tokens)].clone()

    def losses(self, batch: Sequence[Sample]) -> tuple[Tensor, Tensor, Tensor]:
        """Of each written token: its loss, its weight, and whether it would have been chosen."""
        tokens, kinds = padded([each.tokens for each in batch]), padded([each.written for each in batch])
        x = pad_sequence([each.hidden for each in batch if each.hidden is not None], batch_first=True)
        for number in range(self.first, self.reader.shape.layers):
            x, _ = self.reader.layer(number, x, self.pasts[batch[0].head][number], self.adapter)
        wanted = kinds[:, 1:] > 0
        logits = self.reader.logits(x[:, :-1][wanted])
        targets = tokens[:, 1:][wanted]
        weight = torch.where(kinds[:, 1:][wanted] == 1, SAID_WEIGHT, 1.0)
        return F.cross_entropy(logits, targets, reduction="none"), weight, logits.argmax(-1) == targets

    @torch.no_grad()
    def exam(self, batches: Sequence[Sequence[Sample]]) -> str:
        loss, weight, right = (torch.cat(part) for part in zip(*(self.losses(batch) for batch in batches), strict=True))
        decides = weight == 1
        return (
            f"kept back: loss {loss.mean():.3f}, of what decides {loss[decides].mean():.3f}, "
            f"chosen {right[decides].float().mean():.1%}"
        )


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """(rows, tokens of the longest), filled with 0."""
    return pad_sequence([torch.tensor(list(row)) for row in rows], batch_first=True)


def batches(sequences: Sequence[Sample]) -> list[list[Sample]]:
    """Of one head each, of neighbours in the order given."""
    made, longest = list[list[Sample]](), 0
    for each in sequences:
        longest = max(longest, len(each.tokens))
        if made and made[-1][0].head == each.head and (len(made[-1]) + 1) * longest <= BATCH_TOKENS:
            made[-1].append(each)
        else:
            made.append([each])
            longest = len(each.tokens)
    return made


def by_length(sequences: Sequence[Sample], shuffle: float = 0) -> list[Sample]:
    """shuffle: by how much of its length each may stand elsewhere."""
    return sorted(sequences, key=lambda each: (each.head, len(each.tokens) * random.uniform(1 - shuffle, 1 + shuffle)))


def endless(taught: Sequence[Sample]) -> Iterator[tuple[int, list[Sample]]]:
    """Batches and the number of their epoch, each in another order and in other company."""
    for epoch in count(1):
        made = batches(by_length(taught, 0.2))
        random.shuffle(made)
        yield from ((epoch, batch) for batch in made)


def prepare(school: School, samples: Sequence[Sample]) -> None:
    for number, batch in enumerate(prepared := batches(by_length(samples))):
        school.prepare(batch)
        if number % 20 == 0:
            print(f"prepared {number} of {len(prepared)} batches", flush=True)


class Progress:
    """How far a run has come, kept in a file. None keeps nothing."""

    def __init__(self, path: Path | None, adapter: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self._path, self._adapter, self._optimizer = path, adapter, optimizer

    def begin(self) -> int:
        """The step to go on with; the adapter and what its optimizer knows are as they were then."""
        if self._path is None or not self._path.exists():
            return 0
        kept = torch.load(self._path, weights_only=True)
        self._adapter.load_state_dict(kept["adapter"])
        self._optimizer.load_state_dict(kept["optimizer"])
        return int(kept["step"])

    def keep(self, step: int) -> None:
        """step: the next one."""
        if self._path is None:
            return
        kept = {"step": step, "adapter": self._adapter.state_dict(), "optimizer": self._optimizer.state_dict()}
        torch.save(kept, fresh := self._path.with_suffix(".new"))
        fresh.replace(self._path)


def learn(
    school: School, samples: Sequence[Sample], steps: int, save: Callable[[], None], state: Path | None = None
) -> None:
    taught, unseen = ([each for each in samples if each.kept_back == kept] for kept in (False, True))
    exam, parameters = batches(by_length(unseen)), list(school.adapter.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    told_s, recent, epoch = -math.inf, list[float](), 0
    progress = Progress(state, school.adapter, optimizer)
    for step, (epoch, batch) in islice(enumerate(endless(taught)), progress.begin(), steps):
        passed = step / steps
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(passed / WARM + 0.01, (1 - passed) / (1 - WARM))
        loss, weight, _ = school.losses(batch)
        mean = (loss * weight).sum() / weight.sum()
        optimizer.zero_grad()
        mean.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        recent = [*recent[-49:], float(mean.detach())]
        if time.monotonic() - told_s > TOLD_S:
            told_s = time.monotonic()
            lately = sum(recent) / len(recent)
            print(f"{passed:4.0%} step {step}, epoch {epoch}: loss {lately:.3f}; {school.exam(exam)}", flush=True)
            progress.keep(step + 1)
            save()
    print(f"{steps} steps, {epoch} epochs; {school.exam(exam)}")
    save()


def write(adapter: Adapter, path: Path, strength: float) -> None:
    """As llama.cpp reads it. strength: by how much of it, 0 to 1, the model is changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_type("adapter")
    writer.add_name(path.stem)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", ALPHA * strength)
    for key in adapter.a:
        layer, place = key.split("_", 1)
        for end, tensor in (("a", adapter.a[key]), ("b", adapter.b[key])):
            writer.add_tensor(f"blk.{layer}.{place}.weight.lora_{end}", tensor.detach().half().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def lessons_of(model: Path, talk: bool) -> tuple[list[list[int]], list[Sample]]:
    """The heads, and the sequences behind them: of lessons with the tools on board alone."""
    every = lessons.load(*sorted(lessons.FOLDER.glob("*.yaml")))
    known = {name: lesson for name, lesson in every.items() if not lesson.tools}
    with tempfile.TemporaryDirectory() as folder:
        made = tokens.samples(tokens.Tokens(model), known, Path(folder), talk)
    return made.heads, [Sample(**asdict(each)) for each in made.sequences]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("--steps", type=int, help="fewer, for a try; an exam still takes a minute")
    parser.add_argument("--out", type=Path, help="instead of the adapter that ships")
    parser.add_argument("--state", type=Path, help="where it is kept how far it has come, every quarter of an hour")
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    recipe = RECIPES[options.name]
    model = Catalog(settings_file.load().models).path(recipe.model)
    heads, samples = lessons_of(model, recipe.talk)
    base = Base(model)
    school = School(base, heads, base.shape.layers - round(base.shape.layers * TAUGHT_SHARE))
    read = sum(len(each.tokens) for each in samples)
    print(f"{len(samples)} sequences of {read} tokens; layers from {school.first} on are taught", flush=True)
    prepare(school, samples)
    out = options.out or FOLDER / f"{options.name}.gguf"
    save = partial(write, school.adapter, out, recipe.strength)
    learn(school, samples, options.steps or recipe.steps, save, options.state)


if __name__ == "__main__":
    main()
