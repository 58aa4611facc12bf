"""Which tools a line can mean: one score for each tool, and two thresholds.

The score is the classifier's, or for a tool that it was never taught the generic prior of that tool's own lines. A
tool is offered from OFFER on; from NEEDED on the answer can only be a call. Both were chosen on
models/training/unseen.en.tsv (2026-11-26): with OFFER 338 of 342 lines for a tool are offered the right one, among 1.9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from appliance.ports import Tool
from appliance.reply.line import ELSEWHERE, Line
from appliance.reply.prompt import SEARCH
from appliance.reply.toolset import Toolset

OFFER, SHARE = 0.01, 0.02
"""The least score at which a tool is offered, and the least share of the best score."""
CERTAIN = 0.8
"""The score from which a line means a tool for certain, whatever else speaks for talk."""
NEEDED, IN_WORDS = 0.4, 0.3
"""The least score of the likeliest tool from which only calls may be written, and how likely the line may not be to
call for none: an answer in words would be a promise, or a guess at what the box has. So it is for 175 of 252 unseen
lines for a tool, and for 1 of 100 others (models/training/unseen.en.tsv, 2026-11-27)."""
MEANT, ASKED = 0.3, 0.45
"""The least score beside a question for general knowledge, and how likely a line must be one: 266 of 300 questions by
strangers are, and 5 of 80 about what is new, local or private (models/training/questions, 2026-11-27)."""
ABSENT = 0.5
"""The score from which a line is refused that wants what no skill here does, if no tool has more: none of 286 unseen
lines for a tool or for none, 92 of 114 for something else (models/training/unseen.en.tsv, 2026-11-27)."""
NAMED = 0.3
"""The score of a kind from which a refusal names it; a judgement."""
WHOLE = 2
"""Telling words from which a line is no fragment, as "go on" and "tell me" are: those go on with what was said before,
and are refused only where they are CERTAIN to want what is not here; so is any line behind one that a tool served."""
IDLE = 0.7
"""From here on the line is taken to call for no tool, unless one is CERTAIN."""
TALK = 0.95
"""From here on it is small talk, for which no more tools are searched: 39 of 58 unseen lines for no tool have as much,
none of 189 for a tool on board (models/training/unseen.en.tsv, 2026-11-27)."""
DIRECT = 0.5
"""The score from which a tool is called that the model never sees, if no tool of the model's has more."""
GOING_ON = 0.5
"""Share of the least score that is enough behind a reviewed sentence; a judgement."""
A_TOOL = 0.1
"""How likely a line may be to call for none, so that words alone would guess at what the box has or did: with no tool
NEEDED, 10 of 325 unseen lines for a tool and 1 of 75 others (models/training/unseen.en.tsv, 2026-11-28)."""
SAID = "said"
"""Marks a parameter, in its schema, whose value is a number or a length that somebody must have said."""

WHEN = "when"
"""Marks a parameter, in its schema, whose value is the words that tell a time."""

Prior = Callable[[str], Mapping[str, float]]


@dataclass(frozen=True)
class Recent:
    """What the turns before leave open."""

    used: frozenset[str] = frozenset()
    """Tools of the last turn."""
    awaited: frozenset[str] = frozenset()
    """Tools that were offered when the box asked something: a short line answers it."""
    counted: bool = False
    """A number stands in what was said or found last."""


@dataclass(frozen=True)
class Selection:
    tools: tuple[Tool, ...] = ()
    """Those that are offered."""
    forced: bool = False
    """Only calls may be written."""
    absent: str = ""
    """What the line wants that no tool here does: a key of prompts/cannot.yaml, or ELSEWHERE."""
    guess: bool = False
    """It wants a tool, and nobody knows which: words that ask nothing would guess at what the box has or did."""
    direct: str = ""
    """Name of a tool that is called without the model: it says a reviewed sentence, or takes no argument."""


