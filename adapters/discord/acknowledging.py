"""What every handler of an interaction does first and last: answer Discord in time, and never leave a person waiting.

Discord waits three seconds for a first answer. So it is the first thing that is awaited; where it came too late, or
was given by somebody else, nothing is carried out.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import aiohttp
import discord
from discord import app_commands

from adapters.base.contract import SendFailed
from adapters.discord.composing import Wanted
from adapters.discord.embeds import answers_of
from adapters.discord.phrasing import refusal_lines
from core.catalogue import say
from core.errors import RemembrancerError
from core.goals.typed import GoalCommand
from core.wording.lines import Mood, line

UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED = 10062, 40060
CHOICES, CHOICE_CHARS = 25, 100
"""What Discord shows at most while somebody types: so many choices, with names and values so long."""
Interaction = discord.Interaction[discord.Client]
_log = logging.getLogger(__name__)


class Asker(Protocol):
    """What commands are handed on to, once Discord has its first answer; it answers by follow-ups.

    A refusal that it raises is told to the person, anything else is logged and answered as a defect.
    """

    async def command(self, interaction: Interaction, name: str, rest: str) -> None:
        """Carry out `/name rest`; the interaction is deferred for its asker alone."""

    async def do(self, interaction: Interaction, wanted: Wanted, said: str) -> None:
        """Carry out an `/intent` command whose parts were given apart; `said` is how it would have been typed."""

    async def goal(self, interaction: Interaction, wanted: GoalCommand, said: str) -> None:
        """Carry out a `/goal` command, likewise."""

    async def handles(self, interaction: Interaction, kind: str, typed: str) -> Sequence[tuple[str, str]]:
        """Labels and handles of what the asker may see here.

        `i` are rules, `g` goals, `o` goals that are over, `r` reminders, `m` aspirations, `b` bots.
        """

    async def remember(self, interaction: Interaction, message: discord.Message, words: str, text: str) -> None:
        """Make a rule of a message that somebody pointed at; deferred."""


async def carry_out(interaction: Interaction, act: Callable[[], Awaitable[None]], name: str) -> None:
    """Defer, then act. `name` is for the log. Raises nothing: a defect is logged and answered."""
    try:
        if await _answered(interaction.response.defer(ephemeral=True, thinking=True), name):
            await act()
    except Exception as error:  # noqa: BLE001 - whoever asked waits for an answer
        await fail(interaction, error, name)


async def show_form(interaction: Interaction, form: discord.ui.Modal, name: str) -> None:
    """Open a form as the first answer. Raises nothing."""
    try:
        await _answered(interaction.response.send_modal(form), name)
    except Exception as error:  # noqa: BLE001 - whoever asked waits for an answer
        await fail(interaction, error, name)


async def _answered(first: Awaitable[object], name: str) -> bool:
    """Was the first answer taken? Raises what else went wrong."""
    try:
        await first
    except discord.InteractionResponded:
        _log.info("%s: was answered already, by somebody else", name)
    except discord.HTTPException as error:
        if error.code not in {UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED}:
            raise
        _log.info("%s: Discord took no first answer (%s)", name, error.code)
    else:
        return True
    return False


async def fail(interaction: Interaction, error: BaseException, name: str) -> None:
    """Tell a person why nothing came of it; what was not raised on purpose is logged with its traceback."""
    if isinstance(error, SendFailed):
        _log.warning("%s: the answer was not taken (%s)", name, error.why)
        return
    if isinstance(error, RemembrancerError):
        found = refusal_lines(error)
    else:
        _log.error("%s failed", name, exc_info=error)
        found = [line("discord.defect", Mood.BAD, kind=type(error).__name__)]
    answer, quiet = answers_of(found)[0], discord.AllowedMentions.none()
    try:
        if interaction.response.is_done():
            await interaction.followup.send(ephemeral=True, allowed_mentions=quiet, **answer)
        else:
            await interaction.response.send_message(ephemeral=True, allowed_mentions=quiet, **answer)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as unsent:
        _log.warning("%s: the answer could not be sent (%r)", name, unsent)


async def refused(interaction: Interaction, error: Exception, name: str) -> None:
    """What discord.py raises before a handler begins: an option that has changed since, or a value it cannot read."""
    if isinstance(error, app_commands.CommandSignatureMismatch | app_commands.TransformerError):
        _log.info("%s: %s", name, error)
        error = RemembrancerError(say("discord.old_command"), say("discord.old_command.hint"))
    await fail(interaction, error, name)


async def choices(asker: Asker, interaction: Interaction, kind: str, typed: str) -> list[app_commands.Choice[str]]:
    """What can stand in a `handle` option, within Discord's bounds; nothing where it cannot be told."""
    try:
        found = await asker.handles(interaction, kind, typed)
    except Exception:  # noqa: BLE001 - no choices rather than an error while somebody types
        _log.exception("choices for %r", kind)
        return []
    fitting = ((label.strip() or handle, handle) for label, handle in found if 0 < len(handle) <= CHOICE_CHARS)
    return [app_commands.Choice(name=cut(label, CHOICE_CHARS), value=handle) for label, handle in fitting][:CHOICES]


def cut(text: str, most: int) -> str:
    """At most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
