from __future__ import annotations

import pytest

from appliance.stt.soundclass import SoundClasses
from appliance.stt.tidy import tidy, without_call

SOUND_OF = SoundClasses("en")


@pytest.mark.parametrize(
    "text", ["", "  ", "...", "[BLANK_AUDIO]", "(music)", "*sighs*", "♪♪", "[Music] (applause)", ">>"]
)
def test_what_is_not_words_is_nothing(text: str) -> None:
    assert tidy(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for watching!",
        "Thank you for watching.",
        "Thank you so much for listening.",
        "Please subscribe to my channel.",
        "Subtitles by the community",
        "Untertitel der Amara.org-Community",
        "Untertitelung. BR 2018",
        "Untertitel im Auftrag des ZDF für funk, 2017",
        "Vielen Dank fürs Zuschauen!",
        "Danke für's Zuschauen.",
        "Copyright WDR 2021",
    ],
)
def test_end_of_a_video_is_nothing(text: str) -> None:
    assert tidy(text) == ""


def test_unlikely_words_are_nothing() -> None:
    assert tidy("I'm going to go to the beach.", probability=0.2) == ""


@pytest.mark.parametrize("text", ["you", "You.", "Thank you.", "Vielen Dank."])
def test_what_whisper_hears_in_silence_must_be_likelier_than_other_words(text: str) -> None:
    assert tidy(text, probability=0.55) == ""
    assert tidy(text, probability=0.61) == text
    assert tidy("Louder.", probability=0.35) == "Louder."


@pytest.mark.parametrize(
    "text",
    [
        "Thank you.",
        "Yes.",
        "No, no, no.",
        "What is 17 times 23?",
        "Add three three quarter inch screws.",
        "Subscribe me to nothing, I said.",
        "Who translated by hand the Iliad?",
    ],
)
def test_what_people_say_is_kept(text: str) -> None:
    assert tidy(text, probability=0.6) == text


def test_annotation_is_cut_out_of_a_sentence() -> None:
    assert tidy(" What time [noise] is\n it? (music)") == "What time is it?"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes. Yes. Yes. Yes. Yes.", "Yes."),
        ("Stop. Stop.", "Stop."),
        ("Stop. Stop. Stop. Sto", "Stop."),
        (
            "What time is it? What time is it? What time is it in",
            "What time is it? What time is it? What time is it in",
        ),
        ("set a timer and and and and and and", "set a timer and"),
        ("the cat is on the cat is on the cat is on the cat is on", "the cat is on"),
    ],
)
def test_loop_is_said_once(text: str, said: str) -> None:
    assert tidy(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Hey Jarvis, what time is it?",
        "hey jarvis what time is it?",
        "Hey, Jarvis. What time is it?",
        "Jarvis, what time is it?",
        "Jarvis what time is it?",
        "Travis, what time is it?",
        "Hey Travis, what time is it?",
        "Jervis, what time is it?",
        "- Jarvis, what time is it?",
    ],
)
def test_wake_word_is_taken_off_the_start(text: str) -> None:
    assert tidy(text, wake_words=["hey jarvis"]) == "What time is it?"


@pytest.mark.parametrize(
    "text",
    [
        "Who is Jarvis?",
        "Hey, what time is it?",
        "Harvest the tomatoes tomorrow.",
        "Travis called me.",
        "Service is closed.",
        "Hey Joe is a song by whom?",
        "Java, what is it?",
    ],
)
def test_what_only_resembles_the_wake_word_is_kept(text: str) -> None:
    assert tidy(text, wake_words=["hey jarvis"]) == text


def test_wake_word_alone_is_nothing() -> None:
    assert tidy("Hey Jarvis.", wake_words=["hey jarvis"]) == ""


def test_each_wake_word_counts() -> None:
    assert tidy("Alexa, stop.", wake_words=["hey jarvis", "alexa"]) == "Stop."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hey Jarvis, what time is it?", "What time is it?"),
        ("Page Arbus, tell her I'm late.", "Tell her I'm late."),
        ("Pajarbus. Wait, stop.", "Wait, stop."),
        ("A. Jarvis. Stop it.", "Stop it."),
        ("Hey Jarvis! Heads up for later.", "Heads up for later."),
        ("it rains. Hey, Jarvis what is a divorce", "What is a divorce"),
        ("They drove home, set a timer.", "They drove home, set a timer."),
        ("Hey Jarvis.", ""),
        ("", ""),
    ],
)
def test_call_is_taken_off_by_its_sound(text: str, said: str) -> None:
    assert without_call(text, ["hey jarvis"], SOUND_OF) == said
