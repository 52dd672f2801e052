"""A message as the people in a channel see it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.fakes.discord.engine import MessageState, Payload, walk_components

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person
    from tests.fakes.discord.places import Channel
    from tests.fakes.discord.world import World

LOADING = 1 << 7
BUTTON, SELECTS = 2, (3, 5, 6, 7, 8)


@dataclass(frozen=True, slots=True)
class Pings:
    """Who was notified: ids of users and roles, and whether everybody was."""

    users: tuple[int, ...]
    roles: tuple[int, ...]
    everyone: bool

    @classmethod
    def of(cls, state: MessageState) -> "Pings":
        """With `allowed_mentions` and the author's permissions reckoned in."""
        return cls(tuple(state.ping_user_ids), tuple(state.ping_role_ids), state.mention_everyone)

    def __bool__(self) -> bool:
        return bool(self.users or self.roles or self.everyone)


class Message:
    """A live view of one message; an edit shows at once, and a deleted one keeps what it last said."""

    def __init__(self, world: "World", channel: "Channel", state: MessageState) -> None:
        self.world = world
        self.channel = channel
        self.state = state

    def __repr__(self) -> str:
        kind = " (ephemeral)" if self.ephemeral else ""
        return f"<Message {self.id} in {self.channel.name}{kind}: {self.words!r}>"

    @property
    def id(self) -> int:
        """Its snowflake."""
        return self.state.id

    @property
    def text(self) -> str:
        """Its content, without the embeds."""
        return self.state.content

    @property
    def words(self) -> str:
        """Everything to be read: content, embeds, and texts among the components."""
        found: list[Any] = [self.text]
        for embed in self.embeds:
            found += [(embed.get("author") or {}).get("name"), embed.get("title"), embed.get("description")]
            for field in embed.get("fields") or []:
                found += [field["name"], field["value"]]
            found.append((embed.get("footer") or {}).get("text"))
        found += [part.get("content") for part in walk_components(self.components)]
        return "\n".join(part for part in found if part)

    @property
    def embeds(self) -> list[Payload]:
        """Its embeds, as JSON."""
        return self.state.embeds

    @property
    def components(self) -> list[Payload]:
        """Its rows of buttons and selects, as JSON."""
        return self.state.components

    @property
    def attachments(self) -> list[Payload]:
        """Its files, as JSON."""
        return self.state.attachments

    @property
    def author(self) -> "Person | None":
        """Who wrote it; None for a webhook."""
        return self.world.people.get(self.state.author_id)

    @property
    def by_bot(self) -> bool:
        """Whether the application under test wrote it."""
        return self.state.author_id == self.world.bot.id

    @property
    def ephemeral(self) -> bool:
        """Whether only the person who asked can see it."""
        return self.state.is_ephemeral

    @property
    def loading(self) -> bool:
        """Whether it still says that the bot is thinking."""
        return bool(self.state.flags & LOADING)

    @property
    def answers_interaction(self) -> bool:
        """Whether it answers a command or component, rather than being posted in the channel."""
        return self.state.interaction_metadata is not None

    @property
    def edited(self) -> bool:
        """Whether it was edited."""
        return self.state.edited_timestamp is not None

    @property
    def deleted(self) -> bool:
        """Whether it is gone."""
        return self.id not in self.world.backend.messages.get(self.channel.id, {})

    @property
    def silent(self) -> bool:
        """Whether it was sent without a notification."""
        return bool(self.state.flags & (1 << 12))

    @property
    def reply_to(self) -> "Message | None":
        """The message it replies to, while that exists."""
        reference = self.state.reference
        if reference is None or reference.get("type", 0) != 0:
            return None
        return self.world.find_message(self.channel.id, int(reference["message_id"]))

    @property
    def pings(self) -> Pings:
        """Who it notified when it came."""
        return self.world.pinged.get(self.id, Pings.of(self.state))

    @property
    def reactions(self) -> dict[str, list[int]]:
        """The ids of those who reacted, by emoji."""
        return {one.emoji: list(one.user_ids) for one in self.state.reactions}

    # ---- what can be used on it

    @property
    def buttons(self) -> list[Payload]:
        """Its buttons that lead to the bot, as JSON."""
        found = [one for one in walk_components(self.components) if one["type"] == BUTTON]
        return [one for one in found if one.get("custom_id")]

    @property
    def labels(self) -> list[str]:
        """What stands on the buttons that can be pressed."""
        return [str(one.get("label") or "") for one in self.buttons if not one.get("disabled")]

    @property
    def captions(self) -> list[str]:
        """What stands on all of them, those that only say something included."""
        return [str(one.get("label") or "") for one in self.buttons]

    @property
    def selects(self) -> list[Payload]:
        """Its menus, as JSON."""
        return [one for one in walk_components(self.components) if one["type"] in SELECTS]

    def button(self, name: str) -> Payload:
        """The button with that label or custom_id; AssertionError where it is not there or cannot be pressed."""
        for one in self.buttons:
            if name in (one.get("label"), one["custom_id"]):
                assert not one.get("disabled"), f"{name!r} is switched off on {self}"
                return one
        raise AssertionError(f"{self} has no button {name!r}, only {self.labels}")

    def select(self, name: str | None = None) -> Payload:
        """The menu with that placeholder or custom_id, or the only one."""
        found: list[Any] = [
            one for one in self.selects if name is None or name in (one.get("placeholder"), one["custom_id"])
        ]
        assert len(found) == 1, f"{self} has {len(found)} menus {name or ''}: {self.selects}"
        assert not found[0].get("disabled"), f"the menu is switched off on {self}"
        return dict(found[0])
