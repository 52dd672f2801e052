"""Looking at the Discord bot: its token, what it may read, where it is and what it may do there.

Nothing is changed at the service, and no connection to its gateway is opened. No text of an error is shown: those of
the library hold what the service sent.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator

from aiohttp import ClientError
from discord import AppInfo, Client, Intents, Permissions
from discord.errors import DiscordException, DiscordServerError, HTTPException, LoginFailure, RateLimited

from adapters.discord.commands import GROUPS
from adapters.discord.endpoints import HOST, point_at
from adapters.discord.invite import invite_link, lacking
from bots.doctor import Check, State
from config.settings import Settings
from core.catalogue import say

SECONDS = 20
LONGEST_WAIT = 3
"""Seconds: where the service asks to wait for longer, that is told."""
UNVERIFIED_SERVERS = 100
"""From as many servers on Discord wants to look at a bot before it may read what people write."""
A_PAGE = 200
SERVERS_SHOWN = 10
# What is raised when what answers is not Discord: the library's objects cannot be made of that.
NO_DISCORD = (LookupError, TypeError, ValueError, AttributeError)


def discord(settings: Settings) -> Iterator[Check]:
    """The checks of the bot whose token is set."""
    library = logging.getLogger("discord")
    before = library.level
    library.setLevel(logging.CRITICAL + 1)  # what goes wrong is told below
    point_at(settings.discord_api_url, settings.discord_gateway_url)
    try:
        found = asyncio.run(_looked(settings))
    finally:
        library.setLevel(before)
    yield from found


async def _looked(settings: Settings) -> list[Check]:
    found: list[Check] = []
    try:
        async with asyncio.timeout(SECONDS):
            async for check in _checks(settings.discord_token.get_secret_value()):
                found.append(check)
    except (DiscordException, ClientError, OSError, *NO_DISCORD) as error:
        found.append(refusal(error, settings.discord_api_url or HOST))
    return found


async def _checks(token: str) -> AsyncIterator[Check]:
    async with Client(intents=Intents.none()) as client:
        client.http.max_ratelimit_timeout = LONGEST_WAIT
        await client.login(token)
        assert client.user is not None, "it is logged in"  # noqa: S101
        yield Check("discord token", State.OK, say("doctor.discord.token", name=str(client.user)))
        application = await client.application_info()
        servers = await client.http.get_guilds(A_PAGE, with_counts=False)
        yield content(application, len(servers))
        yield members(application)
        for check in ways(application):
            yield check
        yield await _commands(client, application)
        yield joined(application, len(servers))
        allowed = [(str(server["name"]), Permissions(int(server["permissions"]))) for server in servers]
        for check in permitted(allowed):
            yield check


def content(application: AppInfo, servers: int) -> Check:
    """Whether the bot reads what people write. The limited flag is that of bots that Discord did not look at."""
    name, flags = "discord content", application.flags
    if flags.gateway_message_content or (flags.gateway_message_content_limited and servers < UNVERIFIED_SERVERS):
        return Check(name, State.OK, say("doctor.discord.content"))
    if flags.gateway_message_content_limited:
        hint = say("doctor.discord.content.limited.hint")
        return Check(name, State.WARN, say("doctor.discord.content.limited", count=servers), hint)
    return Check(name, State.FAIL, say("doctor.discord.content.off"), say("doctor.discord.content.off.hint"))


def members(application: AppInfo) -> Check:
    """Whether the bot hears who leaves, and may look up people by their names."""
    flags = application.flags
    if flags.gateway_guild_members or flags.gateway_guild_members_limited:
        return Check("discord members", State.OK, say("doctor.discord.members"))
    hint = say("doctor.discord.members.off.hint")
    return Check("discord members", State.WARN, say("doctor.discord.members.off"), hint)


def ways(application: AppInfo) -> Iterator[Check]:
    """Settings of the application that keep people or their commands away from the bot."""
    if application.interactions_endpoint_url:
        hint = say("doctor.discord.endpoint.hint")
        yield Check("discord interactions", State.WARN, say("doctor.discord.endpoint"), hint)
    if application.bot_require_code_grant:
        hint = say("doctor.discord.grant.hint")
        yield Check("discord invite", State.WARN, say("doctor.discord.grant"), hint)


async def _commands(client: Client, application: AppInfo) -> Check:
    found = await client.http.get_global_commands(application.id)
    names = sorted(str(command["name"]) for command in found)
    if not names:
        hint = say("doctor.discord.commands.none.hint")
        return Check("discord commands", State.WARN, say("doctor.discord.commands.none"), hint)
    if missing := [name for name in GROUPS if name not in names]:
        lost, hint = (
            say("doctor.discord.commands.missing", names=", ".join(missing)),
            "doctor.discord.commands.missing.hint",
        )
        return Check("discord commands", State.WARN, lost, say(hint))
    return Check("discord commands", State.OK, ", ".join(names))


def joined(application: AppInfo, servers: int) -> Check:
    """On how many servers it is; where it is on none, the link that invites it."""
    if not servers:
        hint = say("doctor.discord.servers.none.hint", link=invite_link(application.id))
        return Check("discord servers", State.WARN, say("doctor.discord.servers.none"), hint)
    if servers == A_PAGE:
        return Check("discord servers", State.OK, say("doctor.discord.servers.many", count=servers))
    key = "doctor.discord.servers.one" if servers == 1 else "doctor.discord.servers"
    return Check("discord servers", State.OK, say(key, count=servers))


def permitted(allowed: list[tuple[str, Permissions]]) -> Iterator[Check]:
    """What it lacks on each server, by the server's name; `SERVERS_SHOWN` of them at most."""
    name = "discord permissions"
    poor = [(server, missing) for server, permissions in allowed if (missing := lacking(permissions))]
    if allowed and not poor:
        yield Check(name, State.OK, say("doctor.discord.permissions"))
    hint = say("doctor.discord.permissions.lacking.hint")
    for server, missing in poor[:SERVERS_SHOWN]:
        names = ", ".join(say(f"doctor.discord.permission.{one}") for one in missing)
        yield Check(name, State.WARN, say("doctor.discord.permissions.lacking", server=server, names=names), hint)
    if len(poor) > SERVERS_SHOWN:
        more = say("doctor.discord.permissions.more", count=len(poor) - SERVERS_SHOWN)
        yield Check(name, State.WARN, more, hint)


def refusal(error: Exception, address: str) -> Check:
    """What an error means for whoever runs the bot."""
    status = error.status if isinstance(error, HTTPException) else 0
    if isinstance(error, LoginFailure) or status == 401:
        found, hint = say("doctor.discord.refused"), say("doctor.discord.refused.hint")
        return Check("discord token", State.FAIL, found, hint)
    if isinstance(error, RateLimited) or status == 429:
        return Check("discord service", State.WARN, say("doctor.discord.wait"), say("doctor.discord.wait.hint"))
    kind = f"HTTP {status}" if status else type(error).__name__
    if isinstance(error, DiscordServerError | ClientError | OSError):
        found = say("doctor.discord.away", address=address, kind=kind)
        return Check("discord service", State.FAIL, found, say("doctor.discord.away.hint"))
    found = say("doctor.discord.other", address=address, kind=kind)
    return Check("discord service", State.FAIL, found, say("doctor.discord.other.hint"))
