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
        "I'd hate to wake my sister, how late is it in Lisbon?",
        "I've lost all track of the week, which day are we on?",
        "Is it morning yet for my cousins over in Auckland?",
        "Grandad's over in Nairobi, any idea what time they're on right now?",
        "I'm only lying down for twenty minutes, don't let me oversleep.",
        "My egg just went in and I like it at six minutes.",
        "Hair dye has to come off after thirty five minutes, keep track for me.",
        "Two hours from now somebody should tell me to fold the dough.",
        "The bill was ninety six pounds between four of us, what's my share?",
        "Groceries were fifty seven and petrol was sixty eight, so I've spent what?",
        "I'm wondering what seven boxes at thirteen dollars apiece would set me back.",
        "This American recipe says three hundred and fifty Fahrenheit, but my oven's in Celsius.",
        "My suitcase weighs twenty three kilos, what would that be in pounds?",
        "How fast is eighty kilometres an hour for somebody used to miles?",
        "The baby's just nodded off, so maybe talk a bit softer.",
        "Sixty percent would be a nicer level for your voice in here.",
    ),
    "talk": (
        "I finally finished painting the spare room this afternoon.",
        "The neighbours' dog has been barking all night again.",
        "I think pineapple on pizza is perfectly fine, actually.",
        "I'm feeling a little lonely since everyone went home.",
        "There's nothing nicer than fresh sheets and a good book.",
        "I burnt the toast twice, so today is going brilliantly.",
        "I've got a job interview tomorrow and my stomach is in knots.",
        "Thanks for keeping me company while I wash up.",
        "I never understood why people enjoy running in the rain.",
        "The tomatoes are coming up beautifully this year.",
        "I reckon tea tastes better out of my old mug.",
        "It's so quiet in here without the children.",
    ),
}
"""2 to 4 s each when spoken; no prompt holds them. The sentences of `fast` are those that need no model.
Those of `tool` and `talk` were written by someone who had seen none of our word lists, after the last of these was.
"""
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
