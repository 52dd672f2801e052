"""Remembrancer in a bot that there is already: a discord.py bot, a python-telegram-bot application, or both.

    remembrancer = Remembrancer()
    await bot.add_cog(remembrancer.discord(bot))  # discord.py, in setup_hook or later
    remembrancer.telegram(application)            # python-telegram-bot, before run_polling() or run_webhook()

Neither needs a token of ours: the bot has its own. docs/embed.md tells the rest.
"""

import asyncio
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.opened import Share, Shelf
from config import logs
from config.loading import PLAIN, load
from config.settings import Settings
from core.catalogue import say
from core.errors import ConfigError

if TYPE_CHECKING:
    from discord.ext import commands
    from telegram import Bot
    from telegram.ext import Application

    from adapters.discord.cog import RememberCog
    from adapters.discord.guest import GuestCog
    from adapters.telegram.attached import Attached
    from adapters.telegram.guest import Guest


class Remembrancer:
    """What all bots of one process share: a store, its thread, a heartbeat, an alarm. It opens with the first of them.

    `settings` are the usual ones (file, then `REMEMBRANCER_…` variables) unless given; variables without our prefix,
    such as `DATABASE_URL`, are taken for the bot's own and not read. Raises ConfigError.
    """

    def __init__(self, settings: Settings | None = None, *, config_file: Path | str | None = None) -> None:
        logs.join()
        self._settings = settings or _found(config_file)
        self._shelf = Shelf(self._settings)
        self._guests: list[Guest] = []

    @property
    def users(self) -> int:
        """How many bots use it now."""
        return self._shelf.users

    def discord(self, bot: "commands.Bot", *, sync: bool = False) -> "GuestCog":
        """The cog for a discord.py bot; adding it opens the store, and raises ConfigError or StorageError.

        With `sync` Discord is told of all commands of the bot's tree whenever they changed.
        """
        cogs, guest = import_module("adapters.discord.cog"), import_module("adapters.discord.guest")
        options, share = import_module("adapters.discord.adapter").Options, Share(self._shelf)

        async def begin() -> "RememberCog":
            opened = await asyncio.to_thread(share.take)
            decided = options(*self._decided(), opened.changed)
            poll = self._settings.delivery_poll_seconds
            cog: RememberCog = cogs.RememberCog(bot, opened.app.context, opened.run, decided, poll=poll, sync=sync)
            share.start(cog.wake)
            return cog

        made: GuestCog = guest.GuestCog(bot, begin, share.leave)
        return made

    def telegram(self, application: "Application[Any, Any, Any, Any, Any, Any]") -> "Guest":
        """Attach to a python-telegram-bot application; it begins and ends with it.

        Only where the application is run by hand, without `run_polling` and `run_webhook`, the result is to be used:
        `async with application, remembrancer.telegram(application): ...`. Raises ConfigError and StorageError.
        """
        if any(guest.application is application for guest in self._guests):
            raise ConfigError(say("embed.twice"), say("embed.twice.hint"))
        guests, attached = import_module("adapters.telegram.guest"), import_module("adapters.telegram.attached")
        options, share = import_module("adapters.telegram.adapter").Options, Share(self._shelf)
        share.take()

        async def begin(bot: "Bot", theirs: Callable[[str, str], bool]) -> "Attached":
            opened = await asyncio.to_thread(share.take)
            decided = options(*self._decided(), opened.changed, theirs)
            poll = self._settings.delivery_poll_seconds
            made: Attached = attached.Attached(opened.app.context, opened.run, bot, decided, poll)
            share.start(made.wake)
            return made

        guest: Guest = guests.Guest(application, begin, share.leave)
        guest.attach()
        self._guests.append(guest)
        return guest

    def _decided(self) -> tuple[Any, ...]:
        """What an installation decides: operators, and whether people own their direct messages."""
        return self._settings.principals(), self._settings.dm_owners == "self"


def _found(config_file: Path | str | None) -> Settings:
    """The settings of file and environment, without those that the bot may have for itself."""
    env = {name: value for name, value in os.environ.items() if name not in PLAIN}
    return load(config_file=None if config_file is None else Path(config_file), env=env).settings
