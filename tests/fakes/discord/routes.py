"""The API behind HTTP: what simcord does not know, or knows otherwise than Discord, and then simcord itself."""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.fakes.discord import limits
from tests.fakes.discord.calls import Call
from tests.fakes.discord.engine import BackendError, channel_accessible, dispatch, serializers

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

ALL = str(1 << 30)
MISSING_ACCESS = (403, 50001, "Missing Access")
CLOSED = (403, 50007, "Cannot send messages to this user")
OVER = (401, 50027, "Invalid Webhook Token")
ARCHIVED = (400, 50083, "Thread is archived")
COMPLETES = 8
Route = Callable[[Call, list[str], list[Any]], Any]


class Routes:
    """Carries out requests, under the world's lock; raises `BackendError` where Discord refuses."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self._nonces: dict[tuple[int, str], tuple[float, int]] = {}
        self._own: dict[tuple[str, ...], Route] = {
            ("GET", "gateway"): self._gateway,
            ("GET", "gateway", "bot"): self._gateway,
            ("GET", "oauth2", "applications", "@me"): self._application,
            ("GET", "applications", "@me"): self._application,
            ("GET", "users", "@me", "guilds"): self._guilds,
            ("GET", "channels", "*", "messages"): self._history,
            ("POST", "channels", "*", "messages"): self._post,
            ("PUT", "applications", "*", "commands"): self._sync,
            ("PUT", "applications", "*", "guilds", "*", "commands"): self._sync,
            ("POST", "interactions", "*", "*", "callback"): self._callback,
        }

    def carry_out(self, call: Call, files: list[Any]) -> Any:
        """Do what is asked; the JSON of the answer, None for an empty one."""
        parts = call.path.strip("/").split("/")
        self._in_reach(parts)
        self._young(parts)
        result = self._route(call.method, parts)(call, parts, files)
        if parts[0] in ("interactions", "webhooks") and len(parts) > 2:
            answer = self.world.answers.get(parts[2])
            if answer is not None:
                answer.carried_out(call)
        return result

    def _route(self, method: str, parts: list[str]) -> Route:
        for shape, route in self._own.items():
            fits = len(shape) == len(parts) + 1 and shape[0] == method
            if fits and all(one in ("*", part) for one, part in zip(shape[1:], parts, strict=True)):
                return route
        return self._rest

    def _rest(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        content = self.world.application.message_content
        return dispatch(self.world.backend, call.method, call.path, call.body, call.query, files, content=content)

    # ---- before anything else

    def _in_reach(self, parts: list[str]) -> None:
        """403 for everything under a guild in which the bot is not."""
        for name, value in pairwise(parts):
            if name == "guilds" and value.isdigit() and int(value) in self.world.away:
                raise BackendError(*MISSING_ACCESS)

    def _young(self, parts: list[str]) -> None:
        """401 for messages with the token of an interaction that is over."""
        answer = self.world.answers.get(parts[2]) if parts[0] == "webhooks" and len(parts) > 2 else None
        if answer is not None and (answer.state.expires_at or "") <= self.world.backend.now_iso():
            raise BackendError(*OVER)

    # ---- routes

    def _gateway(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        return {"url": self.world.gateway_url, "shards": 1, "session_start_limit": limit}

    def _application(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        world = self.world
        known = dispatch(world.backend, "GET", "/oauth2/applications/@me", None, {}, [], content=True)
        return known | {"flags": world.application.flags, "approximate_guild_count": len(self._joined())}

    def _joined(self) -> list[int]:
        return [one for one in self.world.backend.guilds if one not in self.world.away]

    def _guilds(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        joined = {str(one) for one in self._joined()}
        found = [one for one in self._rest(call, parts, files) if one["id"] in joined]
        bot = self.world.bot.id
        return [
            {**one, "owner": False, "permissions": str(self.world.backend.compute_permissions(int(one["id"]), bot))}
            for one in found
        ]

    def _history(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        """Newest first; with `after` those next to it."""
        size = limits.page_size(call.query)
        if "around" in call.query:
            return self._rest(call, parts, files)
        asked = Call(call.method, call.path, call.at, {**call.query, "limit": ALL})
        found = self._rest(asked, parts, files)
        return found[-size:] if "after" in call.query and "before" not in call.query else found[:size]

    def _sync(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        limits.check_commands(call.body or [])
        return self._rest(call, parts, files)

    def _callback(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        if call.body["type"] == COMPLETES:
            limits.check_choices(call.body["data"].get("choices") or [])
        return self._rest(call, parts, files)

    def _post(self, call: Call, parts: list[str], files: list[Any]) -> Any:
        """A message in a channel: a known nonce gives the message there is."""
        world = self.world
        channel = world.backend.get_channel(int(parts[1]))
        if any(one in world.closed for one in channel.recipient_ids):
            raise BackendError(*CLOSED)
        nonce = call.body.get("nonce")
        if nonce is not None:
            nonce = limits.check_nonce(nonce)
            known = self._known(channel.id, nonce) if call.body.get("enforce_nonce") else None
            if known is not None:
                return known | {"nonce": nonce}
        metadata = channel.thread_metadata
        if metadata is not None and metadata.archived and channel_accessible(world.backend, channel.id, world.bot.id):
            if metadata.locked:
                raise BackendError(*ARCHIVED)
            world.backend.edit_channel(channel.id, {}, thread_metadata={"archived": False})
        self._replies(call, channel.id)
        made = self._rest(call, parts, files)
        if nonce is not None:
            self._nonces[channel.id, nonce] = (world.backend.clock.now().timestamp(), int(made["id"]))
        return made | {"nonce": nonce}

    def _replies(self, call: Call, channel_id: int) -> None:
        """A reply to what is gone is refused, or becomes a plain message where the bot asked for that."""
        reference = call.body.get("message_reference")
        if not reference or self.world.find_message(channel_id, int(reference["message_id"])) is not None:
            return
        if reference.get("fail_if_not_exists", True):
            raise limits.broken("message_reference", "Unknown message")
        call.body = {name: value for name, value in call.body.items() if name != "message_reference"}

    def _known(self, channel_id: int, nonce: str) -> dict[str, Any] | None:
        at, message_id = self._nonces.get((channel_id, nonce), (0.0, 0))
        if self.world.backend.clock.now().timestamp() - at > self.world.nonce_seconds:
            return None
        found = self.world.find_message(channel_id, message_id)
        return None if found is None else dict(serializers.message_payload(self.world.backend, found.state))
