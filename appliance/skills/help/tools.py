"""What the box can do, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.errors import CannotBeDone
from appliance.ports import Ledger, Skill, Spoken, TakenBack
from appliance.skills.written import Words


class Help:
    def __init__(
        self, skills: Callable[[], Sequence[Skill]], last_heard: Callable[[], str], ledger: Ledger, words: Words
    ) -> None:
        """last_heard: see SkillContext."""
        self._skills, self._last_heard, self._ledger, self._words = skills, last_heard, ledger, words

    def help(self) -> Spoken:
        """Tell what the box can do."""
        told = [skill.summary for skill in self._skills() if skill.summary and not skill.missing()]
        if not told:
            return self._words.say("only_talk")
        return self._words.say("help", abilities=self._joined(told))

    def last_deed(self) -> Spoken:
        """Tell what was done last."""
        said = self._ledger.said
        return self._words.say("last_deed" if said else "no_deed", said=said)

    def undo(self) -> Spoken:
        """Take back what was done last."""
        said = self._ledger.said
        if not self._ledger.undoable:
            raise CannotBeDone(self._words.say("cannot_undo" if said else "nothing_to_undo", said=said))
        self._ledger.undo()
        return TakenBack(self._words.say("undone", said=said))

    def last_heard(self) -> Spoken:
        """Tell what the user said last."""
        heard = self._last_heard()
        return self._words.say("last_heard" if heard else "not_heard", heard=heard)

    def _joined(self, parts: Sequence[str]) -> str:
        *others, last = parts
        return self._words.say("abilities", others=", ".join(others), last=last) if others else last
