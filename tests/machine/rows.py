"""What a row of this rig begins with."""

from __future__ import annotations

import vm

from bench import machine, results


def begun() -> results.Row:
    return {
        "date": machine.today(),
        "machine": machine.name(),
        "commit": machine.commit(),
        "host": machine.describe(),
        "box": {"system": "Debian 12", "cores": vm.CORES, "memory_mb": vm.MEMORY_MB, "emulator": vm.version()},
    }
