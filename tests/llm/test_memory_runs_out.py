"""Memory runs out, for real: in a control group of the kernel, with the model's real process in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

GROUPS = Path("/sys/fs/cgroup")
FILES = {
    GROUPS / "memory": ("memory.limit_in_bytes", "memory.oom_control"),
    GROUPS: ("memory.max", "memory.events"),
}
"""Where the kernel's two trees limit memory -> the file with the limit, and the one with `oom_kill N` in it."""
SCRIPT = """
import json, os, sys
from pathlib import Path
from bench.processes import model_process
from appliance.audio import never
from appliance.errors import ModelLost
from appliance.llm import isolated
from appliance.llm.isolated import IsolatedModel
from appliance.ports import Message, Usage
from appliance.settings import Thought

isolated.SILENT_S = 300  # it is the last to get the processor where others are busy, and that is another drill

def held_kb(pid, *names):
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return sum(int(lines[name].split()[0]) for name in names)

def written(model):
    return model.generate([Message("user", "Tell me a long story of a cat.")], None, 400, Usage(), never)

model = IsolatedModel(Path(sys.argv[1]), Thought(context_tokens=2_048, batch_tokens=256), Path(sys.argv[3]))
model.start()
answer = written(model)
next(answer)
pid = model_process()
# Where others are busy, a process of its niceness ends so slowly that the kernel takes a second one meanwhile.
for thread in os.listdir(f"/proc/{pid}/task"):
    os.setpriority(os.PRIO_PROCESS, int(thread), -10)
ballast, told, everything_kb = [], "", held_kb(pid, "VmRSS")
# By the time the limit is met the core holds about twice as much as the model's process: by size alone it would go.
limit_kb = held_kb(os.getpid(), "VmRSS") + 2 * everything_kb
Path(sys.argv[2]).write_text(str(1024 * limit_kb))
while "oom_kill 0" in Path(sys.argv[4]).read_text() and held_kb(os.getpid(), "VmRSS") < limit_kb:
    ballast.append(b"x" * (everything_kb * 1024 // 50))
core_kb, ballast = held_kb(os.getpid(), "RssAnon"), []
try:
    list(answer)
except ModelLost as lost:
    told = str(lost)
again = "".join(piece for piece, _ in zip(written(model), range(3)))
print(json.dumps({"told": told, "core_kb": core_kb, "model_kb": everything_kb, "again": again}))
model.close()
"""


ATTEMPTS = 4
"""The kernel may take a second process before the first one's memory is given back: then it is tried anew."""


@contextmanager
def new_group() -> Iterator[tuple[Path, str, str]]:
    """A control group, its limit's file, and the one that counts."""
    for tree, (limit, count) in FILES.items():
        made = tree / f"drill-{uuid4().hex[:8]}"
        if os.access(tree, os.W_OK) and (tree / "cgroup.procs").exists():
            made.mkdir()
            if (made / limit).exists():
                yield made, limit, count
                made.rmdir()
                return
            made.rmdir()
    pytest.skip("the kernel lets nobody here limit memory: run it as root, with a memory controller")


def test_model_goes_first_and_the_core_apologises_and_has_it_back(model: Callable[..., Path], tmp_path: Path) -> None:
    for _ in range(ATTEMPTS):
        with new_group() as group:
            done, killed = run_out(group, model, tmp_path)
        if done.returncode == 0:
            break
    assert done.returncode == 0, f"the core went: {done.returncode}; {done.stderr[-2_000:]}"
    told = json.loads(done.stdout)
    print(told)
    assert "was ended by SIGKILL; it is started again" in told["told"]
    assert told["core_kb"] > told["model_kb"], "by size alone the core would have gone"
    assert told["again"]
    assert "oom_kill 0" not in killed


def run_out(
    group: tuple[Path, str, str], model: Callable[..., Path], tmp_path: Path
) -> tuple[subprocess.CompletedProcess[str], str]:
    """What the core told, and what the kernel counted."""
    made, limit, count = group
    (tmp_path / "box.py").write_text(SCRIPT)
    words = [sys.executable, "box.py", str(model("smollm2-135m")), str(made / limit), str(tmp_path), str(made / count)]
    within = ["sh", "-c", f'echo $$ > {made}/cgroup.procs; exec "$@"', "sh", *words]
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": f"{root}:{root / 'tests'}"}
    done = subprocess.run(within, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    return done, (made / count).read_text()
