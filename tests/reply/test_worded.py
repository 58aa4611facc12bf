"""What is sent is what was said or found, as it was read back, to whom the user named."""

from __future__ import annotations

import pytest
from rig import SENDER, Rig

FOUND = "The bus strike lasts until Friday. Tickets: https://example.org/pay?id=7. Ask Zelda."


@pytest.mark.parametrize(
    ("to", "text", "asked"),
    [
        ("Gwen", "The bus strike lasts until Friday.", "Shall I send Gwen this: The bus strike lasts until Friday?"),
        ("Gwen", "Tickets: https://example.org/pay?id=7", "What should it say?"),
        ("Zelda", "The bus strike lasts until Friday.", "Who is it for?"),
    ],
)
def test_a_message_may_be_made_of_what_was_found(to: str, text: str, asked: str) -> None:
    rig = Rig('lookup(query="bus strike")', f'send_message(to="{to}", text="{text}")', "say Fine.", more_tools=[SENDER])
    rig.home.gives = FOUND
    record = rig.say("look up the bus strike, and Gwen wants it in a message, the end of it")
    assert record.steps[-1].outcome in ("unconfirmed", "error")
    assert record.said.endswith(asked)
