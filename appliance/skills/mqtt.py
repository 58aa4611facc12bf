"""What skills know of the MQTT broker that the bridge reaches."""

from __future__ import annotations

MQTT = "mqtt"
"""The provider."""
