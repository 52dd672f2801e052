"""`remembrancer run` as a child process against the loopback Discord."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.fakes.child import Child
from tests.fakes.discord.world import World


class Running(Child):
    """Our Discord bot in a process of its own."""

    arguments = ("--only", "discord")

    def __init__(self, world: World, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        self.world = world

    def reaches(self) -> dict[str, str]:
        """The loopback Discord, with the token of now."""
        return {
            "REMEMBRANCER_DISCORD_API_URL": self.world.api_url,
            "REMEMBRANCER_DISCORD_GATEWAY_URL": self.world.gateway_url,
            "REMEMBRANCER_DISCORD_TOKEN": self.world.token,
        }

    def restarts(self, *, killed: bool = False) -> None:
        """End it, by SIGTERM or by SIGKILL, and start it again."""
        if killed:
            self.kill()
        else:
            self.stop()
        self.start()


@contextlib.contextmanager
def running(world: World, folder: Path, start: bool = True, **settings: str) -> Iterator[Running]:
    """One bot of ours, ended with the block whatever happens."""
    made = Running(world, folder, **settings)
    try:
        if start:
            made.start()
        yield made
    finally:
        made.kill()
