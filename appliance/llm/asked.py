"""One question to each model server: does it answer?"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from appliance.audio import never
from appliance.errors import ApplianceError
from appliance.llm.failures import ServerFailed
from appliance.llm.lan import Known
from appliance.llm.pool import Pair, keys_of, pair_of
from appliance.ports import Message, Usage
from appliance.settings import ModelServer

QUESTION = [Message("user", "Say yes.")]


def ask_each(servers: Sequence[ModelServer], silence_s: float) -> list[tuple[str, str]]:
    """What was found of each with each of its keys, and the remedy where it does not answer: all asked at once."""
    pairs = [(server, file) for server in servers for file in keys_of(server)]
    with ThreadPoolExecutor(max(len(pairs), 1)) as threads:
        return list(threads.map(lambda pair: _look(pair[0], pair[1], silence_s), pairs))


def _look(server: ModelServer, key_file: Path | None, silence_s: float) -> tuple[str, str]:
    try:
        pair = pair_of(server, key_file, silence_s, Known())
    except ApplianceError as error:
        return error.what, error.remedy
    try:
        return _ask(pair)
    finally:
        pair.model.close()


def _ask(pair: Pair) -> tuple[str, str]:
    """In the way of a turn: a list of models would say less, and llama-server gives it without the key."""
    try:
        list(pair.model.generate(QUESTION, None, 1, Usage(), never))
    except ServerFailed as failure:
        return f"{pair.name} {failure.kind}", failure.remedy
    except ApplianceError as error:
        return error.what, error.remedy
    return f"{pair.name} answers", ""
