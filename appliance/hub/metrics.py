"""What Prometheus reads of the hub: how much was asked, how it was answered, how long that took."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as MEDIA_TYPE

__all__ = ["MEDIA_TYPE", "Metrics"]

SECONDS = (0.005, 0.015, 0.05, 0.15, 0.5, 1.5, 5, 15, 60)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "va_hub_requests_total", "Requests, by route and status.", ["route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "va_hub_request_seconds", "Until the answer began.", ["route"], buckets=SECONDS, registry=self._registry
        )
        self._connected = Gauge("va_hub_core_connected", "1 while the core is reached.", registry=self._registry)

    def answered(self, route: str, status: int, seconds: float) -> None:
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self, connected: bool) -> bytes:
        self._connected.set(connected)
        return generate_latest(self._registry)
