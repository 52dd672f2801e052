"""Remembrancer in a discord.py bot, whoever runs it: `await bot.add_cog(RememberCog(...))`."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import discord
from discord.ext import commands

from adapters.base.contract import Post, SendFailed
from adapters.base.delivery import DeliveryLoop
from adapters.base.render import post_of
from adapters.base.runner import Runner
from adapters.discord.adapter import DiscordAdapter, Options
from adapters.discord.commands import add_commands, remove_commands
from adapters.discord.missed import NOTE_SECONDS
from adapters.discord.sync import sync_if_changed
from core.errors import StorageError
from core.services.context import Context
from core.services.known_commands import KnownCommands, NoteCommands
from core.services.parcels import Parcel

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two attempts to begin; from the first one on also between two to read what was missed."""


class RememberCog(commands.Cog):
    """Listens, answers and delivers with a bot that it does not own.

    With `sync` Discord is told of the commands when they changed; a bot that looks after its own tree does it itself.
    `ready` is called once everything works. Nothing is begun when the connection comes back: what runs goes on.
    """

    def __init__(
        self,
        bot: commands.Bot,
        ctx: Context,
        hot: Runner,
        options: Options | None = None,
        *,
        poll: float = 5.0,
        sync: bool = False,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        self._bot = bot
        self._ctx = ctx
        self._hot = hot
        self._poll = poll
        self._sync = sync
        self._ready = ready
        self.adapter = DiscordAdapter(ctx, hot, bot, self.wake, options or Options())
        self._delivery: DeliveryLoop | None = None
        self._work: asyncio.Task[None] | None = None
        self._fresh = asyncio.Event()
        self._unreviewed = False

    def wake(self) -> None:
        """Something is to be delivered."""
        if self._delivery is not None:
            self._delivery.wake()

    async def cog_load(self) -> None:
        """Add the commands, and begin as soon as the bot is connected. Raises ConfigError where a name is taken."""
        add_commands(self._bot.tree, self.adapter.talk)
        self._work = asyncio.create_task(self._live(), name="discord")

    async def cog_unload(self) -> None:
        """Let the sends under way end; take the commands away."""
        if self._work is not None:
            self._work.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._work
        if self._delivery is not None:
            await self._delivery.stop()
            self._delivery = None
            await self.adapter.missed.note()
        remove_commands(self._bot.tree)

    async def _live(self) -> None:
        """Begin once the bot is connected, then keep up until the end."""
        await self._bot.wait_until_ready()
        pause = FIRST_PAUSE
        while not await self._begins():
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        self._ready()
        pause = FIRST_PAUSE
        while True:
            if await self._keep_up():
                pause = FIRST_PAUSE
                await self._rest(NOTE_SECONDS)
            else:
                await self._rest(pause)
                pause = min(pause * 2, NOTE_SECONDS)

    async def _rest(self, seconds: float) -> None:
        """Wait, until a new session begins at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._fresh.wait()

    async def _begins(self) -> bool:
        """Begin; False where it cannot now, which is logged: the bot that it is in goes on."""
        try:
            await self._told()
            await self._gone()
            self._delivery = DeliveryLoop(self._ctx, self.adapter, self._rendered, self._hot, poll=self._poll)
            await self._delivery.start()
        except Exception:  # the database may be away (house rule 8)
            log.exception("discord.begin")
            return False
        self._fresh.set()
        return True

    async def _keep_up(self) -> bool:
        """Read what was missed before a new session, note how far messages were received, and look who left.

        False where something of it is to be done again soon.
        """
        self._unreviewed = self._unreviewed or self._fresh.is_set()
        self._fresh.clear()
        try:
            read = await self.adapter.missed.catch_up()
            await self.adapter.missed.note()
            if self._unreviewed:
                await self.adapter.members.review_all()
                self._unreviewed = False
        except Exception:  # it goes on (house rule 8)
            log.exception("discord.keep_up")
            return False
        return read

    async def _told(self) -> None:
        """Tell Discord of the commands, if they are ours to tell of and changed."""
        login = self.adapter.provider, self.adapter.account
        remembered = await self._hot(partial(KnownCommands(self._ctx), *login))
        try:
            now = await sync_if_changed(self._bot.tree, remembered, wanted=self._sync)
        except discord.HTTPException as error:
            log.warning("discord.commands: %s", error)
            return
        if now != remembered:
            await self._hot(partial(NoteCommands(self._ctx), *login, now))

    async def _gone(self) -> None:
        """Servers that the bot was removed from while it was away."""
        here = frozenset(str(guild.id) for guild in self._bot.guilds)
        await self.adapter.members.compare(here)

    def _rendered(self, parcel: Parcel) -> Post:
        return post_of(parcel, self._ctx.clock.now(), self._ctx.zone_of(parcel.zone), faint=True)

    # what comes in

    @commands.Cog.listener()
    async def on_connect(self) -> None:
        """A new session begins."""
        self.adapter.missed.connected()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """The servers of a new session are there. What runs goes on: nothing is begun."""
        self.adapter.missed.ready()
        self._fresh.set()

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """A message."""
        self.adapter.missed.saw(message.id)
        await self.adapter.receiver.message(message)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """An edit; Discord also sends one when it adds a preview or a thread."""
        if event.message.edited_at is not None:
            await self.adapter.receiver.message(event.message, edited=True)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """What was deleted is not spoken of any more."""
        self.adapter.seen.forget(str(event.message_id))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """A press; commands and forms come by themselves."""
        await self.adapter.pressed.press(interaction)
        if interaction.guild is not None and interaction.type is not discord.InteractionType.autocomplete:
            with suppress(SendFailed, StorageError):
                await self.adapter.members.met(interaction.guild, interaction.user)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""
        await self.adapter.members.joined(guild)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server; an outage is none."""
        await self.adapter.members.removed(guild.id)

    @commands.Cog.listener()
    async def on_raw_member_remove(self, event: discord.RawMemberRemoveEvent) -> None:
        """Somebody left a server."""
        guild = self._bot.get_guild(event.guild_id)
        if guild is not None and not event.user.bot:
            await self.adapter.members.left(guild, event.user.id, gone=True)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Somebody was given a role, or lost one."""
        await self.adapter.members.changed(before, after)

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """A server was changed, perhaps handed over to another owner."""
        if before.owner_id != after.owner_id:
            await self._review(after)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """What a role lets its members do was changed."""
        if _decides(before) and not _decides(after):
            await self._review(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role is gone; the members that had it are told of without it, if at all."""
        await self._review(role.guild)

    async def _review(self, guild: discord.Guild) -> None:
        try:
            await self.adapter.members.review(guild)
        except (SendFailed, StorageError) as error:
            log.warning("discord.review: %s: %s", guild.id, error)


def _decides(role: discord.Role) -> bool:
    return role.permissions.manage_guild or role.permissions.administrator
