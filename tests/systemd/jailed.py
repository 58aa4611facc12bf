"""python jailed.py FAMILY... -- COMMAND...: COMMAND may open sockets of these families only (AF_UNIX, ...).

The same filter as RestrictAddressFamilies= sets: `socket` fails with EAFNOSUPPORT, for this process and its children.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import struct
import sys

# man seccomp, linux/filter.h, linux/audit.h, asm/unistd.h
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""Machine -> its audit architecture, its number for socket()."""
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def program(families: list[int]) -> bytes:
    machine, socket_number = MACHINES[platform.machine()]
    checks = [instruction(EQUAL, family, len(families) - at) for at, family in enumerate(families)]
    return b"".join(
        (
            instruction(LOAD, ARCHITECTURE),
            instruction(EQUAL, machine, 1),
            instruction(RETURN, KILL),
            instruction(LOAD, NUMBER),
            instruction(EQUAL, socket_number, 0, len(families) + 2),
            instruction(LOAD, FIRST_ARGUMENT),
            *checks,
            instruction(RETURN, FAIL | errno.EAFNOSUPPORT),
            instruction(RETURN, ALLOW),
        )
    )


def confine(families: list[int]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    code = program(families)
    for call in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(Program(len(code) // 8, code)), 0, 0),
    ):
        if libc.prctl(*call):
            raise OSError(ctypes.get_errno(), "the filter cannot be set")


if __name__ == "__main__":
    split = sys.argv.index("--")
    confine([getattr(socket, name) for name in sys.argv[1:split]])
    os.execvp(sys.argv[split + 1], sys.argv[split + 1 :])
