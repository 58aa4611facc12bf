"""Model servers behind real sockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lan_server import Serve, serving


@pytest.fixture
def serve() -> Iterator[Serve]:
    with serving() as serve:
        yield serve
