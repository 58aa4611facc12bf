"""What a call came to that somebody else carried out, brought into its turn."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from appliance.ports import Tool
from appliance.ports.hub import RESULT_CHARS, Result
from appliance.reply.phrases import Phrases, sentence
from appliance.reply.shorten import Shortener
from appliance.reply.turn import Away, Turn, elapsed_ms
from appliance.safety.fence import harmless

log = logging.getLogger(__name__)

ERROR_CHARS = 160
"""Of somebody else's words that are spoken as the box's own: a sentence or two."""


class Returned:
    def __init__(self, tools: Mapping[str, Tool], shorten: Shortener, phrases: Phrases) -> None:
        self._tools, self._shorten, self._phrases = tools, shorten, phrases

    def take(self, result: Result, turn: Turn) -> None:
        """The model reads it in its next pass. That it failed is said at once: a model may read over that."""
        away = turn.away.pop(result.id)
        away.step.ms = elapsed_ms(away.since_s)
        turn.record.ms.tools = (turn.record.ms.tools or 0) + away.step.ms
        if result.success:
            self._read(result, away, turn)
            return
        away.done.failed, away.step.outcome = True, "error"
        said = harmless(result.message, ERROR_CHARS).partition("\n")[0]
        log.info("tool %s failed elsewhere", away.done.call.tool)
        turn.say(sentence(said) if said else self._phrases.broke)

    def _read(self, result: Result, away: Away, turn: Turn) -> None:
        call = away.done.call
        outside = self._tools[call.tool].untrusted
        turn.tainted = turn.tainted or outside
        away.done.gave = self._shorten.result(text_of(result), call, turn, away.step, untrusted=outside)
        turn.unread.append(away.done.gave)


def text_of(result: Result) -> str:
    """Its message, and its context as JSON."""
    context = "" if result.context in (None, "", {}, []) else json.dumps(result.context, ensure_ascii=False)
    return "\n".join(filter(None, [result.message.strip(), context[:RESULT_CHARS]])) or "done"
