"""The pictures of the guide to Discord, from a conversation with the real bot on the loopback Discord.

    python -m tests.pictures PYTHON FOLDER

PYTHON runs the bot. `scripts/pictures` starts this in an environment that can draw. Times and handles are the same in
every run, so that a picture changes only where an answer does.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.fakes.discord.answers import Answer
from tests.fakes.discord.engine import WallClock
from tests.fakes.discord.messages import Message
from tests.fakes.discord.people import Person
from tests.fakes.discord.world import World
from tests.pictures.clock import StoryClock
from tests.pictures.render import draw

ROOT = Path(__file__).parents[2]
COLOURS = {"ada": "c2410c", "bob": "0f766e", "cleo": "7c3aed"}
BOT_COLOUR = "5865f2"
START_SECONDS = 60.0


class WorldClock(WallClock):
    """The time of the story for the loopback Discord."""

    def __init__(self, story: StoryClock) -> None:
        super().__init__()
        self._story = story

    def now(self) -> datetime:
        """The time of the story."""
        return self._story.now()


class Story:
    """The conversation in #ops, and the pictures taken of it."""

    def __init__(self, world: World, clock: StoryClock, folder: Path) -> None:
        self.world, self.clock, self.folder = world, clock, folder
        self.ada, self.bob, self.cleo = (self._person(name) for name in COLOURS)
        world.backend.bot_user.avatar = BOT_COLOUR
        guild = world.guild("Harbour", owner=self.ada, members=[self.bob, self.cleo])
        self.ops = guild.text("ops", topic="Releases and what can go wrong with them")

    def _person(self, name: str) -> Person:
        person = self.world.person(name)
        self.world.backend.users[person.id].avatar = COLOURS[name]
        return person

    def at(self, hour: int, minute: int) -> None:
        """Move on, on Monday, 30 November 2026."""
        self.clock.set(datetime(2026, 11, 30, hour, minute, tzinfo=UTC))

    def picture(self, name: str, viewer: Person, *messages: Message) -> None:
        """Take a picture."""
        file = self.folder / f"discord-{name}.png"
        draw(viewer, messages, file)
        print(f"{file}: {file.stat().st_size // 1024} KB")

    def save(self, question: Message) -> None:
        """Press the button that saves, and wait until it is."""
        self.ada.clicks(question, "Yes, save it").acknowledges()
        self.world.until(lambda: "Saved as" in question.words, what="the rule is saved")

    def told(self, answer: Answer) -> Message:
        """Wait for what its person alone is told."""
        found = self.world.until(
            lambda: next((one for one in answer.messages if one.ephemeral), None), what=f"the answer to {answer}"
        )
        assert found is not None
        return found

    def answer(self, command: str, /, **options: str) -> Message:
        """What a command of ada's gives, headed by the whole of its name, as Discord heads it."""
        message = self.told(self.ada.slash(self.ops, command, **options))
        assert message.state.interaction_metadata is not None
        message.state.interaction_metadata["name"] = command
        return message

    def tell(self) -> None:
        """The whole of it."""
        self.at(9, 12)
        self.bob.says(self.ops, "morning! who looks after the launch checklist this week?")
        self.cleo.says(self.ops, "me, until Thursday")
        self.at(11, 40)
        self.bob.says(self.ops, "launching at ten on Thursday then. the status page is ready")
        self.at(13, 31)
        said = self.ada.says(
            self.ops, "when someone mentions the launch checklist, remind me to confirm the rollback owner"
        )
        question = self.world.answer(self.ops, "rollback owner")
        self.picture("question", self.ada, said, question)
        self.save(question)
        self.at(13, 40)
        self.save(self.answer("intent add", words="deploy", text="Say it in #status first", who="anyone"))
        self.save(self.answer("intent add", words="budget", text="Ask Cleo for the sheet"))
        self.answer("intent pause", handle="i-b9tn")
        self.at(14, 5)
        said = self.bob.says(self.ops, "the launch checklist is done, except for the last two points")
        reminder = self.world.answer(self.ops, "rollback owner", after=question)
        self.picture("reminder", self.ada, said, reminder)
        self.at(14, 8)
        self.picture("why", self.ada, self.told(self.ada.clicks(reminder, "Why?")))
        self.picture("list", self.ada, self.answer("intent list"))
        tried = self.answer("intent preview", words="launch", text="Say who is on call", who="anyone")
        self.picture("preview", self.ada, tried)


@contextlib.contextmanager
def running(world: World, python: str, folder: Path, clock: Path) -> Iterator[None]:
    """The bot, as a process of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("REMEMBRANCER_")}
    env |= {
        "PYTHONPATH": str(ROOT),
        "REMEMBRANCER_DATA_DIR": str(folder),
        "REMEMBRANCER_DELIVERY_POLL_SECONDS": "0.1",
        "REMEMBRANCER_DISCORD_API_URL": world.api_url,
        "REMEMBRANCER_DISCORD_GATEWAY_URL": world.gateway_url,
        "REMEMBRANCER_DISCORD_TOKEN": world.token,
    }
    log = folder / "bot.log"
    command = [python, "-m", "tests.pictures.bot", str(clock)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out)
    try:
        end = time.monotonic() + START_SECONDS
        while "listening" not in log.read_text(encoding="utf-8"):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"The bot did not start:\n{log.read_text(encoding='utf-8')}")
            time.sleep(0.05)
        yield
    except Exception:
        print(log.read_text(encoding="utf-8"), file=sys.stderr)
        raise
    finally:
        process.terminate()
        process.wait(20)


def main(python: str, folder: Path) -> None:
    """Draw them all into a folder."""
    with tempfile.TemporaryDirectory() as scratch, World() as world:
        file = Path(scratch) / "clock"
        clock = StoryClock(file)
        clock.set(datetime(2026, 11, 30, 9, 0, tzinfo=UTC))
        world.backend.clock = WorldClock(clock)
        story = Story(world, clock, folder)
        with running(world, python, Path(scratch), file):
            story.tell()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
