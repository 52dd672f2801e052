"""What people do in the Discord of a kit: each act is handed to the adapter and waited for."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from adapters.discord.cog import RememberCog
from adapters.discord.commands import add_commands
from adapters.discord.views import PREFIX
from core.services.create_intent import CreateIntent
from core.services.read_intents import ShowIntent
from core.standing.intent import StandingIntent
from core.turn import ADMIN
from tests.builders import a_draft, an_owner
from tests.fakes.discord import asking
from tests.fakes.discord.answers import Answer, Choice
from tests.fakes.discord.messages import Message
from tests.fakes.discord.people import Person, Where
from tests.fakes.discord.places import Channel

if TYPE_CHECKING:
    from tests.contract.adapters.discord_kit import DiscordKit

BUTTON = 2


class Acting:
    """A kit whose commands Discord was told of."""

    def __init__(self, kit: "DiscordKit") -> None:
        self.kit = kit
        add_commands(kit.client.tree, kit.cog.adapter.talk)
        kit.run(kit.client.tree.sync())

    def restart(self) -> None:
        """Another process with the same store, in the same Discord."""
        kit = self.kit
        kit.run(kit.client.close())
        kit.client = kit.run(kit._logged_in())
        kit.client.parse("GUILD_CREATE", kit._guild())
        kit.cog = RememberCog(kit.client, kit.ctx, at_once)
        kit.adapter = kit.cog.adapter
        add_commands(kit.client.tree, kit.cog.adapter.talk)

    def done(self, act: Callable[[], Answer]) -> Answer:
        """Do it, and wait until everything is answered."""
        answer = act()
        self.kit.run(self._settled())
        return answer

    async def _settled(self) -> None:
        await self.kit._take()
        while waiting := [task for task in asyncio.all_tasks() if _acts(task)]:
            await asyncio.gather(*waiting)

    def told(self) -> None:
        """Hand on everything that the gateway has to tell, in order."""
        self.kit.run(self._told())

    async def _told(self) -> None:
        kit, before = self.kit, len(self.kit.client.noted)
        waiting, kit._told = kit._told, []
        for event, payload in waiting:
            kit.client.parse(event, payload)
        for event, args in kit.client.noted[before:]:
            handler = getattr(kit.cog, f"on_{event}", None)
            if handler is not None:
                await handler(*args)

    # what people do

    def slash(self, who: Person, command: str, place: Where | None = None, **options: Any) -> Answer:
        """Use a command, in the group unless told otherwise."""
        return self.done(lambda: who.slash(place or self.kit.cast.group, command, **options))

    def click(self, who: Person, message: Message, label: str) -> Answer:
        """Press a button."""
        return self.done(lambda: who.clicks(message, label))

    def select(self, who: Person, message: Message, value: str) -> Answer:
        """Choose in the menu."""
        return self.done(lambda: who.selects(message, value))

    def forged(self, who: Person, data: str, message: Message | None = None, place: Channel | None = None) -> Answer:
        """A press with data that stands on no button."""
        pressed = {"custom_id": f"{PREFIX}{data}", "component_type": BUTTON, "id": 0}
        where = place or self.kit.cast.group
        return self.done(lambda: asking.ask(who, where, asking.COMPONENT, pressed, f"forged {data}", message))

    def chosen(self, who: Person, data: str, value: str, message: Message | None = None) -> Answer:
        """A choice that stands in no menu."""
        pressed = {"custom_id": f"{PREFIX}{data}", "component_type": 3, "values": [value], "id": 0}
        group = self.kit.cast.group
        return self.done(lambda: asking.ask(who, group, asking.COMPONENT, pressed, f"forged {value}", message))

    def completed(
        self, who: Person, command: str, typed: str = "", place: Where | None = None, option: str = "handle"
    ) -> list[Choice]:
        """What is offered while somebody types."""
        where = place or self.kit.cast.group
        return self.done(lambda: who.completes(where, command, option, typed)).choices or []

    # rules

    def rule(self, who: str = "ada", place: str = "group", **fields: Any) -> StandingIntent:
        """A rule of somebody, made without a chat."""
        kit = self.kit
        actor = an_owner(kit.people[who])
        return CreateIntent(kit.ctx)(a_draft(**fields), actor, kit.places[place], f"made-{kit.ctx.ids.uuid()}")

    def status(self, rule: StandingIntent) -> str:
        """As it is now."""
        return str(ShowIntent(self.kit.ctx)(rule.handle, ADMIN, None).intent.status)

    def managers(self, *who: Person) -> Any:
        """A role that manages the server, given to these people."""
        guild = self.kit.cast.guild
        role = guild.role("managers", manage_guild=True)
        for one in who:
            guild.give(one, role)
        return role


def words(answer: Answer) -> str:
    """Everything that was answered, without what escapes it."""
    return "\n".join(answer.texts).replace("\\", "")


def last(answer: Answer) -> Message:
    """The newest message of an answer."""
    return answer.messages[-1]


def _acts(task: "asyncio.Task[Any]") -> bool:
    """Is it a handler of the library: a command, a form, or choices?"""
    return task is not asyncio.current_task() and task.get_name().startswith(("CommandTree", "discord-ui"))


async def at_once(work: Any, /) -> Any:
    """The database thread of a kit."""
    return work()
