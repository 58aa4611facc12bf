"""What the tests of the bridge share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench.real_home import environment


@pytest.fixture(scope="session")
def home_python(request: pytest.FixtureRequest) -> Path:
    """Of Home Assistant: in the folder HOME_ASSISTANT_ENVIRONMENT, or one in pytest's cache."""
    folder = os.environ.get("HOME_ASSISTANT_ENVIRONMENT")
    return environment(Path(folder) if folder else request.config.cache.mkdir("home-assistant"))
