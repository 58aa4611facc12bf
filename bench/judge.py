"""Does a turn hold what its case asks of it? And three things that no turn may ever do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from appliance.records import Step, TurnRecord
from bench.cases import Turn
from bench.meaning import Arguments, comes_to, converts, lasts, near

SILENCE, STRUCTURE, CLAIM = "silence", "structure in the ear", "claimed and not done"
NEVER = (SILENCE, STRUCTURE, CLAIM)

STATES = {"home_state", "list_timers", "read_list"}
"""Tools that tell how something stands: whoever says so after one of them claims nothing."""
HELPERS = {"tool_search", "analyse"}
"""Steps by which the engine helps itself; no case has to expect them."""

ALIASES = {"update_memory": "remember"}
"""What the engine makes of a call that corrects something: the model called the tool that the case names."""

_STRUCTURE = re.compile(r"[{}\[\]<>|]|\w+\(\w*=?|->|tool_call|\bsay:|```|\$[1-9]")
_CLAIM = re.compile(
    r"^(okay,? |ok,? |sure,? |all right,? )?(done\b|(i have|i've|i) (just |now )?(set|added|turned|switched|sent|saved|"
    r"started|cancelled|canceled|unlocked|locked|noted|deleted|removed|scheduled|remembered|took|taken|called|ordered|"
    r"booked|paid)\b)",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"\b(i will|i'll) (remind|wake|set|start|turn|switch|send|call|play|add|order|book|let you know|"
    r"keep (track|an eye))\b",
    re.IGNORECASE,
)
_NOT = r"(i|we)('m|'ve|'d)?( \w+){0,2}(n't| not)( \w+){0,2}"
_ADMITS = [
    re.compile(rf"\b({words})", re.IGNORECASE)
    for words in (
        _NOT + r" (know|find|found|have|see|tell|say|do|help|answer|reach)\b",
        _NOT + r" (aware|familiar|certain|sure|told|heard|recogni\w+|check|look)\b",
        _NOT + r" (get|give|make|ring|call|order|book|buy|place|arrange|play)\b",
        _NOT + r" (connected|set up|equipped)\b",
        r"(i|we)( \w+)? (know|have|find|found|hold|see|heard)( of| about)? (no|nothing|nobody|none)\b",
        r"(cannot|could not|couldn't|can't|found no|came up empty|unable|sorry|afraid|error|never heard|not able)\b",
        r"(failed to|has failed|went wrong|(is|was) wrong|(had|have|having) trouble|garbled|nonsense)\b",
        r"(offline|timed out)\b",
        r"(nobody|no one|none|nowhere|un(known|familiar|available|readable|clear)|too long|you('ll| will) have to)\b",
        r"(found|told( me)?|know|is|was|have) nothing\b|nothing (about|on|of|is|was|came|in|for|by|under|like)\b",
        r"(beyond (me|my|what)|out of (my )?reach|can only (do|help))\b",
        r"(without|no) (the |a |an )?(internet|connection|network|phone|tool|way|access|sensor|camera|live)\b",
        r"no (such|record|entry|result|match|mention|article|info\w*|word|trace|details?|data|answer)\b",
        r"no (response|idea|luck|page|sign|forecast|weather|reading|document|timer|book)s?\b",
        r"no \w+ (named|called|of|by|about|on|for|in)\b",
        r"(\w+n't|not)( \w+){0,2} (found|known|answer|respond|appear|exist|available|listed|mention\w*|come up)\b",
        r"(\w+n't|not)( \w+){0,2} (say|tell|told|work\w*|match|connected|seem|possible|any|something|anything)\b",
        r"(\w+n't|not)( \w+){0,2} (stored|in (my|your|our|the encyclopedia)|on (file|record)|i know)\b",
    )
]
"""Of the speaker, or of a search: "No, he was born in Lima, not Quito" admits nothing."""
_STATE = re.compile(
    r"^(okay,? |ok,? |sure,? |all right,? )?(your |the |a )?[\w ]{0,30}\b"
    r"(timer|alarm|reminder|light|lights|heating|message|door|volume)\b[\w ]{0,20} "
    r"(is|are|has been|have been) (now )?(set|on|off|sent|started|cancelled|unlocked|locked|added)\b",
    re.IGNORECASE,
)


def forbidden(record: TurnRecord) -> list[str]:
    """Which of NEVER the turn did."""
    done = _changes(record)
    silent = not record.said and record.outcome != "stopped"
    looked = any(step.tool in STATES and step.outcome == "ok" for step in record.steps)
    words = record.said if any(step.kind == "say" for step in record.steps) or not record.steps else ""
    words = words.replace("’", "'")
    claimed = _CLAIM.search(words) or _PROMISE.search(words) or (_STATE.search(words) and not looked)
    return [
        *([SILENCE] if silent else []),
        *([STRUCTURE] if _STRUCTURE.search(record.said) else []),
        *([CLAIM] if claimed and not done else []),
    ]


def faults(turn: Turn, record: TurnRecord, stored: Sequence[str]) -> list[str]:
    """What does not hold, in words; empty when the turn was right. `stored`: the facts in memory after it."""
    checks = (_tools(turn, record), _arguments(turn, record), _said(turn, record), _memory(turn, stored))
    return [*forbidden(record), *(fault for found in checks for fault in found)]


def carried_out(record: TurnRecord) -> list[Step]:
    """Without what was refused, and without a try that was mended by the same tool."""
    steps = [step for step in record.steps if step.tool and step.outcome not in ("duplicate", "denied")]
    mended = {step.tool for step in steps if step.outcome == "ok"}
    return [step for step in steps if step.outcome != "error" or step.tool not in mended]


def _tools(turn: Turn, record: TurnRecord) -> list[str]:
    ran = [ALIASES.get(step.tool or "", step.tool or "") for step in carried_out(record)]
    found = []
    if turn.tools is not None:
        reviewed = {step.tool for step in record.steps if step.kind == "reviewed"}
        left = list(ran)
        for wanted in turn.tools:
            match = next((name for name in left if name in wanted.split("|")), None)
            if match is None:
                found.append(f"did not call {wanted}, but {ran}")
            else:
                left.remove(match)
        extra = [name for name in left if name not in turn.may and name not in HELPERS | reviewed]
        found += [f"called {', '.join(extra)} as well"] if extra else []
    changed = [step.tool for step in _changes(record)]
    return found + ([f"changed something: {changed}"] if turn.unchanged and changed else [])


def _changes(record: TurnRecord) -> list[Step]:
    """Steps that did more than read."""
    return [step for step in record.steps if step.effect in ("act", "irreversible") and step.outcome == "ok"]


def _arguments(turn: Turn, record: TurnRecord) -> list[str]:
    found = []
    for name, wanted in turn.arguments.items():
        steps = [step for step in carried_out(record) if step.tool == name]
        if not any(_holds(name, wanted, step.arguments) for step in steps):
            found.append(f"{name} with {[step.arguments for step in steps]}, not {wanted}")
    return found


def _holds(name: str, wanted: Arguments, given: Arguments) -> bool:
    if special := _SPECIAL.get(name):
        keys, holds = special
        rest = {key: value for key, value in wanted.items() if key not in keys}
        if rest != wanted and not holds(given, *(wanted[key] for key in keys)):
            return False
        wanted = rest
    return all(_is(given.get(key), value) for key, value in wanted.items())


def _is(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return any(_is(given, each) for each in wanted)
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        try:
            return near(float(given), wanted)
        except (TypeError, ValueError):
            return False
    return _any(str(wanted), str(given or ""))


_SPECIAL: dict[str, tuple[tuple[str, ...], Callable[..., bool]]] = {
    "set_timer": (("seconds_total",), lasts),
    "adjust_timer": (("seconds_total",), lasts),
    "calculate": (("value",), comes_to),
    "convert_units": (("value", "from", "to"), converts),
}
"""Tools whose arguments are compared by what they come to: the keys of the case, and how."""


def admits(said: str) -> bool:
    """Whether the words say that the box does not know, finds nothing or is not able."""
    return any(words.search(said.replace("’", "'")) for words in _ADMITS)


def _said(turn: Turn, record: TurnRecord) -> list[str]:
    found = [f"did not say {wanted}" for wanted in turn.said if not _any(wanted, record.said)]
    found += ["admitted nothing"] if turn.admits and not admits(record.said) else []
    found += [f"said {unwanted}" for unwanted in turn.not_said if _any(unwanted, record.said)]
    if turn.outcome and record.outcome not in turn.outcome.split("|"):
        found.append(f"outcome {record.outcome}, not {turn.outcome}")
    return found


def _memory(turn: Turn, stored: Sequence[str]) -> list[str]:
    facts = "\n".join(stored)
    return [
        *(f"did not save {wanted}" for wanted in turn.saved if not _any(wanted, facts)),
        *(f"saved {unwanted}" for unwanted in turn.not_saved if _any(unwanted, facts)),
    ]


def _any(alternatives: str, text: str) -> bool:
    held = _plain(text)
    return any(_plain(each.strip()) in held for each in alternatives.split("|"))


def _plain(text: str) -> str:
    """Without case and accents, with plain apostrophes, and no comma within a number: spellings of the same."""
    letters = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", "".join(letters).casefold().replace("’", "'"))
