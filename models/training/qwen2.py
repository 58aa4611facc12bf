"""Qwen2's layers in PyTorch on the weights of a GGUF file, behind a kept head and with an adapter; for make_lora.py.

Tensors are (out, in) as in the file, activations (batch, tokens, width), all in bfloat16.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import torch
from gguf.quants import dequantize
from torch import Tensor, nn
from torch.nn import functional as F

RANK, ALPHA = 8, 16
PLACES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


@dataclass
class Shape:
    layers: int
    heads: int
    key_heads: int
    head_size: int
    epsilon: float
    base: float


class Base:
    """The model's own weights, in bfloat16; Qwen2's layout. Tensors are (out, in)."""

    def __init__(self, path: Path) -> None:
        reader = gguf.GGUFReader(path)
        told = {key.removeprefix("qwen2."): field.contents() for key, field in reader.fields.items()}
        heads = int(told["attention.head_count"])
        self.shape = Shape(
            int(told["block_count"]),
            heads,
            int(told["attention.head_count_kv"]),
            int(told["embedding_length"]) // heads,
            float(told["attention.layer_norm_rms_epsilon"]),
            float(told["rope.freq_base"]),
        )
        wide = ((each.name, dequantize(each.data, each.tensor_type)) for each in reader.tensors)
        self.tensors = {name: torch.from_numpy(np.ascontiguousarray(data)).bfloat16() for name, data in wide}

    def __getitem__(self, name: str) -> Tensor:
        return self.tensors[name]

    @property
    def words(self) -> Tensor:
        """What hidden states are turned into logits with: the embeddings, where the file has nothing else."""
        return self.tensors.get("output.weight", self["token_embd.weight"])


class Adapter(nn.Module):
    """`scale * B A x` beside each matrix of the layers from `first` on."""

    def __init__(self, base: Base, first: int) -> None:
        super().__init__()
        self.first, self.scale = first, ALPHA / RANK
        self.a, self.b = nn.ParameterDict(), nn.ParameterDict()
        for layer in range(first, base.shape.layers):
            for place in PLACES:
                out, into = base[f"blk.{layer}.{place}.weight"].shape
                self.a[f"{layer}_{place}"] = nn.Parameter(torch.randn(RANK, into) / math.sqrt(into))
                self.b[f"{layer}_{place}"] = nn.Parameter(torch.zeros(out, RANK))

    def beside(self, layer: int, place: str, x: Tensor) -> Tensor:
        a, b = self.a[f"{layer}_{place}"], self.b[f"{layer}_{place}"]
        return F.linear(F.linear(x, a.to(x.dtype)), (b * self.scale).to(x.dtype))


class Reader:
    """Runs layers of the base over a batch behind a head whose keys and values are kept."""

    def __init__(self, base: Base) -> None:
        self.base, self.shape = base, base.shape
        half = torch.arange(0, self.shape.head_size, 2) / self.shape.head_size
        self._frequency = 1.0 / self.shape.base**half

    def embedded(self, tokens: Tensor) -> Tensor:
        return F.embedding(tokens, self.base["token_embd.weight"])

    def layer(
        self, number: int, x: Tensor, past: tuple[Tensor, Tensor] | None, adapter: Adapter | None, keep: bool = False
    ) -> tuple[Tensor, tuple[Tensor, Tensor] | None]:
        """x: (batch, tokens, width).  past: keys and values of the head, (1, key heads, tokens, head size)."""
        shape, (batch, length, _) = self.shape, x.shape
        start = past[0].shape[2] if past else 0
        normed = self._norm(x, f"blk.{number}.attn_norm.weight")
        query = self._heads(self._matrix(number, "attn_q", normed, adapter), shape.heads)
        key = self._heads(self._matrix(number, "attn_k", normed, adapter), shape.key_heads)
        value = self._heads(self._matrix(number, "attn_v", normed, adapter), shape.key_heads)
        query, key = self._turned(query, start), self._turned(key, start)
        own = (key, value) if keep else None
        if past:
            key = torch.cat([past[0].expand(batch, -1, -1, -1), key], 2)
            value = torch.cat([past[1].expand(batch, -1, -1, -1), value], 2)
        mask = torch.ones(length, start + length, dtype=torch.bool).tril(start)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, enable_gqa=True)
        x = x + self._matrix(number, "attn_output", seen.transpose(1, 2).reshape(batch, length, -1), adapter)
        normed = self._norm(x, f"blk.{number}.ffn_norm.weight")
        gate = F.silu(self._matrix(number, "ffn_gate", normed, adapter))
        inner = gate * self._matrix(number, "ffn_up", normed, adapter)
        return x + self._matrix(number, "ffn_down", inner, adapter), own

    def logits(self, x: Tensor) -> Tensor:
        return F.linear(self._norm(x, "output_norm.weight"), self.base.words).float()

    def _matrix(self, number: int, place: str, x: Tensor, adapter: Adapter | None) -> Tensor:
        name = f"blk.{number}.{place}"
        out = F.linear(x, self.base[f"{name}.weight"], self.base.tensors.get(f"{name}.bias"))
        return out + adapter.beside(number, place, x) if adapter and number >= adapter.first else out

    def _heads(self, x: Tensor, count: int) -> Tensor:
        return x.view(*x.shape[:2], count, self.shape.head_size).transpose(1, 2)

    def _turned(self, x: Tensor, start: int) -> Tensor:
        angle = torch.outer(torch.arange(start, start + x.shape[2]).float(), self._frequency)
        cos, sin = (part.repeat(1, 2).to(x.dtype) for part in (angle.cos(), angle.sin()))
        one, other = x.chunk(2, -1)
        return x * cos + torch.cat([-other, one], -1) * sin

    def _norm(self, x: Tensor, name: str) -> Tensor:
        wide = x.float()
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.shape.epsilon)
        return (wide * scale).to(x.dtype) * self.base[name]
