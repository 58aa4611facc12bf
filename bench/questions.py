"""What the bench says to the appliance. No prompt holds any of it."""

from __future__ import annotations

QUESTIONS = {
    "fast": (
        "What time is it in Buenos Aires?",
        "What's twenty six times nineteen?",
        "Please start a timer for twenty five minutes.",
        "How many centimetres are in three yards?",
        "What is fifteen percent of three hundred and sixty?",
        "How much time is left on my timer?",
        "Set the volume to forty five percent, please.",
        "What day of the week is it today?",
    ),
    "tool": (
        "My aunt just moved to Buenos Aires, is it late in the evening over there?",
        "I bought twenty six tickets at nineteen each, how much did I spend?",
        "The bread has to rise for three quarters of an hour, keep an eye on it for me.",
        "The carpet is three yards long, so what would that be in centimetres?",
        "The meal was three hundred and sixty, what should I leave if I tip fifteen percent?",
        "I have a headache, so could you talk a good deal more softly?",
        "Wake me from my nap on the sofa in twenty minutes, would you?",
        "I can't be bothered to work it out, what do I get for a dozen eggs at thirty cents?",
    ),
    "talk": (
        "Tell me something nice about rainy Sunday mornings.",
        "Why do people like sitting around a camp fire?",
        "What would you cook for a friend who is sad?",
        "Is it a good idea to keep a diary, do you think?",
        "What makes a good neighbour, in your opinion?",
        "I had a rather long and boring day at the office.",
        "Do you think that cats look down on people?",
        "What could I do with an afternoon all to myself?",
    ),
}
"""2 to 4 s each when spoken (issue 2); no prompt holds them. The sentences of `fast` are those that need no model."""
MEMORIES = ("Please remember that my bicycle lock is the green one with the scratch on it.",)
MEMORY_QUESTIONS = (
    "Which of the bicycle locks is mine, do you still know?",
    "Have I told you anything about my bicycle?",
    "What colour did I say that my lock has?",
)
LONG = (
    "I want your opinion on how we spent last weekend, so listen. On Saturday we drove out to the lake with the "
    "whole family, my brother brought his canoe, and the children built a raft out of driftwood that sank after "
    "about ten minutes, which they found hilarious. Later we grilled some trout that a neighbour had caught, and my"
    " mother told the story of how she once rowed across in the fog and landed at the wrong village, where a baker "
    "gave her breakfast and a lift home on his cart. On Sunday it rained without a break, so we stayed in, played "
    "cards, repaired the kitchen chair that has wobbled since spring, and in the evening we looked through a box of"
    " old photographs and argued about who was in them. Was that a good weekend?"
)
"""Some 160 tokens that no prefix holds: what a prompt costs to read."""
