"""Announces a service: `announcing.py PORT SECONDS`. Run by test_announce.py in a network of its own."""

from __future__ import annotations

import asyncio
import sys

from appliance.hub import announce


async def main(port: int, seconds: float) -> None:
    announce.LOOK_S = 0.3
    async with announce.announced("_wyoming._tcp.local.", "Kitchen box", port, {"version": "1"}):
        await asyncio.sleep(seconds)


asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
