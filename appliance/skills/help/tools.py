"""What the box can do, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.ports import Skill, Spoken


class Help:
    def __init__(self, skills: Callable[[], Sequence[Skill]]) -> None:
        self._skills = skills

    def help(self) -> Spoken:
        """Tell what the box can do."""
        told = [skill.summary for skill in self._skills() if skill.summary and not skill.missing()]
        if not told:
            return Spoken("All I can do is talk.")
        return Spoken(f"I can {_joined(told)}. The rest is talk.")


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
