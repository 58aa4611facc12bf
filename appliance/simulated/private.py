"""Private mode without a card."""

from __future__ import annotations

from datetime import datetime


class AskedPrivate:
    """A `PrivateMode` that ends by a word only."""

    on, ran_out = False, False
    until: datetime | None = None

    def begin(self, until: datetime | None = None) -> None:
        self.on, self.until = True, until

    def end(self) -> None:
        self.on, self.until = False, None
