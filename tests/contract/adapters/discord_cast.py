"""A Discord with ada, who owns everything, bob, a member, and the bot: the same ids whenever it is made."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.builders import NOW
from tests.contract.adapters.meanings import said
from tests.fakes.discord.engine import Clock
from tests.fakes.discord.people import Person
from tests.fakes.discord.places import Channel, Guild, Webhook
from tests.fakes.discord.world import World


class Settable(Clock):
    """Discord's clock: ids and times follow what `source` says, so that they are the same each time."""

    def __init__(self) -> None:
        super().__init__()
        self.source: Callable[[], datetime] = lambda: NOW

    def now(self) -> datetime:
        """What the source says, and what a test let pass."""
        return self.source() + timedelta(seconds=self.elapsed)


@dataclass
class Cast:
    """Everybody and every place; `eve` takes no direct messages, `robot` is another bot, `hook` a webhook."""

    world: World
    clock: Settable
    ada: Person
    bob: Person
    eve: Person
    robot: Person
    hook: Webhook
    guild: Guild
    group: Channel
    private: Channel
    threads: Channel
    thread: Channel
    forum: Channel
    post: Channel
    direct: Channel

    @property
    def bot(self) -> Person:
        """The bot under test."""
        return self.world.bot


def a_cast() -> Cast:
    """The cast in a new world, which does not run yet."""
    clock = Settable()
    world = World("remembrancer_bot", clock=clock)
    ada, bob, eve = (world.person(name, shown=name) for name in ("ada", "bob", "eve"))
    robot = world.other_bot("robot")
    eve.closes_dms()
    guild = world.guild("Ops", owner=ada, members=[bob, eve, robot])
    group = guild.text("ops")
    private = guild.text("secrets", only=[bob, world.bot])
    threads = guild.text("launches")
    first = ada.says(threads, "about the rollback")
    thread = ada.opens_thread(first, "Rollback")
    ada.deletes(first)
    forum = guild.forum("questions")
    post, _ = bob.posts(forum, "Rollback", said("forum_post"))
    hook = group.webhook("hook")
    return Cast(world, clock, ada, bob, eve, robot, hook, guild, group, private, threads, thread, forum, post, ada.dm)
