"""What the owner asks of the memory by voice, in whole conversations; no model writes more than a canned word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rig import Board

from appliance.audio import never

WEEK_S = 7 * 24 * 3_600


def said(box: Board, *lines: str) -> list[str]:
    """What is said to each line; a few seconds pass behind it, and what follows the reply is never run."""
    told = []
    for line in lines:
        told.append(box.say(line).said)
        box.clock.pass_time(5)
    return told


def knows(box: Board, *facts: str, person: str = "") -> None:
    for fact in facts:
        box.memory.save(fact, "user", box.clock.now(), person=person)
        box.clock.pass_time(60)


class TestWhatIsKnown:
    def test_what_was_said_a_moment_ago_is_known_before_anything_followed_the_reply(self) -> None:
        box = Board("say Nice to meet you.")
        told = said(box, "My name is Ana and I have two cats.", "What do you remember about me?")
        assert told[-1] == "You just said: My name is Ana and I have two cats."

    def test_it_is_told_in_parts(self) -> None:
        box = Board("say What else?")
        knows(box, *(f"The user owns {number} boats." for number in range(12)))
        first, second, third, fourth = said(box, "what do you know about me", "go on", "what else", "And what else?")
        assert first.startswith("You own 11 boats. ")
        assert first.endswith('You own 7 boats. There are 7 more: say "go on".')
        assert second.startswith("You own 6 boats. ")
        assert third == "You own 1 boats. You own 0 boats."
        assert fourth == "There is nothing more to tell."

    def test_what_else_is_the_models_behind_any_other_answer(self) -> None:
        box = Board("say A dog.", "say A cat.")
        knows(box, *(f"The user owns {number} boats." for number in range(12)))
        assert said(box, "what do you know about me", "name an animal", "what else")[-1] == "A cat."

    def test_remember_that_is_what_was_said_before_it(self) -> None:
        box = Board("say Fair enough.", "say Good.")
        told = said(box, "I can't stand aubergines.", "Could you remember that?", "why do you think that?")
        assert told[1:] == [
            "I will remember this: I can't stand aubergines.",
            "You told me today: I can't stand aubergines.",
        ]
        assert [fact.text for fact in box.memory.facts()] == ['The user said: "I can\'t stand aubergines".']
        assert said(box, "undo that")[-1].startswith("I took this back")
        assert box.memory.facts() == []

    def test_remember_that_goes_with_what_stands_before_it_in_its_line(self) -> None:
        box = Board("say Fair enough.", 'remember(fact="The user\'s dentist is Doctor Pell.")')
        said(box, "I am in Leeds today", "my dentist is called Doctor Pell, remember that")
        assert [fact.text for fact in box.memory.facts()] == ["The user's dentist is Doctor Pell."]

    def test_remember_that_with_nothing_before_it_asks(self) -> None:
        box = Board()
        asked, kept = said(box, "remember that", "the bins go out on Tuesday")
        assert asked == "What should I remember?"
        assert kept == "I will remember this: The bins go out on Tuesday."


class TestWhyAndBefore:
    def test_the_day_and_the_words_of_the_source(self) -> None:
        box = Board('remember(fact="The user\'s dentist is Doctor Pell.")')
        said(box, "keep in mind that my dentist is called Doctor Pell")
        box.clock.pass_time(3 * 24 * 3_600)
        told = said(box, "what do you know about me", "how do you know that?")
        assert told[0] == "Your dentist is Doctor Pell."
        assert told[1] == "You told me on Saturday: Keep in mind that my dentist is called Doctor Pell."

    def test_what_the_model_answered_from_a_fact_has_a_source_too(self) -> None:
        box = Board("say Your dentist is Doctor Pell.")
        knows(box, "The user's dentist is Doctor Pell.")
        told = said(box, "who is it that looks at my teeth, the dentist", "Why do you think that?")
        assert told[1].startswith("You told me today, but I no longer have your words.")

    def test_of_an_answer_about_the_world_the_model_says_why(self) -> None:
        box = Board("say No, it is a mammal.", "say It breathes air.")
        knows(box, "The user's dentist is Doctor Pell.")
        assert said(box, "is a whale a fish", "why do you think that?")[-1] == "It breathes air."

    def test_of_several_it_is_asked_which(self) -> None:
        box = Board()
        knows(box, "The user likes plums.", "The user's dentist is Doctor Pell.")
        told = said(box, "what do you know about me", "how do you know that", "the dentist")
        assert told[1] == "Which one do you mean: Your dentist is Doctor Pell; You like plums?"
        assert "Doctor Pell" in told[2]

    def test_it_is_corrected_and_what_it_was_before_is_told(self) -> None:
        box = Board()
        knows(box, "The user's dentist is Doctor Pell.")
        told = said(box, "what do you know about me", "No, my dentist is Doctor Wren.", "what was it before?")
        assert told[1:] == [
            "I will remember it that way.",
            "From today until today I had this: Your dentist is Doctor Pell.",
        ]
        assert [fact.text for fact in box.memory.facts()] == ["The user's dentist is Doctor Wren."]

    def test_what_a_life_may_hang_on_is_not_replaced_without_a_yes(self) -> None:
        box = Board()
        knows(box, "The user's allergy is to hazelnuts.")
        told = said(box, "what do you know about me", "no, my allergy is to walnuts")
        assert (
            told[1]
            == "You told me this: Your allergy is to hazelnuts. Shall I replace it by this: your allergy is to walnuts?"
        )
        assert [fact.text for fact in box.memory.facts()] == ["The user's allergy is to hazelnuts."]
        said(box, "yes")
        assert [fact.text for fact in box.memory.facts()] == ["The user's allergy is to walnuts."]

    def test_a_no_about_anything_else_is_no_correction(self) -> None:
        box = Board("say Fine.")
        knows(box, "The user's dentist is Doctor Pell.")
        said(box, "what do you know about me", "no, my train is late")
        assert [fact.text for fact in box.memory.facts()] == ["The user's dentist is Doctor Pell."]


def test_a_topic_is_forgotten_everywhere() -> None:
    box = Board("say I see.")
    knows(box, "The user's hamster is called Bo.", "Every hamster sleeps by day.", "The user likes plums.")
    said(box, "my hamster runs all night")
    box.engine.after(never)
    told = said(box, "forget everything about hamster", "yes")
    assert "2 of the things you told me" in told[0]
    assert [fact.text for fact in box.memory.facts()] == ["The user likes plums."]
    assert box.memory.exchanges() == 0


class TestPrivateMode:
    def test_nothing_of_it_is_kept_and_remembering_says_so(self) -> None:
        box = Board("say A fine dog.", 'save_memory(fact="The user has a dog.")', "say Good.")
        told = said(box, "private mode on", "I have a dog by the name of Rex", "remember that", "private mode off")
        box.engine.after(never)
        assert told[0] == "Private mode is on. I keep nothing of what is said, until you end it."
        assert told[2].startswith("I am in private mode and keep nothing.")
        assert told[3] == "Private mode is off. I keep what you tell me again."
        assert box.memory.facts() == []
        assert box.memory.exchanges() == 0

    @pytest.mark.parametrize(
        ("line", "until"),
        [
            ("don't remember anything for the next two hours", datetime(2026, 3, 14, 20, 30, tzinfo=UTC)),
            ("Don't remember this evening.", datetime(2026, 3, 15, 1, 0, tzinfo=UTC)),
            ("stop remembering until nine", datetime(2026, 3, 14, 21, 0, tzinfo=UTC)),
            ("private mode until tomorrow", datetime(2026, 3, 15, 0, 0, tzinfo=UTC)),
        ],
    )
    def test_it_ends_when_it_was_said_to(self, line: str, until: datetime) -> None:
        box = Board()
        assert said(box, line)[0].startswith("Private mode is on, and ends ")
        assert box.private.until == until

    def test_what_is_no_time_is_asked_for(self) -> None:
        box = Board()
        assert said(box, "stop remembering until the cows come home", "nine")[0] == "Until when?"
        assert box.private.until == datetime(2026, 3, 14, 21, 0, tzinfo=UTC)

    def test_the_record_of_a_turn_tells_that_it_was_private(self) -> None:
        box = Board("say Good.")
        assert not box.say("private mode on").private
        assert box.say("I have a dog").private


class TestPeople:
    def test_facts_belong_to_who_speaks_until_another_does(self) -> None:
        box = Board("say Good.", 'remember(fact="The user likes tea.")', 'remember(fact="The user likes rum.")')
        knows(box, "The spare key hangs in the shed.")
        assert said(box, "I am Ana", "yes") == ["Is Ana your name?", "Hello Ana."]
        box.memory.save("The user likes tea.", "user", box.clock.now(), person=box.conversation.person)
        assert said(box, "This is Ben.", "yes")[1] == "Hello Ben."
        box.memory.save("The user likes rum.", "user", box.clock.now(), person=box.conversation.person)
        ben, ana = said(box, "what do you know about me", "what does Ana like?")
        assert ben == "You like rum. You are called Ben. The spare key hangs in the shed."
        assert ana == "Ana likes tea."
        assert said(box, "I am Ana", "what do you know about Ben")[1] == "Ben likes rum."

    def test_the_conversation_ends_and_nobody_is_known_to_speak(self) -> None:
        box = Board()
        said(box, "I am Ana", "yes")
        assert box.conversation.person == "Ana"
        box.clock.pass_time(WEEK_S)
        said(box, "what do you know about me")
        assert box.conversation.person == ""

    def test_what_may_be_no_name_is_asked_about_or_left_to_the_model(self) -> None:
        box = Board("say Poor you.")
        assert said(box, "I am Dutch", "no")[0] == "Is Dutch your name?"
        assert said(box, "I am tired")[0] == "Poor you."
        assert box.conversation.person == ""
        assert box.memory.facts() == []

    def test_of_one_alone_who_ever_gave_a_name_it_is_told_as_of_whoever_speaks(self) -> None:
        box = Board()
        knows(box, "The user likes tea.", person="Ana")
        assert said(box, "what do you know about me") == ["You like tea."]
        knows(box, "The user likes rum.", person="Ben")
        fresh = Board(memory=box.memory)
        assert said(fresh, "what do you know about me") == ["Ben likes rum. Ana likes tea."]


class TestGerman:
    def test_it_is_asked_in_german(self) -> None:
        box = Board("say Aha.", language="de")
        told = said(box, "Ich habe zwei Katzen und einen Hund.", "Was weißt du über mich?", "Privatmodus an")
        assert told[1] == "Eben hast du gesagt: Ich habe zwei Katzen und einen Hund."
        assert told[2] == "Der Privatmodus ist an. Ich merke mir nichts, bis du ihn beendest."

    def test_what_was_said_is_kept_and_its_source_told(self) -> None:
        box = Board("say Aha.", language="de")
        told = said(box, "Ich arbeite nur nachts.", "Merk dir das", "Woher weißt du das?", "Was weißt du über mich?")
        assert told[1] == "Ich merke mir das: Ich arbeite nur nachts."
        assert told[2] == "Das hast du mir heute gesagt: Ich arbeite nur nachts."
        assert told[3] == "Du hast gesagt: Ich arbeite nur nachts."

    def test_there_is_more(self) -> None:
        box = Board(language="de")
        knows(box, *(f"Kiste {number} steht im Keller." for number in range(7)))
        told = said(box, "Was weißt du über mich?", "Erzähl mehr")
        assert told[0].endswith('Es gibt noch 2 mehr: sag "mehr".')
        assert told[1] == "Kiste 1 steht im Keller. Kiste 0 steht im Keller."
