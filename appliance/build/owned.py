"""What the owner sees and changes of the box on the page (ports/owner.py), beside talking with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from appliance.build.examined import examine, rows_of
from appliance.doors.hub_lines import Handler, Tell
from appliance.errors import first_fault
from appliance.models import choice
from appliance.models.registry import Catalog
from appliance.ports import Skill, owner
from appliance.ports.hub import Do, Nothing
from appliance.ports.refusals import Refused
from appliance.settings import Settings
from appliance.settings_choices import PLACES, Chosen, Kept

if TYPE_CHECKING:
    from appliance.audio import Stale
    from appliance.build.hubbed import Hubbed

END_AFTER_S = 0.3
"""For what was answered to reach the hub."""
FILE_REMEDY = "change it in /etc/voice-appliance/config.toml; then: sudo systemctl restart va"
VOLUME, SKILLS, WAKE = "volume", "skills", "wake/"


class OwnerDesk:
    """Its handlers run on threads of the door."""

    def __init__(self, parts: Hubbed) -> None:
        self._parts, self._source = parts, parts.started.source
        self._lock = Lock()
        self.handlers: dict[Do, Handler] = {
            "settings": Handler(lambda asked, tell, gone: self._settings(), slow=True),
            "choose": Handler(self._choose, slow=True),
            "skills": Handler(lambda asked, tell, gone: self._skills(), slow=True),
            "switch": Handler(self._switch, slow=True),
            "restart": Handler(self._restart),
            "examine": Handler(self._examine, slow=True),
        }

    def _settings(self) -> owner.OwnSettings:
        coming, choices = self._source.load(), self._source.choices
        values, now = _values(coming), _values(self._parts.settings)
        return owner.OwnSettings(
            values=values | {VOLUME: self._parts.volume.level},
            choices=self._offered(coming),
            fixed=sorted(self._source.fixed()),
            waits=[*(name for name in values if values[name] != now[name]), *self._skills_wait(coming)],
            set_up=self._source.set_up,
            taken_back=choices.taken_back,
            restarts=self._parts.managed,
        )

    def _skills_wait(self, coming: Settings) -> list[str]:
        return [SKILLS] if {*coming.skills.off} != {*self._parts.settings.skills.off} else []

    def _offered(self, settings: Settings) -> dict[str, list[str]]:
        """A wake word needs its model, and a language the one that would hear it (models/choice.py)."""
        hears = {each: choice.words(_speaking(settings, each)) for each in _literals("language")}
        rows = Catalog(settings.models).rows([*hears.values(), *(f"{WAKE}{each}" for each in _literals("wake_word"))])
        here = {row.name for row in rows if row.state == "here"}
        heard = {language for language, model in hears.items() if model in here}
        woken = {name.removeprefix(WAKE) for name in here if name.startswith(WAKE)}
        return {
            "wake_word": sorted({*woken, settings.ears.wake_words[0]}),
            "language": sorted({*heard, settings.words.language}),
            "ring_sound": [*_literals("ring_sound")],
        }

    def _choose(self, asked: owner.Choose, tell: Tell, gone: Stale) -> owner.OwnSettings:
        """What it answers is on the disk. Raises ApplianceError."""
        try:
            change = owner.Change.model_validate(asked.changes)
        except ValidationError as error:
            raise Refused("bad_request", first_fault(error, "the change"), remedy="correct it") from None
        chosen = change.model_dump(exclude_unset=True, exclude={VOLUME})
        self._refuse_fixed(chosen)
        offered = self._offered(self._source.load())
        for name in chosen.keys() & offered.keys():
            if chosen[name] not in offered[name]:
                what = f"{name}: there is no {chosen[name]} on this box"
                raise Refused("bad_request", what, remedy=f"choose one of: {', '.join(offered[name])}")
        if chosen:
            self._keep(lambda kept: chosen)
        if VOLUME in change.model_fields_set:
            self._parts.volume.set(change.volume)
        return self._settings()

    def _refuse_fixed(self, names: Iterable[str]) -> None:
        """Raises Refused."""
        if fixed := sorted(self._source.fixed() & {*names}):
            raise Refused("not_allowed", f"{fixed[0]} is set in the settings file, which wins", remedy=FILE_REMEDY)

    def _keep(self, changes: Callable[[Kept], dict[str, Any]]) -> None:
        """What is otherwise then, of what was chosen so far. Raises ApplianceError."""
        with self._lock:
            choices = self._source.choices
            before = choices.kept
            kept = Kept(**before.model_dump(exclude_unset=True) | changes(before))
            self._source.load(kept)  # or the next start would not take them
            choices.choose(kept)

    def _skills(self) -> owner.OwnSkills:
        skills, coming = self._parts.skills, self._source.load().skills.off
        by_file, now = self._source.off(), self._parts.settings.skills.off
        absent = {skill.name for skill in skills.absent}

        def told(skill: Skill) -> owner.OwnSkill:
            return owner.OwnSkill(
                name=skill.name,
                about=skill.title or skill.summary,
                on=skill.name not in coming,
                missing=skill.missing() if skill.name in absent else "",
                fixed=skill.name in by_file,
                waits=(skill.name in coming) is not (skill.name in now),
            )

        every = sorted([*skills.on, *skills.off, *skills.absent], key=lambda skill: skill.name)
        return owner.OwnSkills(skills=[told(skill) for skill in every])

    def _switch(self, asked: owner.Switch, tell: Tell, gone: Stale) -> owner.OwnSkills:
        """Raises ApplianceError."""
        found = [each for each in self._skills().skills if each.name == asked.skill]
        if not found:
            raise Refused("bad_request", f"there is no skill {asked.skill}", remedy="look at GET /api/v0/skills")
        if found[0].fixed:
            raise Refused("not_allowed", f"skills.off of the settings file names {asked.skill}", remedy=FILE_REMEDY)

        def changes(kept: Kept) -> dict[str, Any]:
            others = {*kept.skills_off} - {asked.skill}
            return {"skills_off": sorted(others if asked.on else others | {asked.skill})}

        self._keep(changes)
        return self._skills()

    def _restart(self, asked: Nothing, tell: Tell, gone: Stale) -> Nothing:
        """The service ends, and its manager starts it again. Raises ApplianceError."""
        if not self._parts.managed:
            raise Refused("not_allowed", "nobody would start the box again", remedy="end it, and start it by hand")
        with self._lock:
            self._source.choices.note_restart()
        timer = Timer(END_AFTER_S, self._parts.end)
        timer.daemon = True
        timer.start()
        return Nothing()

    def _examine(self, asked: Nothing, tell: Tell, gone: Stale) -> owner.Examined:
        settings = self._parts.settings
        rows = rows_of(settings)
        return owner.Examined(
            checks=[owner.OneCheck.model_validate(check.as_dict()) for check in examine(settings, models=rows)],
            models=[
                owner.OneModel(
                    name=row.name,
                    role=row.role,
                    bytes=row.bytes,
                    state=row.state,
                    what=row.what,
                    hashed_at=row.hashed_at,
                )
                for row in rows
            ],
        )


def _values(settings: Settings) -> dict[str, Any]:
    """Choice -> its value, as JSON has it."""
    whole, values = settings.model_dump(mode="json"), dict[str, Any]()
    for name in Chosen.model_fields:
        value: Any = whole
        for key in PLACES[name]:
            value = value[key]
        values[name] = value[0] if isinstance(value, list) else value
    return values


def _speaking(settings: Settings, language: str) -> Settings:
    return settings.model_copy(update={"words": settings.words.model_copy(update={"language": language})})


def _literals(name: str) -> tuple[str, ...]:
    return get_args(Chosen.model_fields[name].annotation)
