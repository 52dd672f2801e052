"""What is taken from simcord, which keeps the state of the loopback Discord and answers most of its routes.

Its inner modules are no public interface, so everything that is imported from it is imported here, and its version is
pinned exactly. Differences from Discord that matter here are mended in `routes`, `limits` and `delivery`.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
from simcord import intents, interactions
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.access import channel_accessible
from simcord.backend.command_access import command_access
from simcord.backend.errors import BackendError, OptionError, SetupError
from simcord.backend.models import AllowedMentions, Interaction, Overwrite
from simcord.backend.models import Channel as ChannelState
from simcord.backend.models import Guild as GuildState
from simcord.backend.models import Message as MessageState
from simcord.components import walk_components
from simcord.enums import ChannelType, MessageType, OptionType, OverwriteType
from simcord.http import router
from simcord.http import routes as _routes

__all__ = [
    "AllowedMentions",
    "Backend",
    "BackendError",
    "ChannelState",
    "ChannelType",
    "Clock",
    "GuildState",
    "Interaction",
    "MessageState",
    "MessageType",
    "OptionError",
    "OptionType",
    "Overwrite",
    "OverwriteType",
    "SetupError",
    "WallClock",
    "channel_accessible",
    "command_access",
    "discord",
    "dispatch",
    "intents",
    "interactions",
    "new_backend",
    "serializers",
    "unknown_route",
    "walk_components",
]

Payload = dict[str, Any]
REGISTERED = _routes  # importing it registers the routes


class WallClock(Clock):
    """The time of the machine, plus what a test let pass with `advance`."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.elapsed)


def new_backend(name: str, clock: Clock | None = None) -> Backend:
    """An empty Discord with the application `name`; times and ids follow the clock, the wall's unless told."""
    backend = Backend(clock=clock or WallClock())
    backend.bot_user.name = name
    return backend


def dispatch(
    backend: Backend, method: str, path: str, body: Any, query: dict[str, str], files: list[Any], *, content: bool
) -> Any:
    """Answer a request (None: an empty answer); `BackendError` where Discord refuses it."""
    try:
        return router.dispatch(
            backend, method, path, json=body, params=dict(query), files=files, message_content_access=content
        )
    finally:
        backend.http_requests.clear()  # it keeps copies of everything, which nobody reads here
        backend.transcript.clear()


def unknown_route(error: BackendError) -> bool:
    """Whether an error says that a route or a field of it is not understood, rather than refused."""
    return isinstance(error, router.RouteNotImplemented | router.UnsupportedField)
