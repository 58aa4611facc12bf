"""Why a provider cannot be reached, by the code that its LINK gives: for the log, and for `appliance bridge check`."""

from __future__ import annotations

TROUBLE = {
    "no_server": ("there is no server, or it is starting", "look whether it runs, and whether its address is right"),
    "no_answer": ("the server takes the connection and does not answer", "restart it"),
    "refused": (
        "the server refuses the token",
        "write a new one into the file; for Home Assistant, an administrator's",
    ),
    "no_token": ("the token's file cannot be used", "see the line before; chmod 600, and the bridge's user its owner"),
    "no_login": (
        "the broker does not let the box in",
        "correct mqtt.user, and the password in the file of mqtt.password_file",
    ),
    "no_trust": ("its certificate is not trusted, or it does not speak TLS", "see docs/reference.md for mqtt.tls"),
    "too_old": ("the broker does not speak MQTT 5", "use a newer one, such as Mosquitto from 1.6 on"),
    "nonsense": ("what answers there is something else, or says too much at once", "look whether its address is right"),
    "turned_away": (
        "the search engine turns the bridge away",
        "let it answer in JSON (formats, below search, in SearXNG's settings.yml), and its limiter let this box pass",
    ),
    "no_engines": ("none of the engines that it asks answers", "look at its page of statistics, or allow it others"),
    "refused_page": ("the page is not there, or not for this box", "look at it in a browser"),
    "no_text": ("there is no text", "look at it in a browser"),
    "private": ("that address is none of the internet", "nothing to correct"),
    "not_let_out": (
        "va-bridge.service lets the bridge reach the home and no further",
        "allow it the internet (docs/reference.md, The internet)",
    ),
    "no_place": ("nobody knows where that place is", "set weather.latitude and weather.longitude"),
    "starting": ("it has not answered yet", "ask again in a moment"),
    "no_program": ("its program cannot be started", "install it, or correct its command"),
    "no_file": ("its env_file or headers_file cannot be used", "chmod 600, and the bridge's user its owner"),
    "ended": ("its program ended", "run the command by hand to see why"),
    "flood": ("it sends too much", "look whether its newest version does too, or take it out of the settings"),
    "broken": ("the bridge's part for it broke", "see: journalctl -u va-bridge; please report it"),
    "no_bridge": ("the bridge does not run", "see: systemctl status va-bridge.socket va-bridge"),
    "no_hub": (
        "no hub of that name announces itself",
        "look whether it runs, or set node.hub to its address",
    ),
    "no_multicast": (
        "va-bridge.service keeps multicast in",
        "let it out (docs/reference.md, The hub)",
    ),
    "no_network": ("there is no network", "plug it in; it is tried again"),
    "no_key": (
        "the house key cannot be used",
        "make one with: appliance bridge key; the same on each box, chmod 600, the bridge's user its owner",
    ),
    "no_port": ("nobody can listen at boxes.port", "look which program has it, or set another one"),
    "other_hub": (
        "its certificate is not the one of node.fingerprint",
        "look which one the hub shows",
    ),
    "not_ready": ("the hub runs, and its core does not answer yet", "see on the hub: systemctl status va"),
    "busy": ("the hub has enough to do, or was asked too often", "wait a moment"),
    "no_talk": ("the hub does not know the conversation", "it is begun anew with the next line"),
    "out_of_step": ("the hub did not expect that", "it is begun anew with the next line"),
    "unfit": ("the hub does not take what it was sent", "look whether hub and node are of the same release"),
    "failed": ("the hub tried, and failed", "see on the hub: journalctl -u va"),
    "slow": ("the hub did not answer in time", "look how busy it is"),
    "unknown": ("the hub was lost while it answered", "look whether it runs"),
    "not_set": ("it is not set", "set it in the settings (docs/settings.md)"),
}
"""Code -> what is wrong, and what to do."""


class Lost(Exception):
    """A connection that cannot be had, or ended. `why` is a code of TROUBLE."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{TROUBLE[why][0]}{f' ({detail[:200]})' if detail else ''}; {TROUBLE[why][1]}")
        self.why = why
