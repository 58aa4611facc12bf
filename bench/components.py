"""How long each part takes by itself, on sound and text of known length."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from appliance import build
from appliance.audio import FRAME, FRAME_S, RATE_HZ, Samples, Utterance, never, silence
from appliance.ears.words import detector
from appliance.models.registry import WAKE_FEATURES
from appliance.settings import Settings
from bench import grammar_cost, results
from bench.results import Row
from bench.speakers import Speakers

UTTERANCE = ("joe", "Can you tell me how many minutes there are in a whole week, please?")
UTTERANCE_S = 3.6
"""Of a follow-up, with its lead-in and the quiet at its end (a wake word adds some five tokens); the length that issue
2's targets are meant for."""
LEAD_IN_S = 0.3
CLAUSE = "It is twenty past four in the afternoon."
STT_MODELS = ("whisper-tiny.en", "whisper-base")
REPEATS = 7
WAKE_SECONDS = 30


def measure(chosen: Settings, speakers: Speakers) -> Row:
    """Those `rates` of the bench row that need no whole turn: medians, after a first time that does not count."""
    spoken = speakers.say(*UTTERANCE)
    utterance = np.concatenate((silence(LEAD_IN_S), spoken, silence(UTTERANCE_S)))[: round(UTTERANCE_S * RATE_HZ)]
    stt = {name: stt_s(chosen, name, utterance) for name in STT_MODELS}
    return {
        "stt_s": stt.get(chosen.words.model),
        "stt_by_model_s": stt,
        "stt_utterance_s": UTTERANCE_S,
        "tts_first_s": tts_first_s(chosen),
        "wake_core_pct": wake_core_pct(chosen, utterance),
        "grammar_ms_per_token": grammar_cost.measure(chosen),
    }


def stt_s(chosen: Settings, name: str, utterance: Samples) -> float:
    words = chosen.words.model_copy(update={"model": name})
    with build.parts(chosen.model_copy(update={"words": words}), build.clock(chosen)) as parts:
        return _median_s(lambda: parts.transcriber.transcribe(Utterance(utterance), never))


def tts_first_s(chosen: Settings) -> float:
    """From a clause to the first piece of its sound."""
    with build.parts(chosen, build.clock(chosen)) as parts:
        return _median_s(lambda: next(parts.synthesizer.synthesize(CLAUSE)))


def wake_core_pct(chosen: Settings, sound: Samples) -> float:
    """Processor time of the wake words for a second of sound, over all threads, in percent of one core."""
    catalog = build.catalog(chosen)
    words = {word: catalog.paths(f"wake/{word}") for word in chosen.ears.wake_words}
    wake = detector(words, catalog.path(WAKE_FEATURES))
    frames = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)
    count = round(WAKE_SECONDS / FRAME_S)
    began_s = time.process_time()
    for number in range(count):
        wake.score(frames[number % len(frames)])
    return round((time.process_time() - began_s) / (count * FRAME_S) * 100, 2)


def _median_s(work: Callable[[], object]) -> float:
    work()
    taken = []
    for _ in range(REPEATS):
        began_s = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began_s)
    return round(results.percentile(taken, 0.5) or 0, 3)
