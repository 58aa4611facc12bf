"""How many things are on a list that was read."""

from __future__ import annotations

import pytest

from appliance.reply.plan import Call
from appliance.reply.results.listing import counted
from appliance.reply.understanding.signs import SignReader

WORDS = SignReader("en").read("").words
READ = Call("read_list", {"list": "garden"})


@pytest.mark.parametrize(
    ("line", "result", "note"),
    [
        ("how many things are on the garden list", "Garden list: peat, twine, two rakes, a hose.", "4"),
        ("how many are on it", "Peat, twine, and a hose", "3"),
        ("count what's on there", "On it:\npeat\ntwine\nhose", "3"),
        ("how many are on it", "Garden list: peat, fish and chips.", ""),
        ("how many are on it", "Salt and pepper, peat, twine", ""),
        ("how many are on it", "Peat (2 sacks, fine), twine.", ""),
        ("how many are on it", "Garden: peat, twine. Shop: bread, rolls.", ""),
        ("how many things are on the list that start with b", "Milk, eggs, bread", ""),
        ("how many on the list are for mum", "Milk, eggs, bread", ""),
        ("how many eggs are on it", "Milk, eggs, bread", ""),
        ("can i count on the list", "Milk, eggs, bread", ""),
        ("what is on it", "Garden list: peat, twine, a hose.", ""),
        ("how many are on it", "Nothing was found.", ""),
    ],
)
def test_things_are_counted(line: str, result: str, note: str) -> None:
    assert counted(line, [READ], [result], WORDS) == (f"[that is {note} in all]" if note else "")


def test_only_a_list_is() -> None:
    looked_up = Call("lookup", {"query": "Ulm"})
    assert counted("how many are there", [READ], ["Peat, twine, a hose"], WORDS)
    assert counted("how many are there", [looked_up], ["Peat, twine, a hose"], WORDS) == ""
