"""What is told to which voice, in whole turns with a real database; no model writes more than a canned word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from rig import Board

from appliance.audio import Samples, read_wav
from appliance.ears.heard_phrases import HeardPhrases
from appliance.ears.known_voices import KnownVoices
from appliance.ears.voice_print import DVector
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.voice_prints import VoicePrints
from appliance.ports.orders import Order
from appliance.ports.speaker import Whose
from appliance.reply.channels import Channel
from appliance.reply.conversation import Conversation
from appliance.reply.talk import Client, Talk
from appliance.settings import Speaker

RECORDINGS = Path(__file__).parents[1] / "recordings"
ANA, BEN, NOBODY = "Ana", "Ben", ""


class Home:
    """A box that tells voices apart, and knows something of Ana, of Ben and of their household."""

    def __init__(self, store: Store, *writes: str, language: str = "en") -> None:
        self.box = Board(*writes, language=language, memory=SqliteMemory(store), speaker=True)
        for person, fact in ((ANA, "The user's dentist is Doctor Pell."), (BEN, "The user likes plums.")):
            self.keep(fact, person)
        self.keep("The bins are collected on Monday.", "")

    def keep(self, fact: str, person: str) -> None:
        self.box.memory.save(fact, "user", self.box.clock.now(), person=person)
        self.box.clock.pass_time(60)

    def say(self, line: str, voice: str) -> str:
        """What is answered to a line that was heard in that voice."""
        said = self.box.say(line, "voice", speaker=voice).said
        self.box.engine.after(lambda: False)
        self.box.clock.pass_time(5)
        return said

    def type(self, line: str) -> str:
        return self.box.say(line).said

    @property
    def read(self) -> str:
        """All that the model ever read."""
        return "\n".join(message.text for prompt in self.box.canned.prompts for message in prompt)

    def facts(self) -> set[tuple[str, str]]:
        return {(fact.person, fact.text) for fact in self.box.memory.facts()}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "appliance.db") as store:
        yield store


@pytest.mark.parametrize("voice", [BEN, NOBODY])
def test_what_is_anas_is_told_to_nobody_else(store: Store, voice: str) -> None:
    home = Home(store, "say I do not know.")
    assert home.say("who is my dentist", voice) == "That is Ana's, and you do not sound like Ana."
    assert home.say("what do you know about Ana", voice) == "That is Ana's, and you do not sound like Ana."
    assert "Pell" not in home.say("what do you know about me", voice)
    assert "Pell" not in home.read


def test_she_is_told_it_and_all_are_told_what_is_the_households(store: Store) -> None:
    home = Home(store)
    assert "Pell" in home.say("what do you know about me", ANA)
    for voice in (ANA, BEN, NOBODY):
        assert "Monday" in home.say("what do you know about me", voice)


def test_what_is_typed_is_as_ever(store: Store) -> None:
    home = Home(store)
    told = home.type("what do you know about me")
    assert [word for word in ("Pell", "plums", "Monday") if word not in told] == []


def test_the_next_voice_hears_no_more_of_what_was_told_to_the_one_before(store: Store) -> None:
    home = Home(store, "say Indeed.", "say Indeed.")
    for number in range(12):
        home.keep(f"The user owns {number} boats.", ANA)
    assert "go on" in home.say("what do you know about me", ANA)
    assert "boats" not in home.say("go on", NOBODY)
    assert "boats" not in home.say("what did you say", BEN)
    assert "boats" not in home.read


def test_a_claim_opens_nothing(store: Store) -> None:
    home = Home(store)
    assert home.say("I am Ana", BEN) == "Hello Ana."
    assert home.say("what do you know about Ana", BEN) == "That is Ana's, and you do not sound like Ana."


def test_what_a_known_voice_says_is_that_persons(store: Store) -> None:
    home = Home(store, "say Fair enough.")
    home.say("I can't stand aubergines.", ANA)
    assert home.say("Could you remember that?", ANA) == "I will remember this: I can't stand aubergines."
    assert [person for person, fact in home.facts() if "aubergines" in fact] == [ANA]


def test_whoever_is_not_known_is_told_that_everybody_may_be(store: Store) -> None:
    home = Home(store, "say Fair enough.")
    home.say("I can't stand aubergines.", NOBODY)
    said = home.say("Could you remember that?", NOBODY)
    assert said.endswith("I do not know your voice, so anybody here may be told it.")
    assert [person for person, fact in home.facts() if "aubergines" in fact] == [""]


def test_a_yes_too_short_to_tell_whose_it_is_is_of_whoever_was_asked(store: Store) -> None:
    home = Home(store)
    assert home.say("forget everything about my dentist", ANA).startswith("Shall I forget")
    assert home.say("yes", NOBODY).startswith("Forgotten")
    assert all("Pell" not in text for _, text in home.facts())


def test_what_an_unknown_voice_says_by_the_way_is_not_kept(store: Store) -> None:
    home = Home(store, "say I see.", "say I see.")
    home.say("My neighbour is called Kim and she paints.", NOBODY)
    assert home.box.memory.exchanges() == 0
    home.say("My neighbour is called Kim and she paints.", ANA)
    assert home.box.memory.exchanges() == 1


@pytest.mark.parametrize("voice", [BEN, NOBODY])
def test_what_was_done_for_her_is_neither_told_to_another_voice_nor_undone_by_it(store: Store, voice: str) -> None:
    home = Home(store)
    home.say("put plasters on the shopping list", ANA)
    assert "plasters" not in home.say("what did you just do", voice)
    home.say("undo that", voice)
    assert "plasters" in home.type("what is on the shopping list")


def test_she_takes_back_what_she_did(store: Store) -> None:
    home = Home(store)
    home.say("put plasters on the shopping list", ANA)
    home.say("undo that", ANA)
    assert "plasters" not in home.type("what is on the shopping list")


def test_another_voice_is_another_conversation(store: Store) -> None:
    home = Home(store)
    ids = [home.box.say("what time is it", "voice", speaker=voice).conversation for voice in (ANA, ANA, BEN)]
    assert ids[0] == ids[1] != ids[2]


def test_an_unknown_voice_forgets_what_is_the_households(store: Store) -> None:
    home = Home(store)
    assert home.say("delete everything", NOBODY).startswith("Shall I forget")
    home.say("yes", NOBODY)
    assert {person for person, _ in home.facts()} == {ANA, BEN}


def test_what_she_is_asked_opens_nothing_to_whoever_answers(store: Store) -> None:
    home = Home(store, "say I do not know.")
    for number in range(2):
        home.keep(f"The user rents garage {number}.", ANA)
    home.say("what do you know about me", ANA)
    assert "garage" in home.say("why do you know that", ANA)
    assert home.say("garage 1", NOBODY) == "I have nothing stored about garage 1."
    assert home.box.conversation.hears == NOBODY


def test_a_yes_is_hers_only_for_what_she_was_asked(store: Store) -> None:
    home = Home(store)
    assert home.say("forget everything about my dentist", ANA).startswith("Shall I forget")
    home.say("what time is it", NOBODY)
    assert home.say("delete everything", NOBODY).startswith("Shall I forget")
    home.say("yes", NOBODY)
    assert {person for person, _ in home.facts()} == {ANA, BEN}


def test_a_claim_decides_not_whose_a_new_fact_is(store: Store) -> None:
    home = Home(store, "say I see.")
    home.say("I am Ana", NOBODY)
    home.say("I collect stamps.", NOBODY)
    home.say("Could you remember that?", NOBODY)
    assert [person for person, fact in home.facts() if "stamps" in fact] == [""]


@pytest.mark.parametrize("voice", [BEN, NOBODY])
def test_a_new_name_that_is_claimed_is_not_kept(store: Store, voice: str) -> None:
    home = Home(store)
    home.say("I am Cleo", voice)
    home.say("yes", voice)
    assert home.box.conversation.person in ("Cleo", voice)
    assert {person for person, _ in home.facts()} == {ANA, BEN, ""}


def test_a_due_order_leaves_her_conversation_alone(store: Store) -> None:
    home = Home(store)
    home.say("put plasters on the shopping list", ANA)
    before = home.box.conversation.id
    order = Order(1, "what do you know about me", "en")
    _, told = home.box.engine.carry_out(order)
    assert "Pell" not in told
    talk = home.box.conversation
    assert (talk.id, talk.talk.voice, talk.ledger.undoable) == (before, ANA, True)
    assert talk.messages


def test_a_yes_of_nobodys_to_a_due_order_is_not_hers(store: Store) -> None:
    home = Home(store)
    home.say("what time is it", ANA)
    home.box.engine.await_answer(Order(1, "delete everything", "en"))
    home.say("yes", NOBODY)
    assert {person for person, _ in home.facts()} == {ANA, BEN}


def test_in_german_too(store: Store) -> None:
    home = Home(store, language="de")
    assert home.say("was weißt du über Ana", BEN) == "Das gehört Ana, und du klingst nicht nach Ana."


def test_a_conversation_that_is_taken_up_again_is_of_its_own_voice() -> None:
    conversation = Conversation(300, 8)
    conversation.open("kitchen", Talk(8), 0)
    conversation.take_up("kitchen", 1)
    conversation.speaks(NOBODY)
    conversation.take_up_own()
    assert conversation.hears is None
    conversation.take_up("kitchen", 2)
    assert conversation.hears == NOBODY


class Learning:
    """A box that may learn voices, by the real encoder; each line is said in a recording's voice."""

    def __init__(self, model: Callable[..., Path], folder: Path, language: str = "en") -> None:
        self.prints = VoicePrints(folder / "voices", "d-vector")
        self.known = KnownVoices(DVector(model("d-vector")), self.prints, Speaker().likeness, language)
        self.phrases = HeardPhrases(lambda: self.known, self.prints)
        self.box = Board(language=language, speaker=True, voices=self.phrases)

    def say(self, line: str, recording: str) -> str:
        sound = read_wav(RECORDINGS / f"{recording}.wav")
        self.phrases.hear(sound[: len(sound) // 2])  # it pauses, and goes on
        self.phrases.hear(sound)
        return self.box.say(line, "voice", speaker=self.known.who(sound).name).said


JOE = ("multiply", "tokyo", "timer_unfinished")


def test_a_voice_is_learnt_in_a_short_dialogue(model: Callable[..., Path], tmp_path: Path) -> None:
    home = Learning(model, tmp_path)
    assert home.say("learn my voice", "hey_jarvis_tokyo") == "Who are you?"
    asked = [home.say("Joe", "yes")]
    asked += [home.say(asked[-1].removeprefix("Please say: "), name) for name in JOE]
    assert [each.partition(":")[0] for each in asked] == ["Please say"] * 3 + ["I know your voice now, Joe."]
    assert [*home.prints.all()] == ["Joe"]
    assert home.say("learn my voice", "hey_jarvis_tokyo").startswith("Please say: ")


def test_nobody_takes_the_name_of_a_voice_that_is_known(model: Callable[..., Path], tmp_path: Path) -> None:
    home = Learning(model, tmp_path)
    home.known.learn("Joe", [read_wav(RECORDINGS / f"{name}.wav") for name in JOE])
    home.say("learn my voice", "harvest")
    assert home.say("Joe", "snooze").startswith("I know the voice of Joe already")


def test_three_sentences_of_two_voices_are_not_learnt(model: Callable[..., Path], tmp_path: Path) -> None:
    home = Learning(model, tmp_path, "de")
    home.say("lern meine Stimme", "tokyo")
    said = home.say("Joe", "yes")
    for name in ("multiply", "harvest", "tokyo"):
        said = home.say(said.removeprefix("Bitte sag: "), name)
    assert said.startswith("Die Sätze klangen für mich nicht nach einer Stimme.")
    assert home.prints.all() == {}


def test_where_nobody_is_heard_or_voices_are_not_told_apart_it_says_so(
    model: Callable[..., Path], tmp_path: Path
) -> None:
    assert Learning(model, tmp_path).box.say("learn my voice").said.startswith("Say that to me aloud")
    assert "switched off" in Board().say("learn my voice", "voice").said


@pytest.mark.parametrize(("language", "line"), [("en", "learn my voice"), ("de", "lern meine Stimme")])
def test_a_name_of_which_something_is_kept_is_not_taken_from_a_voice(
    model: Callable[..., Path], tmp_path: Path, language: str, line: str
) -> None:
    home = Learning(model, tmp_path, language)
    home.box.memory.save("The user's dentist is Doctor Pell.", "user", home.box.clock.now(), person="Joe")
    home.say(line, "tokyo")
    assert home.say("Joe", "yes").endswith("appliance speaker enroll Joe.")
    assert not home.phrases.listens


def test_a_known_voice_is_learnt_anew_though_a_sentence_is_not_recognised(
    model: Callable[..., Path], tmp_path: Path
) -> None:
    home = Learning(model, tmp_path)
    home.known.learn("Joe", [read_wav(RECORDINGS / f"{name}.wav") for name in JOE])
    before = home.prints.all()["Joe"]
    asked = home.box.say("learn my voice", "voice", speaker="Joe").said
    for name in (*JOE[1:], "hey_jarvis_tokyo"):
        assert asked.startswith("Please say: ")
        home.phrases.hear(read_wav(RECORDINGS / f"{name}.wav"))
        asked = home.box.say(asked.removeprefix("Please say: "), "voice", speaker=NOBODY).said
    assert asked == "I know your voice now, Joe."
    assert not np.array_equal(home.prints.all()["Joe"], before)


def test_in_private_mode_no_voice_is_learnt(model: Callable[..., Path], tmp_path: Path) -> None:
    home = Learning(model, tmp_path)
    home.box.private.begin()
    home.say("learn my voice", "tokyo")
    home.say("Joe", "yes")
    assert not home.phrases.listens


def test_a_line_that_another_device_heard_begins_nothing(model: Callable[..., Path], tmp_path: Path) -> None:
    home = Learning(model, tmp_path)
    home.box.say("what time is it", "voice")
    home.box.conversation.own.client = Client(Channel("voice"), "", {})
    assert home.box.say("learn my voice", "voice").said == "Say that to me where my own microphone hears you."
    assert not home.phrases.listens


def test_a_dialogue_that_is_dropped_leaves_it_listening_for_two_minutes(tmp_path: Path) -> None:
    now_s, learnt = 0.0, list[int]()

    class Voices:
        def who(self, utterance: Samples) -> Whose:
            return Whose()

        def check(self, phrase: Samples) -> None: ...

        def learn(self, name: str, phrases: Sequence[Samples]) -> None:
            learnt.append(len(phrases))

    phrases = HeardPhrases(Voices, VoicePrints(tmp_path, "d-vector"), lambda: now_s)
    for after_s in (119.0, 120.0):
        now_s = 0.0
        phrases.begin()
        phrases.hear(read_wav(RECORDINGS / "tokyo.wav"))
        now_s = after_s
        phrases.hear(read_wav(RECORDINGS / "yes.wav"))
        phrases.learn("Joe")
    assert learnt == [2, 0]
