"""What a running box says, does and shows unasked: news, announcements, orders whose time has come, by MQTT, and to the
other boxes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property, partial

from appliance import events as ev
from appliance import ports
from appliance.audio import Stale
from appliance.build.commanded import Commanded
from appliance.errors import CannotBeDone
from appliance.ports import Chore, Ears, Ended, Thinker, Voice
from appliance.service.announcing import Announcer, FromOthers
from appliance.service.boxes import OthersByBridge
from appliance.service.call_turns import CallTurns
from appliance.service.calls import Calls
from appliance.service.device import Device
from appliance.service.news import News, Once
from appliance.service.orders import DueOrders
from appliance.service.reflecting import reflecting
from appliance.service.satellite import Play
from appliance.service.states import IN_CALL, QUIET, SERVING, Action, State
from appliance.service.vitals import Vitals
from appliance.wording import said

Post = Callable[[ev.Event], None]

ALARMS, ANNOUNCEMENTS, INTERCOM = "alarms", "announcements", "intercom"
"""The skills whose next ring is shown, without which nothing is announced that came by MQTT, and no other box rings."""
MOST_TEXT = 300
"""Characters of an announcement."""
MOST_FROM_OTHERS = MOST_TEXT + 60
"""With the name of the box that it is from, "says", and a full stop."""


class Unasked(Commanded):
    _call_turns: CallTurns | None = None

    @cached_property
    def due_orders(self) -> DueOrders:
        def do(work: Callable[[Thinker], None]) -> None:
            if self._turned:
                self._turned.do(work)

        return DueOrders(self.skills.orders, do, self.settings.words.language)

    def reflecting(self, vitals: Vitals) -> Chore:
        """What was said goes into the diary while nobody is served, once the model is there."""

        def piece() -> bool:
            if self._turned is None or not vitals.settled:
                return False
            return self._turned.reflect(lambda: vitals.state in QUIET)

        return reflecting(piece)

    def announcer(self, voice: Voice, post: Post) -> Announcer:
        """From now on `announce` is heard."""
        announcer = Announcer(voice, post, self.quiet_hours.now, self.settings.words.language)
        self._announce, self._aloud = announcer, announcer.aloud
        return announcer

    @cached_property
    def device(self) -> Device | None:
        """The box as MQTT shows it; None where no broker is set."""
        if not (self.settings.mqtt.host and self.bridge):
            return None
        return Device(self.bridge, lambda: self.volume.level, self._next_alarm)

    def _next_alarm(self) -> datetime | None:
        rings = [skill.rings for skill in self.skills.on if skill.name == ALARMS and skill.rings]
        left_s = rings[0].alarms.next_due_in() if rings else None
        return None if left_s is None else self.clock.now() + timedelta(seconds=left_s)

    def obey(self, device: Device, post: Post, vitals: Vitals) -> None:
        """From now on do what may be ordered by MQTT, and nothing else."""
        may_unmute = self.settings.mqtt.may_unmute

        def mute(muted: bool) -> None:
            if muted and not may_unmute:
                self._mute()  # which knows whether a button could end it
            elif muted:
                post(ev.MuteAsked())
            elif not may_unmute:
                raise CannotBeDone("only its button opens the microphone", remedy="or set mqtt.may_unmute")
            elif vitals.state is State.MUTED:
                post(ev.MuteToggled())

        device.obey({"muted": mute, "volume": self.volume.set, "announce": self.announce_text})

    @cached_property
    def others(self) -> OthersByBridge | None:
        """The other boxes of the house; None where none are set."""
        return OthersByBridge(self.bridge) if self.settings.boxes.others and self.bridge else None

    def shared(self, ears: Ears, vitals: Vitals) -> Ears:
        """Ears that give way to other boxes which heard a wake word better."""
        if self.others is None or not self.settings.boxes.one_answers:
            return ears
        from appliance.ears.earshot import Earshot

        def gave_way() -> None:
            vitals.gave_way += 1

        def serves() -> bool | None:
            busy = vitals.state in (*SERVING, *IN_CALL, State.FOLLOW_UP, State.RINGING)
            return busy if busy or vitals.state is State.IDLE else None

        return Earshot(ears, self.settings.boxes.own, self.others, serves, time.monotonic, gave_way)

    @contextmanager
    def with_others(self, vitals: Vitals) -> Iterator[Callable[[], None]]:
        """While it is entered, other boxes are told of and listened to. Gives what is to be called in each round."""
        if self.others is None:
            yield lambda: None
            return

        language, calls = self.settings.words.language, self.house_calls
        announce = partial(self.announce_text, most_chars=MOST_FROM_OTHERS)
        said = FromOthers(announce, lambda: vitals.state, partial(self._cannot, vitals), language)

        def each_round() -> None:
            said.each_round()
            if self._call_turns:
                self._call_turns.each_round(vitals.state)

        with self.others as others:
            others.obey(said)
            if calls:
                others.answer(calls)
            yield each_round
            if calls:
                calls.hang_up("hung_up")

    def _cannot(self, vitals: Vitals, anyway: bool = False) -> str:
        """Why nothing may be said or rung for another box now, as a code of ANSWERS; empty where it may."""
        if self.quiet_hours.now() and not anyway:
            return "quiet"
        return "not_now" if vitals.dumb or not self.volume.level else ""

    @cached_property
    def house_calls(self) -> Calls | None:
        """With other boxes; None where none are set."""
        return Calls(self.others) if self.others else None

    @cached_property
    def calls(self) -> ports.Calls:
        return self.house_calls or ports.NO_CALLS

    def open_calls(self, voice: Voice, play: Play, ears: Ears, post: Post, vitals: Vitals) -> None:
        """From now on other boxes can call, and be called."""
        calls, turned, language = self.house_calls, self._turned, self.settings.words.language
        if calls is None or turned is None:
            return
        from appliance.reply.understanding.in_call import in_call

        def cannot() -> str:
            if self.pairing and self.pairing.asks:  # a press of the button is for that
                return "busy"
            return self._cannot(vitals) if any(skill.name == INTERCOM for skill in self.skills.on) else "not_now"

        calls.serve(post, lambda: vitals.state, cannot, lambda: turned.unasked())
        longest_s = self.settings.ears.overheard_max_s
        self._call_turns = CallTurns(
            calls,
            voice,
            play,
            ears.attend,
            turned,
            lambda line: in_call(self.lane(language), line),
            longest_s,
            language,
        )

    def in_call(self, action: Action, event: ev.Event, turn: int, stale: Stale) -> None:
        """A `DoInCall`."""
        if self._call_turns:
            self._call_turns.do(action, event, turn, stale)

    def announce_text(self, text: str, anyway: bool = False, most_chars: int = MOST_TEXT) -> None:
        """What came by MQTT, through the hub, or from another box. Raises CannotBeDone."""
        from appliance.safety.fence import harmless

        if not any(skill.name == ANNOUNCEMENTS for skill in self.skills.on):
            raise CannotBeDone(f"the skill {ANNOUNCEMENTS} is off", remedy="take it out of skills.off")
        self.announce(harmless(text, most_chars), anyway)

    def news(self, voice: Voice, vitals: Vitals, post: Post) -> News:
        """What is wrong with a part of the box, timers that nobody could hear, those that rang with nobody there, once
        somebody is, and what came of orders for later."""
        rings = self.rings
        once = Once(
            self._not_set_up,
            self._mistake,
            self._llm_lack,
            self._other_lacks,
            self._other_voice,
            self._language_lack,
            self._clock_doubt,
        )
        missed, notice = list[Ended](), ""

        def sentences() -> list[str]:
            nonlocal notice
            untold = rings.alarms.missed()  # looked up first: one that comes in between is told twice, not never
            missed[:] = [each for each in untold if made.somebody_came or not each.rang]
            notice = self._store.notice
            private = said("private_ended", self.settings.words.language) if self.private.ran_out else ""
            return [notice, *once.sentences(), rings.telling.missed(missed), self.due_orders.sentence(), private]

        def told() -> None:
            self._store.told(notice)
            once.told()
            rings.alarms.done(*missed)
            self.due_orders.told()
            if self.private.ran_out:
                self.private.end()

        made = News(voice, vitals, sentences, told, post, self.quiet_hours.now)
        return made
