"""An in-memory adapter for every port: the shortest documentation of the port, and what logic is tested with."""

from __future__ import annotations
