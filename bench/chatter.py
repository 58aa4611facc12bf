"""What people say at home when they do not mean the appliance: the same plain sentences each time."""

from __future__ import annotations

import random
from collections.abc import Iterator

_TEMPLATES = (
    "{who} {did} {thing} {when}.",
    "Have you seen {thing}? {who} left it {where} {when}.",
    "I told {who} that {thing} belongs {where}.",
    "Could you put {thing} {where} before {who} comes home?",
    "We should talk to {who} about {thing}, it cannot stay {where}.",
    "Do you remember, {name}, that {who} {did} {thing}?",
    "No, {name}, the {what} is not {where}, I looked {when}.",
    "The {what} was {how} {when}, so {who} stayed {where}.",
    "Yes, I think the {what} is {how}, but {name} does not agree.",
    "It was {how} {when}, and nobody heard the {what} {where}.",
    "{name} asked whether {who} {did} the {what}.",
    "Check the {what}, please, and leave {thing} {where}.",
    "When {who} {did} {thing}, {name} was already {where}.",
    "That is {how}! Who on earth {did} {thing} {where}?",
    "Good morning, {name}, the {what} is {how} today.",
    "She said we should just join them {where}, the {what} is {how}.",
)
_WORDS = {
    "who": "my sister|your uncle|the neighbour|Grandma|the plumber|our teacher|my boss|the doctor|"
    "his cousin|Mrs Wilson",
    "did": "painted|forgot|carried off|repaired|borrowed|photographed|sold|finished|dropped|admired",
    "thing": "the blue cup|a kitchen chair|the old radio|my jacket|the green carpet|a bottle of milk|the car keys|"
    "your homework|the shopping list|a box of biscuits|the newspaper|that jumper",
    "when": "last Thursday|this morning|yesterday|in January|before breakfast|after the match|"
    "on the way to work|while it rained|at half past nine|during the concert",
    "where": "in the garage|behind the sofa|at the market|next to the fireplace|on the balcony|under the stairs|"
    "at the station|in the cellar|by the river|at the office",
    "what": "parcel|heating|garden|kettle|piano|film|weather|traffic|dinner|dishwasher|car|concert",
    "how": "terribly loud|a bit strange|quite nice|hardly worth it|ready at last|very large|far too dark",
    "name": "David|Susan|Peter|Emma|Jennifer|Martha|Oliver|Daniel|Alice|George",
}

NEAR_MISSES = (
    "Hey, just join us at the office.",
    "Hey Charlie, come over here.",
    "Hey Travis, did you lock the door?",
    "Hey Marvin, look at that.",
    "Hey Jennifer, pass me the salt.",
    "They are just starving.",
    "Hey, jar of jam, anyone?",
)
"""What sounds most like "Hey Jarvis" and is not: a trial of its own, none of it among the sentences."""


def sentences(count: int) -> list[str]:
    """`count` sentences, no two the same."""
    found: dict[str, None] = {}
    source = _endless(random.Random(0))
    while len(found) < count:
        found.setdefault(next(source))
    return list(found)


def _endless(choice: random.Random) -> Iterator[str]:
    words = {kind: text.split("|") for kind, text in _WORDS.items()}
    while True:
        for template in _TEMPLATES:
            sentence = template.format(**{kind: choice.choice(options) for kind, options in words.items()})
            yield sentence[0].upper() + sentence[1:]
