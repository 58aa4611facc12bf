"""A Piper voice in two graphs: from phonemes to frames, and from frames to sound.

Most of the work is in the second, and it looks no further than some frames to either side (VITS, arXiv 2106.06103: a
HiFi-GAN): cut there, the first half second sounds while the rest is made. The file is read in protobuf's wire format
(onnx.proto), for the library that does it would cost each start a second and each box 25 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

FIRST_WEIGHT = "dec.conv_pre.weight"
"""Of the first layer that makes sound; training named it, whatever the export called its nodes."""

_GRAPH, _NODE, _INITIALIZER, _INPUT, _OUTPUT = 7, 1, 5, 11, 12
_NODE_INPUT, _NODE_OUTPUT = 1, 2
_TENSOR_NAME, _VALUE_NAME, _VALUE_TYPE, _TENSOR_TYPE, _ELEMENT = 8, 1, 2, 1, 1
_FLOAT = 1
_VARINT, _WIDE, _BYTES, _NARROW = 0, 1, 2, 5
"""Wire types."""


class _Field(NamedTuple):
    number: int
    body: memoryview
    """What it holds, where its wire type is bytes."""
    whole: memoryview
    """With its tag."""


class _Node(NamedTuple):
    inputs: list[str]
    outputs: list[str]
    whole: memoryview
    """As it stands in the file."""


def parted(model: bytes) -> tuple[bytes, bytes]:
    """`model`, an ONNX file, as two: what the first gives, the second takes, under the same names, the frames first.

    Raises ValueError where it is no Piper voice.
    """
    fields = list(_fields(memoryview(model)))
    graph = [field for outer in fields if outer.number == _GRAPH for field in _fields(outer.body)]
    nodes = [_node(field) for field in graph if field.number == _NODE]
    weights = {_name(field, _TENSOR_NAME): field for field in graph if field.number == _INITIALIZER}
    frames = _frames(nodes)
    sound = _behind(nodes, frames)
    later = {name for node in sound for name in node.outputs}
    text = [node for node in nodes if later.isdisjoint(node.outputs)]
    open_ends = {name for node in sound for name in node.inputs if name} - later
    constants = [node for node in text if not node.inputs and not open_ends.isdisjoint(node.outputs)]
    crossing = open_ends - weights.keys() - {name for node in constants for name in node.outputs}
    between = [_value(name) for name in (frames, *sorted(crossing - {frames}))]
    inputs, outputs = ([field.body for field in graph if field.number == kind] for kind in (_INPUT, _OUTPUT))
    outer = [field.whole for field in fields if field.number != _GRAPH]
    return (
        _model(outer, text, weights, inputs, between),
        _model(outer, [*constants, *sound], weights, between, outputs[:1]),
    )


def _frames(nodes: list[_Node]) -> str:
    """The name of what the first layer that makes sound is given."""
    for node in nodes:
        if FIRST_WEIGHT in node.inputs:
            return node.inputs[0]
    raise ValueError("it is no voice of Piper's: it has no layer that makes sound of frames")


def _behind(nodes: list[_Node], first: str) -> list[_Node]:
    """Those that need `first`, or what is made of it; the file holds them in the order in which they can be run."""
    made, found = {first}, []
    for node in nodes:
        if not made.isdisjoint(node.inputs):
            made.update(node.outputs)
            found.append(node)
    return found


def _model(
    outer: list[memoryview],
    nodes: list[_Node],
    weights: dict[str, _Field],
    inputs: list[memoryview],
    outputs: list[memoryview],
) -> bytes:
    """All in one copy: it is some 60 MB."""
    needed = {name for node in nodes for name in node.inputs}
    graph = [node.whole for node in nodes]
    graph += [field.whole for name, field in weights.items() if name in needed]
    graph += [memoryview(_bytes(_INPUT, value)) for value in inputs]
    graph += [memoryview(_bytes(_OUTPUT, value)) for value in outputs]
    return b"".join([*outer, _head(_GRAPH, sum(len(part) for part in graph)), *graph])


def _value(name: str) -> memoryview:
    """A float tensor of any shape."""
    element = _varint(_ELEMENT << 3 | _VARINT) + _varint(_FLOAT)
    kind = _bytes(_TENSOR_TYPE, element)
    return memoryview(_bytes(_VALUE_NAME, name.encode()) + _bytes(_VALUE_TYPE, kind))


def _node(field: _Field) -> _Node:
    names: dict[int, list[str]] = {_NODE_INPUT: [], _NODE_OUTPUT: []}
    for inner in _fields(field.body):
        if inner.number in names:
            names[inner.number].append(bytes(inner.body).decode())
    return _Node(names[_NODE_INPUT], names[_NODE_OUTPUT], field.whole)


def _name(field: _Field, number: int) -> str:
    return next(bytes(inner.body).decode() for inner in _fields(field.body) if inner.number == number)


def _fields(data: memoryview) -> Iterator[_Field]:
    at = 0
    while at < len(data):
        start = at
        tag, at = _read_varint(data, at)
        number, wire = tag >> 3, tag & 7
        length = 0
        if wire == _BYTES:
            length, at = _read_varint(data, at)
        elif wire == _VARINT:
            _, at = _read_varint(data, at)
        elif wire in (_WIDE, _NARROW):
            at += 8 if wire == _WIDE else 4
        else:
            raise ValueError(f"it is no ONNX file: wire type {wire}")
        if at + length > len(data):
            raise ValueError("it is no whole ONNX file")
        yield _Field(number, data[at : at + length], data[start : at + length])
        at += length


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """The number at `at`, and where it ends."""
    value = shift = 0
    while at < len(data):
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("it is no whole ONNX file")


def _bytes(number: int, body: bytes | memoryview) -> bytes:
    return b"".join((_head(number, len(body)), body))


def _head(number: int, length: int) -> bytes:
    """What stands before a field of bytes."""
    return _varint(number << 3 | _BYTES) + _varint(length)


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])
