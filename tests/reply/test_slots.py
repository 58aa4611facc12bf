"""An argument that was not said is asked for, and the bare line that follows is taken for it."""

from __future__ import annotations

from typing import cast

import pytest
from rig import Rig, outcomes

from appliance.ports import Spoken
from appliance.reply.grammar import PlanGrammar
from appliance.reply.phrases import phrases
from appliance.reply.recollect import acquainted
from appliance.reply.understanding.signs import SignReader
from appliance.skills.schema import FunctionTool, tool

SAYS = phrases("en")
CALL = 'post_card(to="Ada")'


class Post:
    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def post_card(self, to: str, text: str) -> Spoken:
        """Send a postcard."""
        self.sent.append((to, text))
        return Spoken("It is on its way.")

    def rig(self, *writes: str, leave: bool = True) -> Rig:
        card: FunctionTool = tool(
            self.post_card, "irreversible" if leave else "act", ask="Shall I write to {to}: {text}?"
        )
        return Rig(*writes, more_tools=[card])


def test_missing_argument_is_asked_for_then_the_whole_is_read_back() -> None:
    post = Post()
    rig = post.rig(CALL)
    asked = rig.say("a postcard for Ada")
    assert (asked.said, asked.outcome) == (SAYS.what_is("text"), "asked")
    told = rig.say("Snow up to the windows.")
    assert (told.said, told.outcome, told.model.calls) == (
        "Shall I write to Ada: Snow up to the windows?",
        "asked",
        0,
    )
    assert post.sent == []
    assert rig.say("yes").said == "It is on its way."
    assert post.sent == [("Ada", "Snow up to the windows")]


def test_step_that_needs_no_leave_runs_with_the_answer() -> None:
    post = Post()
    rig = post.rig(CALL, leave=False)
    asked = rig.say("a postcard for Ada")
    assert (outcomes(asked), asked.said, asked.outcome) == ([("post_card", "error")], SAYS.what_is("text"), "asked")
    assert rig.say("snow up to the windows").said == "It is on its way."
    assert post.sent == [("Ada", "snow up to the windows")]


@pytest.mark.parametrize(
    "line",
    ["what is my name", "are you there?", "okay what time is it", "do you know what my name is", "yes send that"],
)
def test_line_of_its_own_is_no_answer(line: str) -> None:
    post = Post()
    rig = post.rig(CALL, "say Something else then.")
    rig.say("a postcard for Ada")
    rig.say(line)
    rig.say("yes")
    assert post.sent == []


@pytest.mark.parametrize(
    "line",
    [
        "I am running late.",
        "Yes, I can pick up the kids.",
        "Okay see you at six.",
        "Dinner is made, don't bother.",
        "Put the oven on please.",
        "play some jazz",
    ],
)
def test_what_it_should_say_may_begin_as_a_yes_or_an_order_does(line: str) -> None:
    post = Post()
    rig = post.rig(CALL)
    rig.say("a postcard for Ada")
    assert rig.say(line).said == f"Shall I write to Ada: {line.rstrip('.')}?"


def test_an_order_is_not_taken_for_words_that_nobody_is_asked_about_again() -> None:
    post = Post()
    rig = post.rig(CALL, "say Fine.", leave=False)
    rig.say("a postcard for Ada")
    rig.say("put the oven on please")
    assert post.sent == []


@pytest.mark.parametrize("line", ["no, leave it shut", "keep it like that please", "oh no leave them alone"])
def test_what_is_to_stay_as_it_is_is_a_no(line: str) -> None:
    post = Post()
    rig = post.rig(CALL)
    rig.say("a postcard for Ada")
    assert rig.say(line).said == SAYS.left_alone


def test_no_ends_it() -> None:
    post = Post()
    rig = post.rig(CALL)
    rig.say("a postcard for Ada")
    assert rig.say("never mind").said == SAYS.left_alone
    assert post.sent == []


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("yes yes before it melts", ("Ada", "It snows until 6")),
        ("yeah go on", ("Ada", "It snows until 6")),
        ("yes write it please", ("Ada", "It snows until 6")),
    ],
)
def test_yes_may_go_on(line: str, sent: tuple[str, str]) -> None:
    post = Post()
    rig = post.rig('post_card(to="Ada", text="It snows until 6")')
    assert rig.say("a postcard for Ada that it snows until six").outcome == "asked"
    assert rig.say(line).said == "It is on its way."
    assert post.sent == [sent]


