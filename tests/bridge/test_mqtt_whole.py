"""`appliance run` in its jail, the bridge's process and a real broker: what is shown of the box, and what it does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from broker import Broker, Watcher
from running_process import BridgeProcess
from running_service import RunningService

TOPIC = "voice-appliance"


@pytest.fixture
def watcher(broker: Broker) -> Iterator[Watcher]:
    with Watcher(broker.port) as made:
        yield made


def asked(service: RunningService) -> bool:
    """The first question starts it, which may take longer than anybody waits for an answer."""
    with suppress(OSError):
        return bool(service.status())
    return False


@pytest.mark.parametrize("may_unmute", [True, False])
def test_the_service_is_shown_and_obeys(tmp_path: Path, broker: Broker, watcher: Watcher, may_unmute: bool) -> None:
    mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nmay_unmute = {str(may_unmute).lower()}\n'
    with BridgeProcess(tmp_path, mqtt) as bridge:
        service = RunningService(tmp_path, bridge.settings)
        try:
            service.until(lambda: asked(service))
            watcher.until(f"{TOPIC}/availability", "online")
            watcher.until(f"{TOPIC}/state", lambda state: state in ("idle", "faulted"))
            watcher.until(f"{TOPIC}/volume", "70")
            watcher.publish(f"{TOPIC}/volume/set", "40")
            watcher.until(f"{TOPIC}/volume", "40")
            watcher.publish(f"{TOPIC}/muted/set", "ON")
            if may_unmute:
                watcher.until(f"{TOPIC}/muted", "ON")
                watcher.publish(f"{TOPIC}/muted/set", "OFF")
                watcher.until(f"{TOPIC}/muted", "OFF")
            else:  # it has no button that could open the microphone again
                time.sleep(2)
                assert watcher.now[f"{TOPIC}/muted"] == "OFF"
            watcher.publish(f"{TOPIC}/announce/set", "Dinner is ready")  # nobody hears it, and it goes on
            watcher.publish(f"{TOPIC}/volume/set", "50")
            watcher.until(f"{TOPIC}/volume", "50")
        finally:
            service.process.terminate()
            service.process.wait(30)
        watcher.until(f"{TOPIC}/availability", "offline")
