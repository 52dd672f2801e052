"""A warm process that forks children: each is a process of its own, and need not import the program again.

    python -m tests.fault.zygote

It never opens a database itself. Requests come on stdin, one JSON object a line, answers go to stdout:
{"job": "module:function", "with": {...}, "uid": 0, "file_bytes": 0, "stdin": path, "out": path} -> {"pid": n}
{"poll": pid} -> {"status": null} while it runs; {"wait": pid} -> {"status": n}, negative for a signal.
A child is reaped only when its status was asked for: until then its pid can be nobody else's.
"""

import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WARM = (
    "tests.fault.jobs",
    "tests.fault.replay",
    "bots.cli.app",
    "bots.chat",
    "bots.doctor",
    "alembic.command",
    "storage.chains",
    "prompt_toolkit",
    "encodings.utf_16_be",  # read when first used: another user may not read where Python lies
)
NOBODY = 65_534
SHARED = 0o644


class Zygote:
    """The requesting end."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fault.zygote"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, job: str, **request: Any) -> int:
        """Fork a child that calls `job` with the keywords of `with_`; its pid."""
        told = self._ask({"job": job, "with": request.pop("with_", {})} | request)
        return int(told["pid"])

    def poll(self, pid: int) -> int | None:
        """The status of a child that ended, None while it runs."""
        return self._ask({"poll": pid})["status"]

    def wait(self, pid: int) -> int:
        """The status of a child, when it has ended."""
        return int(self._ask({"wait": pid})["status"])

    def kill(self, pid: int) -> int:
        """SIGKILL from outside; the status. A child that was faster has another one."""
        os.kill(pid, signal.SIGKILL)
        return self.wait(pid)

    def run(self, job: str, folder: Path, **request: Any) -> tuple[int, str]:
        """Start, wait: the status and what was printed."""
        out = folder / "out.txt"
        out.unlink(missing_ok=True)
        pid = self.start(job, out=str(out), **request)
        return self.wait(pid), out.read_text(errors="replace")

    def close(self) -> None:
        """End the warm process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@contextmanager
def warm() -> Iterator[Zygote]:
    """A zygote for the time of a block."""
    zygote = Zygote()
    try:
        yield zygote
    finally:
        zygote.close()


def fork(request: dict[str, Any]) -> int:
    """The child runs the job and never comes back."""
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        redirect(request)
        restrict(request)
        module, _, name = request["job"].partition(":")
        code = getattr(importlib.import_module(module), name)(**request["with"]) or 0
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def redirect(request: dict[str, Any]) -> None:
    """The child's own streams, not the zygote's."""
    given = os.open(request.get("stdin") or os.devnull, os.O_RDONLY)
    os.dup2(given, 0)
    if request.get("out"):
        out = os.open(request["out"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, SHARED)
        os.dup2(out, 1)
        os.dup2(out, 2)
    else:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115


def restrict(request: dict[str, Any]) -> None:
    """Files that may not grow beyond a size (a full disk, as it looks to one process), another user."""
    if request.get("file_bytes"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["file_bytes"], resource.RLIM_INFINITY))
    if request.get("uid") and os.getuid() == 0:
        os.setgroups([])
        os.setgid(request["uid"])
        os.setuid(request["uid"])


def main() -> None:
    for name in WARM:
        importlib.import_module(name)
    ended: dict[int, int] = {}
    for text in sys.stdin:
        request = json.loads(text)
        answer = {"pid": fork(request)} if "job" in request else {"status": look(request, ended)}
        print(json.dumps(answer), flush=True)


def look(request: dict[str, Any], ended: dict[int, int]) -> int | None:
    """The status of a child, remembered once it was reaped."""
    pid = request.get("poll") or request["wait"]
    if pid not in ended:
        waited, status = os.waitpid(pid, os.WNOHANG if "poll" in request else 0)
        if not waited:
            return None
        ended[pid] = os.waitstatus_to_exitcode(status)
    return ended[pid]


if __name__ == "__main__":
    main()
