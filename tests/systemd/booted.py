"""A real systemd as PID 1 of namespaces: it has files, processes, a network and control groups of its own.

Its root is an overlay on this machine's, with other folders in place of /run, /tmp, /opt, /srv, /var/lib and /dev: what
is written goes with it. It has no right to set the clock, which all namespaces share, nor to reboot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

NEEDS = ("unshare", "nsenter", "setpriv", "systemctl", "ip")
SYSTEMD = Path("/lib/systemd/systemd")
BOOTS_WITHIN_S, ENDS_WITHIN_S = 60, 20
BOOT = """
group=$1 folder=$2; shift 2
echo $$ >"$group/cgroup.procs"
exec unshare --mount --pid --fork --kill-child --net --ipc --uts --cgroup sh -euc "$INSIDE" boot "$folder" "$@"
"""
INSIDE = """
folder=$1 root=$1/root; shift
mount --make-rprivate /
mount -t tmpfs -o mode=755 none "$folder"
mkdir "$folder/upper" "$folder/work" "$root"
mount -t overlay none -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root"
mount -t proc none "$root/proc"
mount -t sysfs -o ro none "$root/sys"
mount -t cgroup2 none "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 none "$root/dev"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 none "$root/dev/pts"
mount -t tmpfs none "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
for place in run tmp var/lib opt srv etc/systemd/system; do mount -t tmpfs -o mode=755 none "$root/$place"; done
chmod 1777 "$root/tmp"
for pair; do
    mkdir -p "$root${pair#*:}"
    mount --bind "${pair%%:*}" "$root${pair#*:}"
done
ip link set lo up
mkdir "$root/before"
cd "$root"
pivot_root . before
umount -l /before
exec setpriv --bounding-set=-sys_time,-sys_boot,-sys_module env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
    "$SYSTEMD" --system --unit=multi-user.target --show-status=false </dev/null
"""


def own_group() -> Path:
    """A control group of version 2 that children may be made in. Skips where there is none."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    mounted = [each[1] for each in mounts if each[2] == "cgroup2"]
    if not mounted:
        pytest.skip("no control groups of version 2 here")
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    return Path(mounted[0] + next(line[3:] for line in lines if line.startswith("0::")))


class Booted:
    """`shown`: folder of this machine -> where the booted system has it."""

    def __init__(self, folder: Path, shown: dict[Path, str]) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can boot a system")
        if absent := [name for name in (*NEEDS, str(SYSTEMD)) if shutil.which(name) is None]:
            pytest.skip(f"{', '.join(absent)} not here: apt install systemd util-linux iproute2")
        self._group = own_group() / f"booted-{os.getpid()}-{folder.name}"
        self._group.mkdir()
        pairs = [f"{ours}:{theirs}" for ours, theirs in shown.items()]
        environment = os.environ | {"INSIDE": INSIDE, "SYSTEMD": str(SYSTEMD)}
        words = ["sh", "-euc", BOOT, "boot", str(self._group), str(folder), *pairs]
        self._log = folder.with_suffix(".log")
        with self._log.open("wb") as log:
            self._unshare = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
        try:
            self._await_boot()
        except BaseException:
            self.close()
            raise

    def _await_boot(self) -> None:
        ends_s = time.monotonic() + BOOTS_WITHIN_S
        while self.attempt("systemctl", "is-active", "multi-user.target").stdout.strip() != "active":
            assert time.monotonic() < ends_s, self._log.read_text()
            time.sleep(0.2)

    @property
    def _first(self) -> str:
        """Its PID 1, as this machine counts."""
        children = Path(f"/proc/{self._unshare.pid}/task/{self._unshare.pid}/children")
        return children.read_text().strip() or "none"

    def enter(self, *words: str | Path) -> list[str]:
        """The command that runs `words` there, as root, with what the installing user's shell has."""
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        within = ["--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup", "--root", "--wd"]
        dropped = ["setpriv", "--bounding-set=-sys_time,-sys_boot,-sys_module"]
        return ["nsenter", "--target", self._first, *within, "env", "-i", path, *dropped, *map(str, words)]

    def attempt(self, *words: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.enter(*words), input=text, capture_output=True, text=True, timeout=300, check=False)

    def run(self, *words: str | Path, text: str = "") -> str:
        done = self.attempt(*words, text=text)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def write(self, place: str, content: str, mode: str = "644") -> None:
        self.run("sh", "-ec", 'mkdir -p "${1%/*}"; cat >"$1"; chmod "$2" "$1"', "write", place, mode, text=content)

    def show(self, unit: str, name: str) -> str:
        return self.run("systemctl", "show", unit, "-P", name).strip()

    def start(self, unit: str) -> None:
        """Of a oneshot: to its end, which is good."""
        assert self.attempt("systemctl", "start", unit).returncode == 0, self.journal(unit)

    def journal(self, unit: str) -> str:
        self.run("journalctl", "--sync")
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}")

    def close(self) -> None:
        """SIGKILL to all of it, which is what a power cut is to a system in memory."""
        (self._group / "cgroup.kill").write_text("1")
        self._unshare.wait(ENDS_WITHIN_S)
        ends_s = time.monotonic() + ENDS_WITHIN_S
        while "populated 1" in (self._group / "cgroup.events").read_text() and time.monotonic() < ends_s:
            time.sleep(0.05)
        for group, _, _ in os.walk(self._group, topdown=False):
            os.rmdir(group)