@pytest.mark.parametrize(
    "line",
    ["yes but not now", "yeah I told Bo", "yes and turn off the light", "okay at seven", "sure what time is it"],
)
def test_yes_with_something_new_is_none(line: str) -> None:
    post = Post()
    rig = post.rig('post_card(to="Ada", text="It snows")', "say Fine.", "say Fine.")
    rig.say("a postcard for Ada that it snows")
    rig.say(line)
    assert post.sent == []


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("no make that half past seven", ("Ada", "It snows until half past 7")),
        ("sorry, to Bo", ("Bo", "It snows until 6")),
    ],
)
def test_what_was_asked_about_can_be_changed(line: str, sent: tuple[str, str]) -> None:
    post = Post()
    rig = post.rig('post_card(to="Ada", text="It snows until 6")')
    rig.say("a postcard for Ada that it snows until six")
    again = rig.say(line)
    assert (again.outcome, again.model.calls, post.sent) == ("asked", 0, [])
    rig.say("yes")
    assert post.sent == [sent]


def test_change_that_no_number_tells_is_made_by_the_model() -> None:
    post = Post()
    rig = post.rig('post_card(to="Ada", text="It snows")', 'post_card(to="Ada", text="It rains")')
    rig.say("a postcard for Ada that it snows")
    assert rig.say("i mean it rains").said == "Shall I write to Ada: It rains?"
    rig.say("yes")
    assert post.sent == [("Ada", "It rains")]


def test_what_is_said_first_is_no_part_of_what_was_asked_for() -> None:
    post = Post()
    rig = post.rig(CALL)
    rig.say("a postcard for Ada")
    assert rig.say("um uh snow up to the windows").said == "Shall I write to Ada: snow up to the windows?"


def named(rig: Rig) -> list[list[str]]:
    """The tools that each pass of the model was offered."""
    return [[name for name, _ in cast(PlanGrammar, grammar).tools] for grammar in rig.canned.grammars]


def test_bare_line_after_a_question_is_for_the_tool_that_asked() -> None:
    rig = Rig('set_timer(label="jam")', "set_timer(minutes=40)", "say Fine.")
    assert rig.say("start a jam timer").outcome == "asked"
    rig.say("forty percent of an hour")
    rig.say("why is jam so sweet")
    assert named(rig)[1] == ["set_timer"]
    assert cast(PlanGrammar, rig.canned.grammars[1]).speech  # it may be about something else
    assert named(rig)[2] != ["set_timer"]


def test_order_that_a_tool_here_carries_out_is_not_answered_with_a_promise() -> None:
    rig = Rig('unlock_door(door="shed")', "say Fine.", "say No.")
    rig.say("unlock the shed door for Bo")
    rig.say("is the shed door a safe one")
    assert [cast(PlanGrammar, grammar).speech for grammar in rig.canned.grammars] == [False, True]


def test_words_that_a_small_model_does_not_say_of_the_user() -> None:
    rig = Rig("say Fine.")
    rig.say("which month is the warmest")
    grammar = cast(PlanGrammar, rig.canned.grammars[0])
    assert grammar.barred("say The user")
    assert not grammar.barred("say You")


def test_what_somebody_tells_is_not_said_back_to_them() -> None:
    rig = Rig("say Lucky you.", "say Lucky you.", "say Pepper.")
    rig.say("The cherry tree's in bloom at last")
    rig.say("which spice did you have in mind")
    *told, asked = (cast(PlanGrammar, grammar) for grammar in rig.canned.grammars)
    assert [each.barred("say The cherry tree’s") for each in told] == [True, True]
    assert not any(each.barred("say The cherry") for each in told)
    assert not asked.barred("say Which spice did")


def test_question_whether_something_was_done_gets_no_unfounded_yes() -> None:
    rig = Rig("say No.", "say No.", 'unlock_door(door="shed")', "say Yes.")
    rig.say("have you locked the shed")
    rig.say("unlock the shed door")
    rig.say("yes")
    rig.say("did you just unlock the shed")
    barred = [cast(PlanGrammar, grammar).barred("say Yes") for grammar in rig.canned.grammars]
    assert (barred[0], barred[-1]) == (True, False)


def test_correction_of_what_was_just_told_from_memory_is_kept() -> None:
    rig = Rig("say A baker.", 'remember(fact="The user\'s uncle is a plumber.")')
    rig.knows("The user's uncle is a baker.")
    rig.say("what does my uncle do")
    rig.say("no he's a plumber")
    assert named(rig)[1] == ["remember"]
    assert not cast(PlanGrammar, rig.canned.grammars[1]).speech


