"""Tool calls in pieces, as servers really send them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from lan_server import END, HELLO, TIMER, Server, delta, events, lan, piece

from appliance.audio import never
from appliance.ports import Usage
from appliance.reply.plan import Answer, Call


def conversed(*parts: object) -> Answer:
    return lan(Server(httpx.Response(200, text=events(*parts, END)))).converse(HELLO, [TIMER], 64, Usage(), never)


def test_call_in_pieces_is_put_together() -> None:
    answer = conversed(
        delta(role="assistant", content=None),
        delta(content="One moment."),
        piece("", index=0, id="a", name="set_timer"),
        piece('{"min', index=0),
        piece('utes": 5}', index=0),
    )
    assert answer == Answer("One moment.", (Call("set_timer", {"minutes": 5}),))


TWO = (Call("set_timer", {"minutes": 5}), Call("stop", {}))


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [
                piece("", index=0, id="a", name="set_timer"),
                piece('{"minutes":5}', index=0),
                piece("{}", index=1, id="b", name="stop"),
            ],
            id="as OpenAI does",
        ),
        pytest.param(
            [piece('{"minutes":5}', index=0, id="a", name="set_timer"), piece("{}", index=0, id="b", name="stop")],
            id="all numbered 0, as Ollama does",
        ),
        pytest.param([piece('{"minutes":5}', name="set_timer"), piece("{}", name="stop")], id="neither number nor id"),
        pytest.param(
            [
                piece('{"min', index=0, id="a", name="set_timer"),
                piece('utes":5}', index=0, id="a", name="set_timer"),
                piece("{}", index=1, id="b", name="stop"),
            ],
            id="name in each piece, as llama_cpp.server does",
        ),
        pytest.param(
            [piece({"minutes": 5}, index=0, name="set_timer"), piece(None, index=1, name="stop")], id="objects"
        ),
    ],
)
def test_two_calls_are_told_apart_however_servers_number_them(pieces: list[dict[str, Any]]) -> None:
    assert conversed(*pieces).calls == TWO


@pytest.mark.parametrize("arguments", ['{"minutes": ', "five", "[5]", '"5"', "null", "[" * 100_000])
def test_call_with_broken_arguments_is_no_call_without_any(arguments: str) -> None:
    answer = conversed(piece(arguments, index=0, name="set_timer"), piece("{}", index=1, name="stop"))
    assert answer == Answer("", (Call("stop"),), ("set_timer",))
