"""What the box can do, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.ports import Skill, Spoken


class Help:
    def __init__(
        self, skills: Callable[[], Sequence[Skill]], last_heard: Callable[[], str], last_deed: Callable[[], str]
    ) -> None:
        """last_heard, last_deed: see SkillContext."""
        self._skills, self._last_heard, self._last_deed = skills, last_heard, last_deed

    def help(self) -> Spoken:
        """Tell what the box can do."""
        told = [skill.summary for skill in self._skills() if skill.summary and not skill.missing()]
        if not told:
            return Spoken("All I can do is talk.")
        return Spoken(f"I can {_joined(told)}. The rest is talk.")

    def last_deed(self) -> Spoken:
        """Tell what was done last."""
        deed = self._last_deed()
        return Spoken(f"The last thing I did: {deed}" if deed else "I have done nothing since we began to talk.")

    def last_heard(self) -> Spoken:
        """Tell what the user said last."""
        heard = self._last_heard()
        return Spoken(f"I heard this: {heard}" if heard else "I have heard nothing before that.")


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
