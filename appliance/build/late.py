"""A language model that was lost as it was first loaded: its process is started again, and is used once it is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread

from appliance.errors import Cancelled, ModelLost

LOOK_S = 2.0
"""Between two looks."""


def await_model(ask: Callable[[], object], use: Callable[[], None]) -> Thread:
    """`ask` raises ModelLost as long as there is none, and Cancelled once nobody wants it.

    `use` is called when there is one, and again where that raises ModelLost.
    """

    def wait() -> None:
        while True:
            time.sleep(LOOK_S)
            try:
                ask()
                use()
                return
            except ModelLost:
                continue
            except Cancelled:
                return

    thread = Thread(target=wait, name="late model", daemon=True)
    thread.start()
    return thread
