"""What the figures were measured on."""

import os
import platform
import re
import sqlite3
import subprocess
from pathlib import Path


def machine() -> dict[str, str]:
    """Cores, processor, system and versions; nothing that names the machine."""
    return {
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "processor": _processor() or platform.machine(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "postgresql": _postgres(),
    }


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    except OSError:
        return ""
    return found.group(1).strip() if found else ""


def _memory() -> str:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return "unknown"
    return f"{pages * size / 2**30:.0f} GiB"


def _postgres() -> str:
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not programs:
        return "none"
    told = subprocess.run([programs[-1], "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+(\.\d+)*", told)
    return found.group() if found else "unknown"
