"""What a running box says and does unasked: news, announcements, and orders whose time has come."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from appliance import events as ev
from appliance.build.commanded import Commanded
from appliance.ports import Ended, Thinker, Voice
from appliance.service.announcing import Announcer
from appliance.service.news import News, Once
from appliance.service.orders import DueOrders
from appliance.service.vitals import Vitals

Post = Callable[[ev.Event], None]


class Unasked(Commanded):
    @cached_property
    def due_orders(self) -> DueOrders:
        def do(work: Callable[[Thinker], None]) -> None:
            if self._turned:
                self._turned.do(work)

        return DueOrders(self.skills.orders, do, self.settings.words.language)

    def announcer(self, voice: Voice, post: Post) -> Announcer:
        """From now on `announce` is heard."""
        announcer = Announcer(voice, post, self.quiet_hours.now, self.settings.words.language)
        self._announce = announcer
        return announcer

    def news(self, voice: Voice, vitals: Vitals, post: Post) -> News:
        """What is wrong with a part of the box, timers that nobody could hear, those that rang with nobody there, once
        somebody is, and what came of orders for later."""
        rings = self.rings
        once = Once(self._mistake, self._llm_lack, self._other_lacks, self._language_lack, self._clock_doubt)
        missed, notice = list[Ended](), ""

        def sentences() -> list[str]:
            nonlocal notice
            untold = rings.alarms.missed()  # looked up first: one that comes in between is told twice, not never
            missed[:] = [each for each in untold if made.somebody_came or not each.rang]
            notice = self._store.notice
            return [notice, *once.sentences(), rings.telling.missed(missed), self.due_orders.sentence()]

        def told() -> None:
            self._store.told(notice)
            once.told()
            rings.alarms.done(*missed)
            self.due_orders.told()

        made = News(voice, vitals, sentences, told, post, self.quiet_hours.now)
        return made
