"""Results that outlive an interrupted run: one JSON file for each commit, step and set of parameters."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
DONE = "done"
WORLDS = "world-*.db*"


@dataclass(frozen=True, slots=True)
class Kept:
    """The results of one commit."""

    folder: Path

    @classmethod
    def of(cls, work: Path, commit: str) -> "Kept":
        """The folder of this commit; the large databases of other commits are thrown away."""
        folder = work / re.sub(r"[^\w.+-]", "-", commit)
        folder.mkdir(parents=True, exist_ok=True)
        for file in work.glob(f"*/{WORLDS}"):
            if file.parent != folder:
                file.unlink()
        return cls(folder)

    def path(self, step: str, parameters: Mapping[str, Any]) -> Path:
        """Where the result of a step with these parameters is, or would be."""
        spelt = json.dumps(parameters, sort_keys=True)
        return self.folder / f"{step}-{hashlib.sha256(spelt.encode()).hexdigest()[:10]}.json"

    def read(self, step: str, parameters: Mapping[str, Any]) -> Record | None:
        """What is known of a step; None when it was not run, or the file is no record."""
        try:
            found = json.loads(self.path(step, parameters).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return found if isinstance(found, dict) and "status" in found else None

    def write(self, record: Record) -> None:
        """Keep a record; it is there in full or not at all."""
        path = self.path(record["step"], record["parameters"])
        aside = path.with_suffix(".part")
        aside.write_text(json.dumps(record, indent=1), encoding="utf-8")
        aside.replace(path)

    def forget(self, step: str, parameters: Mapping[str, Any]) -> None:
        """As if the step was never run."""
        self.path(step, parameters).unlink(missing_ok=True)
