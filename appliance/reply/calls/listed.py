"""What is to go on a list, all of it: a small model keeps "eggs" of six eggs, and "onions" of onions and carrots."""

from __future__ import annotations

import re
from itertools import takewhile

from appliance.reply.plan import Call
from appliance.reply.understanding.relevance import shared, telling, words
from appliance.reply.understanding.signs import Signs
from appliance.reply.understanding.tool_signs import ADDER

ITEM = "item"
"""The parameter of a tool that puts something on a list."""
LIST = "list"
BEGUN = 2
"""Letters that a word which was misheard shares with the one that was said: leaks, leeks."""
MOST_WORDS = 5
"""Of one more thing; what is longer is a clause."""


def whole(item: str, list_name: str, signs: Signs) -> str:
    """`item` with how much of it was said, and with what was named together with it; `signs` are of the line.

    list_name: that of the list it goes on, or empty.
    """
    found = re.search(rf"\b{re.escape(item)}\b", signs.digits, re.IGNORECASE)
    if not found:
        return item
    before, behind = signs.digits[: found.start()], signs.digits[found.end() :]
    amount = signs.words.amounts.search(before)
    return f"{amount[0] if amount else ''}{found[0]}{_more(behind, list_name, signs)}"


def named_or_open(call: Call, said: str) -> Call:
    """Without an item for a list of which no word was said.  said: all that may have named it."""
    begun, item = {word[:BEGUN] for word in words(said)}, telling(str(call.arguments.get(ITEM, "")))
    return call.without({ITEM}) if item and not any(word[:BEGUN] in begun for word in item) else call


def along(call: Call, earlier: Call) -> bool:
    """Whether `earlier` has put on the same list what `call` would: it took along what was named with it."""
    if call.tool != earlier.tool or call.tool != ADDER or call.arguments.get(LIST) != earlier.arguments.get(LIST):
        return False
    item, items = (str(each.arguments.get(ITEM, "")) for each in (call, earlier))
    return bool(item) and item != items and re.search(rf"\b{re.escape(item)}\b", items, re.IGNORECASE) is not None


def _more(behind: str, list_name: str, signs: Signs) -> str:
    """The other things: up to where the list is named, or something else begins."""
    forms = signs.words
    end = forms.listed.search(behind)
    rest = behind[: end.start() if end else len(behind)].rstrip(" ,.;!?")
    rest = re.sub(rf"[ ,]+{forms.adding.pattern}$", "", rest)  # what it joined was no thing
    first, *others = re.split(rf"(,? {forms.adding.pattern} |, )", rest)
    things = [*zip(others[::2], others[1::2], strict=True)] if not first else []
    own = [*takewhile(lambda each: _thing(each[1], list_name, signs), things)]
    if len(own) == 1 < len(things) and own[0][0] == things[1][0] == ", " and forms.begins_request(things[1][1]):
        return ""  # "linseed oil, clever clogs, get it down"
    return "".join(f"{joint}{thing}" for joint, thing in own)


def _thing(text: str, list_name: str, signs: Signs) -> bool:
    """Whether it can be one more thing, and is no order, no clause and not the list itself."""
    forms = signs.words
    clause = forms.begins_request(text) or forms.subjects.match(text) or len(text.split()) > MOST_WORDS
    it_itself = shared(text, list_name) and forms.list_words.search(text)
    return any(map(str.isalnum, text)) and not clause and not it_itself
