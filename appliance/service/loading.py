"""What the service brings while it runs already: models take seconds to minutes, and a timer waits for none of them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from appliance import events as ev
from appliance.errors import outcome_of


class Loading:
    """`load` on a thread of its own. Whatever it ends in ends the service: a thread's own end would be a silent one."""

    def __init__(self, load: Callable[[], None]) -> None:
        self._load = load
        self._outcome: Exception | None = None

    def start(self, post: Callable[[ev.Event], None], stop: Callable[[], None]) -> None:
        """Post Loaded once it is done, or stop the service."""
        Thread(target=self._run, args=(post, stop), name="load", daemon=True).start()

    def check(self) -> None:
        """Raises what loading ended in."""
        if self._outcome:
            raise self._outcome

    def _run(self, post: Callable[[ev.Event], None], stop: Callable[[], None]) -> None:
        self._outcome = outcome_of(self._load)
        stop() if self._outcome else post(ev.Loaded())
