"""A Telegram with ada, who owns everything, bob, a member, and the bot: the same ids whenever it is made."""

from dataclasses import dataclass

from tests.fakes.telegram.chats import Chat, Topic
from tests.fakes.telegram.people import Person
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World


@dataclass
class Cast:
    """Everybody and every place; `eve` blocked the bot, `robot` is another bot."""

    world: World
    ada: Person
    bob: Person
    eve: Person
    bot: Bot
    robot: Bot
    group: Chat
    threads: Chat
    thread: Topic
    news: Chat
    discussion: Chat
    old: Chat
    new: Chat


def a_cast(world: World) -> Cast:
    """The cast in a new world."""
    ada, bob, eve = world.person("Ada"), world.person("Bob"), world.person("Eve")
    bot = world.bot("remembrancer_bot", privacy=False, started_by=[ada])
    robot = world.bot("robot_bot", "Robot", privacy=False)
    eve.blocked.add(bot.id)
    group = world.supergroup("Ops", creator=ada, members=[bob, bot, robot])
    threads = world.forum("Launches", creator=ada, members=[bob, bot])
    thread = threads.topic("Rollback", by=ada)
    discussion = world.supergroup("Discussion", creator=ada, members=[bob, bot])
    news = world.channel("News", creator=ada, members=[bot], discussion=discussion)
    old = world.group("Small", creator=ada, members=[bob, bot])
    new = world.upgrade(old, by=ada)
    return Cast(world, ada, bob, eve, bot, robot, group, threads, thread, news, discussion, old, new)