def test_what_is_shown_of_a_line_is_what_the_model_reads() -> None:
    rig = Rig("say No.")
    [shown] = rig.engine.prompt_parts("is the plum timer done")["fresh"]
    rig.say("is the plum timer done")
    assert shown.text == rig.read[0]


def test_timer_that_does_not_run_is_said_beside_the_line() -> None:
    rig = Rig("say No.")
    rig.say("is the plum timer done")
    assert "no timer is running" in rig.read[0]


def test_what_nobody_told_is_looked_for_before_it_is_answered() -> None:
    rig = Rig('recall(topic="shoe size")', "say You never told me.")
    rig.knows("The user's aunt is called Greta.")
    assert [step.tool for step in rig.say("do you know what my shoe size is").steps] == ["recall", None]
    assert named(rig)[0] == ["recall"]


def test_remembering_asks_what() -> None:
    rig = Rig()
    assert (rig.say("please remember something for me").said, rig.say("the key is under the mat").outcome) == (
        SAYS.what_is("fact"),
        "said",
    )


def test_bare_line_after_the_box_s_own_question_is_for_what_it_could_have_called() -> None:
    rig = Rig("ask Which door?", 'unlock_door(door="shed")', "say Fine.")
    rig.say("unlock it for me")
    rig.say("shed")
    assert "unlock_door" in named(rig)[1]


@pytest.mark.parametrize("line", ["oh forget it, he rang next door", "never mind that, it is late"])
def test_a_missing_argument_is_not_a_refusal_with_its_reason(line: str) -> None:
    rig = Rig('unlock_door(door="")')
    rig.say("unlock it for me")
    assert rig.say(line).said == SAYS.left_alone


def test_a_name_with_its_article_is_asked_about_with_one() -> None:
    rig = Rig("unlock_door()")
    rig.say("unlock it for me")
    assert rig.say("the front door").said == "Shall I unlock the front door?"


@pytest.mark.parametrize("line", ["and the hardware one", "what about the hardware one"])
def test_what_goes_on_with_a_list_is_offered_the_list(line: str) -> None:
    rig = Rig('read_list(list="shopping")', "say Milk and eggs.", 'read_list(list="hardware")', "say The same.")
    rig.say("what is on the shopping list")
    rig.say(line)
    assert "read_list" in named(rig)[2]


@pytest.mark.parametrize(("line", "offered"), [("where was alan turing born", True), ("where was turing born", False)])
def test_somebody_else_of_a_known_name_is_looked_up(line: str, offered: bool) -> None:
    assert acquainted(line, ["The user's hamster is called Turing."], lambda name: False) is not offered


def test_where_somebody_lives_does_not_tell_the_time_there() -> None:
    rig = Rig("get_time()")
    rig.knows("The user's grandson lives in Toronto.")
    assert [step.tool for step in rig.say("what time is it for my grandson").steps] == ["get_time"]


def test_an_empty_argument_is_none() -> None:
    rig = Rig('unlock_door(door="")')
    assert rig.say("unlock it for me").outcome == "asked"
    assert not rig.home.did


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("put jam, sorry, honey on the list", ("put jam", "honey on the list")),
        ("the oven i mean, give it half an hour", None),
        ("time the scones, fifty minutes, no, fifteen", None),
        ("the eggs i meant, they're large", None),
        ("sunday, i meant to say", None),
    ],
)
def test_what_follows_a_slip_is_no_order_no_clause_and_no_number(line: str, slip: tuple[str, str] | None) -> None:
    assert SignReader("en").read(line).slip == slip


class Scales:
    def __init__(self) -> None:
        self.asked: list[float] = []

    def convert_units(self, value: float, from_unit: str, to_unit: str) -> Spoken:
        """Convert a measurement to another unit."""
        self.asked.append(value)
        return Spoken("Done.")


def test_amount_that_nobody_said_is_asked_for_and_taken_out_of_the_answer() -> None:
    scales = Scales()
    write = 'convert_units(value=100, from_unit="gram", to_unit="ounce")'
    rig = Rig(write, more_tools=[tool(scales.convert_units, "read")])
    assert rig.say("can you convert some grams to ounces").said == SAYS.what_is("value")
    assert rig.say("two hundred and fifty grams").said == "Done."
    assert scales.asked == [250]