class Selector:
    def __init__(
        self,
        skill_of: Mapping[str, str],
        lacking: Set[str],
        answers: Mapping[str, float] | None = None,
        direct: Set[str] = frozenset(),
        prior: Prior = lambda text: {},
    ) -> None:
        """skill_of: tool -> the skill it belongs to.  lacking: names of what the box cannot do, though people ask.

        answers: skill with reviewed sentences -> the least score.  direct: names of the tools that the model never sees
        and that can be called without an argument.  prior: scores of a line for tools never taught.
        """
        self._skill_of, self._lacking, self._prior = skill_of, lacking, prior
        self._skills = frozenset(skill_of.values())
        self._answers, self._direct = answers or {}, direct

    def select(self, line: Line, tools: Toolset, recent: Recent, facts: Sequence[str] = ()) -> Selection:
        """facts: those that stand beside the line; what they may answer is not forced to be looked up."""
        if answer := self._answer(line, recent):
            return Selection(direct=answer)
        if line.no_tool is None:
            return Selection(tuple(tool for tool in tools if tool.ready()))
        scores = self.scores(line, tools)
        best = max(scores, key=lambda name: scores[name], default="")
        top = scores.get(best, 0.0)
        if command := self._command(line, top):
            return Selection(direct=command)
        idle = line.no_tool >= IDLE and top < CERTAIN
        of_the_world = line.world >= ASKED and not facts
        least = MEANT if of_the_world else max(OFFER, SHARE * top)
        taught = line.scores.keys()
        likely = {name for name, score in scores.items() if (score >= least and not idle) or name not in taught}
        likely -= {name for name, score in scores.items() if score < OFFER}
        likely -= {SEARCH} if line.no_tool >= TALK or of_the_world else set()
        going_on = set() if idle or of_the_world else self._going_on(recent)
        offered = [
            tool
            for tool in tools
            if tool.ready()
            and (tool.name in likely | going_on | recent.awaited)
            and (line.counted or recent.counted or not needs_number(tool))
        ]
        if (absent := self._absent(line, top, recent)) and not any(tool.name in tools.found for tool in tools):
            return Selection(absent=absent)
        needed = self._needed(best, top, line, offered, recent, facts)
        return Selection(tuple(offered), needed, guess=_would_be_guess(line, top, offered, recent, facts))

    def scores(self, line: Line, tools: Toolset) -> dict[str, float]:
        """Tool -> how likely the line means it, for all that may run; of what nothing is known it may be meant."""
        scores = {
            tool.name: line.scores.get(tool.name, line.scores.get(self._skill_of.get(tool.name, ""))) for tool in tools
        }
        untaught = self._prior(line.text) if None in scores.values() else {}
        return {name: untaught.get(name, OFFER) if score is None else score for name, score in scores.items()}

    def _going_on(self, recent: Recent) -> set[str]:
        """The tools of the last turn and all others of their skills."""
        return of_their_skills(recent.used, self._skill_of) | recent.used

    def _needed(
        self, best: str, top: float, line: Line, offered: Sequence[Tool], recent: Recent, facts: Sequence[str]
    ) -> bool:
        """Whether only a call can be right.  best, top: the likeliest tool and its score."""
        tool = next((tool for tool in offered if tool.name == best), None)
        if tool is None or recent.awaited or (tool.effect == "read" and facts):
            return False
        elsewhere = line.scores.get(ELSEWHERE, 0.0)
        return top >= max(NEEDED, elsewhere) and (line.no_tool or 0.0) < IN_WORDS

    def _answer(self, line: Line, recent: Recent) -> str:
        """The tool with the reviewed sentence that the line means more than anything else; empty where none does.

        The skill has a score of its own, for a line may mean any of its sentences, and none clearly. Behind one of
        them half the score is enough: what is said next is likely to be about the same.
        """
        for skill, least in self._answers.items():
            own = {name for name, owner in self._skill_of.items() if owner == skill} | {skill}
            least = least * GOING_ON if own & recent.used else least
            likely = {name: line.scores[name] for name in own & line.scores.keys()}
            score = max(likely.values(), default=0.0)
            others = max((other for name, other in line.scores.items() if name not in own), default=0.0)
            if likely.keys() - {skill} and score >= least and score > others:
                return max(likely.keys() - {skill}, key=lambda name: likely[name])
        return ""

    def _command(self, line: Line, top: float) -> str:
        """The tool beyond the model's that the line means more than any of those."""
        scores = {name: line.scores[name] for name in self._direct & line.scores.keys()}
        best = max(scores, key=lambda name: scores[name], default="")
        return best if best and scores[best] >= DIRECT and scores[best] > top else ""

    def _absent(self, line: Line, top: float, recent: Recent) -> str:
        """What the line rather wants than any tool, and nothing here does: an order is done, or it is said that not.

        How likely that is, ELSEWHERE says better than any of its kinds; which of them it is, is a guess, and a skill
        that is here after all may be the likelier one.
        """
        wanted = {name: line.scores[name] for name in self._lacking & line.scores.keys()}
        best = max(wanted, key=lambda name: wanted[name], default="")
        here = max((line.scores.get(skill, 0.0) for skill in self._skills), default=0.0)
        if not best or here >= wanted[best]:
            return ""
        score = max(wanted[best], line.scores.get(ELSEWHERE, 0.0))
        by_itself = line.named >= WHOLE and not recent.used
        if score < (ABSENT if by_itself else CERTAIN) or score <= top:
            return ""
        return best if wanted[best] >= NAMED else ELSEWHERE


def _would_be_guess(line: Line, top: float, offered: Sequence[Tool], recent: Recent, facts: Sequence[str]) -> bool:
    """Whether words would have no source: the line is whole by itself, and wants a tool."""
    goes_on = recent.used or recent.awaited or line.named < WHOLE
    for_words = facts or line.world >= ASKED or (line.no_tool or 0.0) >= A_TOOL
    return not goes_on and not for_words and top < NEEDED and all(tool.name in line.scores for tool in offered)


def of_their_skills(used: Set[str], skill_of: Mapping[str, str]) -> set[str]:
    """All tools of the skills that `used` belong to: a line may go on with any of them in a few words."""
    skills = {skill_of.get(name, name) for name in used}
    return {name for name, skill in skill_of.items() if skill in skills}


def said_parameters(tool: Tool) -> set[str]:
    """Names of the parameters whose number must have been said."""
    return _marked(tool, SAID)


def when_parameters(tool: Tool) -> set[str]:
    """Names of the parameters that tell a time in words."""
    return _marked(tool, WHEN)


def _marked(tool: Tool, mark: str) -> set[str]:
    parts = tool.schema.get("properties", {})
    return {name for name, part in parts.items() if any(mark in each for each in (part, *part.get("anyOf", ())))}


def needs_number(tool: Tool) -> bool:
    """Whether it cannot be called without a number that somebody said."""
    return bool(said_parameters(tool) & set(tool.schema.get("required", ())))
