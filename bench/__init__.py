"""Trials and measurements of the real appliance: `python -m bench.evaluate`, `bench.wake`, `bench.bench`."""

import sys
from collections.abc import Callable

from appliance.errors import ApplianceError  # `appliance` first: it switches onnxruntime's telemetry off


def exit_with(main: Callable[[], int]) -> None:
    """Run one of the commands and end with its exit code."""
    try:
        sys.exit(main())
    except ApplianceError as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
