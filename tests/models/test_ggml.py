"""The conversion of Whisper models: every number in its place. That they hear is tested in words/test_whisper.py."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from appliance.models import ggml

STATE, VOCABULARY = 64, 51_864


def test_each_matrix_finds_its_place(tmp_path: Path) -> None:
    source = tiny_model()
    written = read_ggml(convert(tmp_path, source))
    fused = source["decoder/layer_0/attention/linear_1/weight"]
    assert np.array_equal(written["decoder.blocks.0.cross_attn.key.weight"], fused[:STATE])
    assert np.array_equal(written["decoder.blocks.0.cross_attn.value.weight"], fused[STATE:])
    stacked = source["encoder/layer_0/self_attention/linear_0/bias"]
    assert np.array_equal(written["encoder.blocks.0.attn.query.bias"], stacked[:STATE])
    assert np.array_equal(written["encoder.blocks.0.attn.value.bias"], stacked[2 * STATE :])
    assert np.array_equal(written["decoder.ln.weight"], source["decoder/layer_norm/gamma"])
    assert not [name for name in written if name.endswith("key.bias")]


def test_every_variable_arrives(tmp_path: Path) -> None:
    source = tiny_model()
    written = read_ggml(convert(tmp_path, source))
    keys = sum(f"{name}/linear_0/weight" in source for name in attentions())
    assert sum(data.size for data in written.values()) == sum(data.size for data in source.values()) - keys * STATE


def test_vectors_and_positions_are_wide_and_matrices_narrow(tmp_path: Path) -> None:
    written = read_ggml(convert(tmp_path, tiny_model()))
    wide = {name for name, data in written.items() if data.dtype == np.float32}
    assert {"encoder.positional_embedding", "encoder.conv1.bias", "decoder.ln.bias"} <= wide
    assert written["encoder.conv1.bias"].shape == (STATE, 1)
    assert written["decoder.token_embedding.weight"].dtype == np.float16


def test_two_conversions_are_the_same_bytes(tmp_path: Path) -> None:
    assert convert(tmp_path, tiny_model()) == convert(tmp_path, tiny_model())


@pytest.mark.parametrize(
    ("damage", "why"), [(b"\x07\0\0\0", "version 7"), (b"\x06\0\0\0\x05\0Bert\0", "kind 'Bert'"), (b"\x06", "buffer")]
)
def test_another_file_is_refused(damage: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(damage + (b"\0" * 32 if len(damage) > 1 else b""))
    with pytest.raises((ValueError, struct.error), match=why):
        ggml.read_ct2(tmp_path / "model.bin")


def attentions() -> list[str]:
    return ["encoder/layer_0/self_attention", "decoder/layer_0/self_attention", "decoder/layer_0/attention"]


def tiny_model() -> dict[str, NDArray[np.float16]]:
    """A Whisper of one layer a side and 64 wide, by CTranslate2's names."""
    random = np.random.default_rng(1)

    def numbers(*shape: int) -> NDArray[np.float16]:
        return random.standard_normal(shape).astype(np.float16)

    shapes: dict[str, tuple[int, ...]] = {
        "encoder/conv1/weight": (STATE, 80, 3),
        "encoder/conv1/bias": (STATE,),
        "encoder/conv2/weight": (STATE, STATE, 3),
        "encoder/conv2/bias": (STATE,),
        "encoder/position_encodings/encodings": (1_500, STATE),
        "decoder/position_encodings/encodings": (448, STATE),
        "decoder/embeddings/weight": (VOCABULARY, STATE),
    }
    rows = {"self_attention": (3, 1), "attention": (1, 2, 1), "ffn": (4, 1)}
    for place in [*attentions(), "encoder/layer_0/ffn", "decoder/layer_0/ffn"]:
        for n, height in enumerate(rows[place.rsplit("/", 1)[1]]):
            width = 4 * STATE if "ffn" in place and n == 1 else STATE
            shapes[f"{place}/linear_{n}/weight"] = (height * STATE, width)
            shapes[f"{place}/linear_{n}/bias"] = (height * STATE,)
        shapes |= norm(f"{place}/layer_norm")
    shapes |= norm("encoder/layer_norm") | norm("decoder/layer_norm")
    return {name: numbers(*shape) for name, shape in shapes.items()}


def norm(place: str) -> dict[str, tuple[int, ...]]:
    return {f"{place}/gamma": (STATE,), f"{place}/beta": (STATE,)}


def convert(folder: Path, tensors: dict[str, NDArray[np.float16]]) -> bytes:
    """Through files, as a fetch does it."""
    text = [name.encode() + b"\0" for name in tensors]
    parts = [struct.pack("<IH", 6, 12) + b"WhisperSpec\0" + struct.pack("<2I", 3, len(tensors))]
    for name, data in zip(text, tensors.values(), strict=True):
        shape = struct.pack(f"<B{data.ndim}I", data.ndim, *data.shape)
        parts += [struct.pack("<H", len(name)), name, shape, struct.pack("<BI", 4, data.nbytes), data.tobytes()]
    (folder / "model.bin").write_bytes(b"".join(parts) + struct.pack("<I", 0))
    words = {f"w{n}": n for n in range(ggml.BYTE_TOKENS - 1)}
    added = [{"id": ggml.BYTE_TOKENS - 1, "content": "<|endoftext|>"}]
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": words}, "added_tokens": added}))
    ggml.convert(folder / "model.bin", folder / "tokenizer.json", folder / "ggml.bin")
    return (folder / "ggml.bin").read_bytes()


def read_ggml(raw: bytes) -> dict[str, NDArray[np.generic]]:
    """Name -> tensor, read as whisper.cpp reads it."""
    assert struct.unpack_from("<12i", raw) == (ggml.MAGIC, VOCABULARY, 1_500, STATE, 1, 1, 448, STATE, 1, 1, 80, 1)
    at = 12 * 4 + 8 + 80 * 201 * 4
    (count,) = struct.unpack_from("<i", raw, at)
    at += 4
    for _ in range(count):
        at += 4 + int(struct.unpack_from("<i", raw, at)[0])
    tensors: dict[str, NDArray[np.generic]] = {}
    while at < len(raw):
        dimensions, length, kind = struct.unpack_from("<3i", raw, at)
        shape = struct.unpack_from(f"<{dimensions}i", raw, at + 12)[::-1]
        at += 12 + 4 * dimensions
        data = np.frombuffer(raw, ("<f4", "<f2")[kind], int(np.prod(shape)), at + length)
        tensors[raw[at : at + length].decode()] = data.reshape(shape)
        at += length + data.nbytes
    return tensors
