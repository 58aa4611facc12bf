"""How the running service is held in: what the kernel says of its process, not what its unit asks for."""

from __future__ import annotations

from pathlib import Path

UNIT = "va.service"
NETWORK = "it can reach the network"
"""The one opening that an owner may want: for a model server on the LAN."""
_CGROUPS = ("sys/fs/cgroup", "sys/fs/cgroup/unified", "sys/fs/cgroup/systemd")
"""Where systemd's tree is: on a unified system, and on older ones."""


def service_process(root: Path = Path("/")) -> Path | None:
    """The folder in /proc of the service that systemd started; None when none runs."""
    for cgroup in _CGROUPS:
        try:
            lines = (root / cgroup / "system.slice" / UNIT / "cgroup.procs").read_text().split()
        except OSError:
            continue
        if lines:
            return root / "proc" / str(min(map(int, lines)))
    return None


def openings(process: Path) -> list[str]:
    """What the process could do and should not, in words; empty when it is held. Raises OSError where it has ended."""
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    checks = {
        NETWORK: _interfaces(process) != {"lo"},
        "it runs as root": status["Uid"].split()[0] == "0",
        "it has capabilities": int(status["CapBnd"], 16) != 0 or int(status["CapEff"], 16) != 0,
        "it may gain privileges": status["NoNewPrivs"] != "1",
        "no system call is refused to it": status["Seccomp"] != "2",
        "it may write to the system": not _is_read_only(process),
    }
    return [opening for opening, is_open in checks.items() if is_open]


def _interfaces(process: Path) -> set[str]:
    lines = (process / "net/dev").read_text().splitlines()
    return {line.split(":")[0].strip() for line in lines[2:]}


def _is_read_only(process: Path) -> bool:
    """Its `/`. Fields of a line: id, parent, device, root, mount point, options (man proc_pid_mountinfo)."""
    mounts = [line.split() for line in (process / "mountinfo").read_text().splitlines()]
    options = [fields[5].split(",") for fields in mounts if fields[4] == "/"]
    return bool(options) and "ro" in options[-1]
