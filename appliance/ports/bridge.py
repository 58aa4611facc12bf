"""What the box has of the network: providers in a process of their own, the bridge, which a local socket reaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

News = Callable[[str, Any], None]
"""Takes the kind of a piece of news and its value, as JSON has them."""

LINK = "link"
"""Kind of the news that a provider can be reached, or not: {"up": bool, "why": str}; the first after every connection,
and whenever it changes. `why` is a code of the provider's, such as "refused" or "no_answer"; empty while it is up."""


class Bridge(Protocol):
    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        """What a provider answers, as JSON has it.

        Raises BadArgument where better arguments would help, CannotBeDone where the bridge or the provider cannot be
        reached, refuses, or does not answer in time. Whether it was done is then not known.
        """
        ...

    def follow(self, provider: str, heard: News) -> None:
        """From now on call `heard` with each piece of news of `provider`, in their order, from a thread of the bridge.

        A provider tells all that it knows after every connection, so that what is kept can be begun anew. While the
        bridge itself cannot be reached, each follower hears of a LINK that is down, with "no_bridge".
        """
        ...
