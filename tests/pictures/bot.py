"""`remembrancer run` in the time of the story, with handles that are the same in every run.

python -m tests.pictures.bot CLOCK_FILE
"""

import sys
from pathlib import Path

import discord

from bots import bootstrap
from bots.cli import main
from bots.runtime import SystemIds
from tests.pictures.clock import StoryClock

LETTERS = ["7k2m", "q4xd", "b9tn", "3wfe", "m6rp", "x2hs"]


class StoryIds(SystemIds):
    """Random ids, and handles in a fixed order."""

    def __init__(self) -> None:
        self._letters = iter(LETTERS)

    def handle(self, prefix: str, letters: int) -> str:
        """The next one; a random one when all are given out."""
        return f"{prefix}-{found}" if (found := next(self._letters, "")) else super().handle(prefix, letters)


if __name__ == "__main__":
    clock = StoryClock(Path(sys.argv[1]))
    vars(bootstrap).update(SystemClock=lambda: clock, SystemIds=StoryIds)
    discord.utils.utcnow = clock.now
    sys.exit(main(["run"]))
