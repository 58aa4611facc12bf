"""A Whisper model from CTranslate2's file layout to the one whisper.cpp reads. Same numbers, another order.

Both layouts are as docs/design/facts.md describes them; the result is the same, byte for byte, on every machine.
"""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from appliance.audio import FFT_BINS, MELS, mel_filters

Tensors = dict[str, NDArray[np.generic]]

MAGIC = 0x67676D6C
AUDIO_POSITIONS = 1_500
TEXT_POSITIONS = 448
BYTE_TOKENS = 50_257
"""Tokens written out as bytes; whisper.cpp names the special ones behind them itself."""
CT2_TYPES = ("<f4", "i1", "<i2", "<i4", "<f2")
"""By CTranslate2's type number."""
F32, F16 = 0, 1
"""ggml's type numbers."""


def convert(model: Path, tokenizer: Path, out: Path) -> None:
    """Write `out` from CTranslate2's `model` (float16) and the Hugging Face `tokenizer` beside it.

    Raises ValueError, KeyError or struct.error where they are not what they should be.
    """
    tensors = read_ct2(model)
    vocabulary, state = tensors["decoder/embeddings/weight"].shape
    encoders, decoders = _count(tensors, "encoder"), _count(tensors, "decoder")
    heads = state // 64  # Whisper's heads are 64 wide in every size
    audio, text = (AUDIO_POSITIONS, state, heads, encoders), (TEXT_POSITIONS, state, heads, decoders)
    with out.open("wb") as file:
        file.write(struct.pack("<12i", MAGIC, vocabulary, *audio, *text, MELS, F16))
        file.write(struct.pack("<2i", MELS, FFT_BINS) + mel_filters().astype("<f4").tobytes())
        _write_tokens(file, tokenizer)
        for name, data in _in_ggml_order(tensors, encoders, decoders):
            _write_tensor(file, name, data)


def read_ct2(path: Path) -> Tensors:
    """The variables of a CTranslate2 model, version 6, as views into the file."""
    with path.open("rb") as file:
        raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    at = 0

    def number(form: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from(f"<{form}", raw, at)
        at += struct.calcsize(form)
        return int(value)

    def text() -> str:
        nonlocal at
        length = number("H")
        at += length
        return raw[at - length : at - 1].decode()

    version, spec, _revision = number("I"), text(), number("I")
    if (version, spec) != (6, "WhisperSpec"):
        raise ValueError(f"a CTranslate2 file of version {version} and kind {spec!r}")
    tensors: Tensors = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        kind, length = CT2_TYPES[number("B")], number("I")
        tensors[name] = np.frombuffer(raw, np.uint8, length, at).view(kind).reshape(shape)
        at += length
    return tensors


def _write_tokens(file: BinaryIO, tokenizer: Path) -> None:
    model = json.loads(tokenizer.read_text(encoding="utf-8"))
    numbered = {number: word for word, number in model["model"]["vocab"].items()}
    numbered |= {token["id"]: token["content"] for token in model["added_tokens"]}
    alphabet = _byte_alphabet()
    file.write(struct.pack("<i", BYTE_TOKENS))
    for number in range(BYTE_TOKENS):
        word = bytes(alphabet[letter] for letter in numbered[number])
        file.write(struct.pack("<i", len(word)) + word)


def _byte_alphabet() -> dict[str, int]:
    """Letter -> byte of GPT-2's byte-level BPE: printable bytes stand for themselves, the rest for U+0100 on."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + n): byte for n, byte in enumerate(rest)}


def _write_tensor(file: BinaryIO, name: str, data: NDArray[np.generic]) -> None:
    wide = data.ndim < 2 or name.endswith((".positional_embedding", ".bias"))
    header = (data.ndim, len(name), F32 if wide else F16, *reversed(data.shape))
    file.write(struct.pack(f"<{len(header)}i", *header) + name.encode())
    file.write(data.astype("<f4" if wide else "<f2").tobytes())


def _count(tensors: Tensors, side: str) -> int:
    """Layers of the encoder or the decoder."""
    return sum(f"{side}/layer_{n}/ffn/linear_0/weight" in tensors for n in range(len(tensors)))


def _in_ggml_order(tensors: Tensors, encoders: int, decoders: int) -> Iterator[tuple[str, NDArray[np.generic]]]:
    """Name and data of each tensor, in the order of the original model's modules."""
    yield "encoder.positional_embedding", tensors["encoder/position_encodings/encodings"]
    for conv in ("conv1", "conv2"):
        yield f"encoder.{conv}.weight", tensors[f"encoder/{conv}/weight"]
        yield f"encoder.{conv}.bias", tensors[f"encoder/{conv}/bias"].reshape(-1, 1)
    for n in range(encoders):
        yield from _block(tensors, f"encoder/layer_{n}", f"encoder.blocks.{n}")
    yield from _norm(tensors, "encoder/layer_norm", "encoder.ln_post")
    yield "decoder.positional_embedding", tensors["decoder/position_encodings/encodings"]
    yield "decoder.token_embedding.weight", tensors["decoder/embeddings/weight"]
    for n in range(decoders):
        yield from _block(tensors, f"decoder/layer_{n}", f"decoder.blocks.{n}")
    yield from _norm(tensors, "decoder/layer_norm", "decoder.ln")


def _block(tensors: Tensors, source: str, target: str) -> Iterator[tuple[str, NDArray[np.generic]]]:
    yield from _attention(tensors, f"{source}/self_attention", f"{target}.attn")
    if f"{source}/attention/linear_0/weight" in tensors:
        yield from _attention(tensors, f"{source}/attention", f"{target}.cross_attn")
    for ct2, ggml in (("linear_0", "0"), ("linear_1", "2")):
        yield f"{target}.mlp.{ggml}.weight", tensors[f"{source}/ffn/{ct2}/weight"]
        yield f"{target}.mlp.{ggml}.bias", tensors[f"{source}/ffn/{ct2}/bias"]
    yield from _norm(tensors, f"{source}/ffn/layer_norm", f"{target}.mlp_ln")


def _attention(tensors: Tensors, source: str, target: str) -> Iterator[tuple[str, NDArray[np.generic]]]:
    """CTranslate2 stacks query, key and value into as few matrices as it can; ggml keeps them apart."""
    layers = [n for n in range(3) if f"{source}/linear_{n}/weight" in tensors]
    weights = np.concatenate([tensors[f"{source}/linear_{n}/weight"] for n in layers])
    biases = np.concatenate([tensors[f"{source}/linear_{n}/bias"] for n in layers])
    parts = zip(("query", "key", "value", "out"), np.split(weights, 4), np.split(biases, 4), strict=True)
    for name, weight, bias in parts:
        yield f"{target}.{name}.weight", weight
        if name != "key":  # Whisper's keys have no bias
            yield f"{target}.{name}.bias", bias
    yield from _norm(tensors, f"{source}/layer_norm", f"{target}_ln")


def _norm(tensors: Tensors, source: str, target: str) -> Iterator[tuple[str, NDArray[np.generic]]]:
    yield f"{target}.weight", tensors[f"{source}/gamma"]
    yield f"{target}.bias", tensors[f"{source}/beta"]
