"""What a line's words speak for."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.reply.languages import written_for
from appliance.reply.understanding.patterns import Patterns
from appliance.reply.understanding.signs import SignReader, Signs

ENGLISH, GERMAN = SignReader("en"), SignReader("de")


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("tell me a story", "set_preference"),
        ("who painted the ceiling", "get_weather"),
        ("my son starts school on monday", "set_volume"),
        ("why is the sky blue", "calculate"),
        ("what is a harpsichord", "unlock_door"),
    ],
)
def test_tool_that_no_word_speaks_for_is_unlikely(line: str, tool: str) -> None:
    assert tool in ENGLISH.read(line).tools.unlikely


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("Never call me madam.", "set_preference"),
        ("I don’t want any more riddles", "set_preference"),
        ("will the pond freeze over", "get_weather"),
        ("I cannot hear a thing", "set_volume"),
        ("a dozen plus 3", "calculate"),
        ("let the postman in at the gate", "unlock_door"),
    ],
)
def test_one_word_is_enough(line: str, tool: str) -> None:
    assert tool not in ENGLISH.read(line).tools.unlikely


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("what does the oven's manual say about preheating", "search_documents"),
        ("look the word up", "lookup"),
        ("could you look up the village of Staithes", "lookup"),
        ("will there be rain", "get_weather"),
        ("are the bedroom windows shut", "home_state"),
        ("did I tell you about my exam", "recall"),
    ],
)
def test_source_that_is_as_good_as_named_is_claimed(line: str, tool: str) -> None:
    assert tool in ENGLISH.read(line).tools.claimed


@pytest.mark.parametrize(
    "line", ["if the oven is still on, turn it off", "add salt unless it is there", "water the roses if it stays dry"]
)
def test_order_with_a_condition(line: str) -> None:
    assert ENGLISH.read(line).conditional


@pytest.mark.parametrize(
    "line", ["could you dim it if you can", "set it as if it were noon", "what if it rains", "if possible be quick"]
)
def test_if_that_is_no_condition(line: str) -> None:
    assert not ENGLISH.read(line).conditional


def test_german_conditions_and_questions_about_oneself() -> None:
    assert GERMAN.read("falls es friert, stell die Heizung an").conditional
    assert GERMAN.read("wann hat meine Schwester Geburtstag").personal
    assert not GERMAN.read("wie hoch ist der Eiffelturm").personal


@pytest.mark.parametrize(("line", "said"), [("platform c4", False), ("4 of them", True), ("run for 5km", True)])
def test_digit_within_a_name_is_no_quantity(line: str, said: bool) -> None:
    assert ENGLISH.read(line).quantity is said


def test_length_that_nobody_named_is_noticed() -> None:
    assert not ENGLISH.read("set a timer for the salmon").quantity
    assert ENGLISH.read("half an hour for the salmon").quantity


@pytest.mark.parametrize(
    ("line", "fitting"),
    [
        ("cut the soup one down to nine minutes", {"set"}),
        ("cut nine minutes off", {"subtract"}),
        ("the packet says thirty not thirteen", {"set"}),
        ("back to twenty please", {"set"}),
        ("put nine more on it", {"add"}),
        ("knock it down by two", {"subtract"}),
    ],
)
def test_ways_to_change_a_timer_that_the_words_speak_for(line: str, fitting: set[str]) -> None:
    choices = ENGLISH.read(line).choices["adjust_timer"]["direction"]
    assert {choice for choice, fits in choices.items() if fits} == fitting


@pytest.mark.parametrize(
    ("line", "fitting"),
    [
        ("I can barely hear that", {"up"}),
        ("not so loud", {"down"}),
        ("alter the volume", set()),
        ("up or down", {"up", "down"}),
    ],
)
def test_choices_that_the_words_speak_for(line: str, fitting: set[str]) -> None:
    choices = ENGLISH.read(line).choices["set_volume"]["direction"]
    assert {choice for choice, fits in choices.items() if fits} == fitting


@pytest.mark.parametrize(
    ("line", "fitting"),
    [
        ("what's the weekday", {"date"}),
        ("the hour please", {"time"}),
        ("how many sleeps until easter", {"date", "days"}),
        ("say that again", set()),
    ],
)
def test_what_the_clock_is_asked_for(line: str, fitting: set[str]) -> None:
    choices = ENGLISH.read(line).choices["get_time"]["what"]
    assert {choice for choice, fits in choices.items() if fits} == fitting


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("does the fair start on the 3rd of may", "the 3rd of may"),
        ("and the twenty-first of october then", "the twenty-first of october"),
        ("is july 9 a holiday", "july 9"),
        ("may I have 3 of those", ""),
        ("how long till boxing day", "boxing day"),
    ],
)
def test_day_that_was_named(line: str, day: str) -> None:
    assert ENGLISH.read(line).day == day


@pytest.mark.parametrize("line", ["we used to boil eggs for 4 minutes", "they have been gone 2 hours"])
def test_who_tells_of_a_length_sets_no_timer(line: str) -> None:
    assert "set_timer" in ENGLISH.read(line).tools.unlikely


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("no hang on, 30", True),
        ("a fifth plus 30", False),
        ("30 over 5", False),
        ("the square of 30", False),
    ],
)
def test_one_number_alone_is_no_sum(line: str, out: bool) -> None:
    assert ("calculate" in ENGLISH.read(line).tools.unlikely) is out


@pytest.mark.parametrize(("before", "out"), [("She takes 5 scoops in each.", False), ("She takes some.", True)])
def test_the_other_number_of_a_sum_may_have_been_said_before(before: str, out: bool) -> None:
    assert ("calculate" in ENGLISH.read("so work out six of them", before).tools.uncounted) is out


@pytest.mark.parametrize(
    "line",
    [
        "never note down what I weigh",
        "this is off the record, I hate beets",
        "oh remember when Bo fell in",
        "Bo may have moved to Ulm but don't change anything for now",
    ],
)
def test_what_is_not_to_be_kept(line: str) -> None:
    assert "remember" in ENGLISH.read(line).tools.unlikely


@pytest.mark.parametrize(
    ("line", "keeping"),
    [
        ("could you remember that Bo likes beets", True),
        ("remember the ladder's at Bo's", True),
        ("can you remember where the ladder is", False),
        ("remember me to Bo, he is kind", False),
    ],
)
def test_order_to_keep_may_come_first(line: str, keeping: bool) -> None:
    assert ENGLISH.read(line).keeping is keeping


@pytest.mark.parametrize(
    ("line", "claiming"),
    [
        ("have you really ordered the beets", True),
        ("you locked the shed, right", True),
        ("did you hear the rain", False),
        ("lock the shed", False),
    ],
)
def test_question_whether_something_was_done(line: str, claiming: bool) -> None:
    assert ENGLISH.read(line).claiming is claiming


@pytest.mark.parametrize(
    ("line", "retelling"),
    [
        ("no he's a plumber", True),
        ("um they have a boat now", True),
        ("no that's fine", False),
        ("no idea", False),
        ("what is he now", False),
    ],
)
def test_what_takes_back_without_naming_it(line: str, retelling: bool) -> None:
    assert ENGLISH.read(line).retelling is retelling


@pytest.mark.parametrize(
    "line", ["when does the fair open", "what time is Bo home", "which season is it", "is it still winter"]
)
def test_what_no_clock_tells(line: str) -> None:
    assert "get_time" in ENGLISH.read(line).tools.unlikely


def test_turn_of_phrase_is_due_to_no_tool() -> None:
    assert ENGLISH.read("stop being such a bore").tools.due == frozenset()
    assert ENGLISH.read("dim the lamp in the attic").tools.due == {"home_set"}


def test_source_that_is_ruled_out_hides_no_order() -> None:
    assert ENGLISH.read("unlock the cellar door").tools.certain == "unlock_door"


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("she is here, open the garage door", True),
        ("would you dim the hall light", True),
        ("did you dim the hall light", False),
        ("if the garage door is open, shut it", False),
    ],
)
def test_order_does_not_ask_how_things_stand(line: str, out: bool) -> None:
    signs = ENGLISH.read(line)
    assert ("home_state" in signs.tools.unlikely and "home_state" not in signs.tools.claimed) is out


@pytest.mark.parametrize(
    ("line", "lasting"),
    [
        ("funny thing, my uncle Bela works on a ferry now", True),
        ("I am allergic to lilies", True),
        ("my tea is cold", False),
        ("my brother is late", False),
        ("I love this song", False),
    ],
)
def test_what_is_told_in_passing_and_stays_true(line: str, lasting: bool) -> None:
    assert ENGLISH.read(line).lasting is lasting


@pytest.mark.parametrize(
    "line", ["what did you remember of me", "and how do I make tea", "do you want to know something"]
)
def test_who_asks_tells_nothing(line: str) -> None:
    assert {"remember", "set_preference"} <= ENGLISH.read(line).tools.unlikely


def test_question_moves_nothing() -> None:
    assert {"home_set", "send_message", "unlock_door"} <= ENGLISH.read(
        "when does the heating start on Sundays"
    ).tools.unlikely
    assert "home_set" not in ENGLISH.read("which lamp is on and turn it off").tools.unlikely


def test_request_in_the_form_of_a_question_may_be_remembered() -> None:
    assert "remember" not in ENGLISH.read("can you remember that I like plums").tools.unlikely


def test_language_without_a_file_has_no_signs() -> None:
    assert SignReader("xx").read("anything at all") == Signs()


@given(st.text())
def test_any_line_can_be_read(text: str) -> None:
    for reader in (ENGLISH, GERMAN):
        signs = reader.read(text)
        assert signs.tools.claimed <= signs.words.sources.keys()
        assert isinstance(signs.words.vague, re.Pattern)


@pytest.mark.parametrize(
    "line",
    [
        "My tooth aches.",
        "well they closed our library",
        "oh no, I broke the blue jug",
        "such a lovely walk, I am worn out",
    ],
)
def test_who_only_tells_is_not_refused(line: str) -> None:
    assert ENGLISH.read(line).chat


@pytest.mark.parametrize(
    "line",
    ["I need a plumber.", "we want two seats on the ferry", "my mother, call her", "I broke the jug, how do I mend it"],
)
def test_who_wants_something_may_be_refused(line: str) -> None:
    assert not ENGLISH.read(line).chat


@pytest.mark.parametrize(
    ("line", "personal"),
    [
        ("where did I leave my ladder", True),
        ("what is my blood group", True),
        ("what should I write in my letter", False),
        ("how do I get my cat to eat", False),
        ("do you think I should sell my boat", False),
    ],
)
def test_advice_is_no_question_about_what_is_known(line: str, personal: bool) -> None:
    assert ENGLISH.read(line).personal is personal


def test_news_is_what_a_question_asks_for() -> None:
    assert ENGLISH.read("who won yesterday").recent
    assert not ENGLISH.read("our bakery burnt down yesterday").recent


@pytest.mark.parametrize("line", ["where are we", "what town is this", "tell me my address"])
def test_asks_where_the_box_stands(line: str) -> None:
    assert ENGLISH.read(line).words.whereabouts.search(line)


CHANGERS = {"set_volume", "set_timer", "cancel_timer", "adjust_timer", "set_preference", "forget", "unlock_door"}


@pytest.mark.parametrize("line", ["My cousin moved to the seaside last spring.", "That was a long walk up the hill."])
def test_who_only_tells_has_nothing_changed(line: str) -> None:
    assert ENGLISH.read(line).tools.faint >= CHANGERS
    assert ENGLISH.read(line).chat


def test_order_may_be_for_anything_that_changes_something() -> None:
    assert not ENGLISH.read("Put the kettle on, would you?").tools.faint
    assert not ENGLISH.read("if the oven is on switch it off").tools.faint
    assert "set_volume" not in ENGLISH.read("it is so loud that my ears hurt").tools.faint


def test_what_may_be_asked_for_is_no_remark() -> None:
    assert not ENGLISH.read("the music is far too loud").chat
    assert not ENGLISH.read("it should say when the bread is done").chat
    assert not ENGLISH.read("the usual table, book it for eight").chat


def test_order_may_come_second() -> None:
    assert not ENGLISH.read("the tart is on the table so cancel the timer").tools.faint


def test_sources_are_offered_where_no_intents_are_known() -> None:
    assert "lookup" not in GERMAN.read("Wer war Ada Lovelace?").tools.unlikely


def test_number_that_is_named_asks_for_something() -> None:
    faint = ENGLISH.read("Forty percent would suit this room.").tools.faint
    assert "set_volume" not in faint
    assert "cancel_timer" in faint


@pytest.mark.parametrize(
    "line",
    [
        "look up how long a goose egg takes and start that",
        "I need the melting point of tin looked up, and then in kelvin",
        "see how heavy a moose is in the encyclopedia and tell me in stones",
    ],
)
def test_who_is_sent_to_a_source_goes_there_first(line: str) -> None:
    tools = ENGLISH.read(line).tools
    assert tools.certain == "lookup"
    assert "lookup" not in tools.unlikely


@pytest.mark.parametrize("line", ["I looked that word up once and laughed", "look up the date in my lease"])
def test_nobody_is_sent_by_a_tale_or_to_two_sources(line: str) -> None:
    assert ENGLISH.read(line).tools.certain != "lookup"


@pytest.mark.parametrize(
    ("american", "british"),
    [
        ("My rug is 60 square meters, so how many square feet", "My rug is 60 square metres, so how many square feet"),
        ("how many liters are five gallons", "how many litres are five gallons"),
    ],
)
def test_either_spelling_means_the_same(american: str, british: str) -> None:
    reader = SignReader("en")
    assert reader.read(american).tools == reader.read(british).tools


@pytest.mark.parametrize(
    ("line", "conditional"),
    [
        ("play some fado, amelia brandao if there is", False),
        ("could you dim the lamp if it's no bother", False),
        ("lock up, if that's all right with you", False),
        ("if that's okay turn the hall light off", False),
        ("turn the fan on if that's all right love", False),
        ("open the skylight if it's not too windy", True),
        ("turn the heating on if it's no warmer than 15", True),
        ("turn the heating off if that's ok with Sam", True),
    ],
)
def test_a_courtesy_is_no_condition(line: str, conditional: bool) -> None:
    assert ENGLISH.read(line).conditional is conditional


@pytest.mark.parametrize(
    ("line", "out"), [("sorry where was nine again", True), ("when was that again", False), ("come again", False)]
)
def test_what_was_told_long_ago_is_not_said_again(line: str, out: bool) -> None:
    assert ("repeat" in ENGLISH.read(line).tools.unlikely) is out


def test_a_phrase_at_the_end_is_no_slip() -> None:
    assert ENGLISH.read("tell Bo i'm twenty minutes behind, sorry and all that").slip is None
    assert ENGLISH.read("put butter on the list, sorry, margarine").slip == ("put butter on the list", "margarine")


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("put the box room heating on the same as the hall", False),
        ("set the loft as warm as the landing", False),
        ("put the hall light on", True),
        ("lock the front door as well as the back one", True),
    ],
)
def test_how_another_thing_stands_may_be_needed(line: str, out: bool) -> None:
    assert ("home_state" in ENGLISH.read(line).tools.unlikely) is out


@pytest.mark.parametrize(
    ("line", "tool", "meant"),
    [
        ("remind me, which bay is the van in", "set_timer", False),
        ("remind me in twenty minutes", "set_timer", True),
        ("go on and lock the shed", "home_set", True),
        ("lock the side door", "unlock_door", False),
        ("unlock the side door", "unlock_door", True),
    ],
)
def test_what_words_rule_out_or_name(line: str, tool: str, meant: bool) -> None:
    assert (tool not in SignReader("en").read(line).tools.unlikely) is meant


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("can you remember we're having the hall done in teal", True),
        ("can you remember what we said of the hall", False),
        ("could you remember I don't take sugar", True),
    ],
)
def test_what_is_to_be_remembered_as_a_question(line: str, kept: bool) -> None:
    assert bool(SignReader("en").read(line).keeping) is kept


@pytest.mark.parametrize(
    ("line", "unkept"),
    [
        ("don't write that down, but I start at six", True),
        ("between us, I never liked it", True),
        ("my sister lost her job, keep it between us", True),
        ("make sure you don't save that", True),
        ("we don't keep chickens any more", False),
        ("the post comes between us and the neighbours", False),
    ],
)
def test_what_asks_for_silence(line: str, unkept: bool) -> None:
    assert bool(ENGLISH.read(line).words.unkept.search(line)) is unkept


@pytest.mark.parametrize("language", ["en", "de"])
def test_file_of_a_language_names_nothing_that_is_not_known(language: str) -> None:
    data = written_for(language, "signs")
    assert data is not None
    shared = {"question", "elsewhen"}  # words that other sections refer to
    known = {field.name for field in fields(Patterns)}
    assert data.keys() - shared <= known
    assert language != "en" or known <= data.keys()
