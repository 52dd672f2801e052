"""What came of an interaction: how soon the bot acknowledged it, and what its person then saw."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tests.fakes.discord.calls import Call
from tests.fakes.discord.engine import Interaction, Payload, walk_components
from tests.fakes.discord.messages import Message

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person
    from tests.fakes.discord.places import Channel
    from tests.fakes.discord.world import World

T = TypeVar("T")
DEFERS = (5, 6)


@dataclass(frozen=True, slots=True)
class Choice:
    """One suggestion of an autocomplete."""

    name: str
    value: str | int | float


class Answer:
    """A live view of one interaction and of everything with which the bot answered it."""

    def __init__(self, world: "World", person: "Person", channel: "Channel", state: Interaction, asked: str) -> None:
        self.world, self.person, self.channel, self.state = world, person, channel, state
        self.asked = asked
        self.at = time.monotonic()
        self.acknowledged_after: float | None = None
        self.callback: int | None = None
        self.calls: list[Call] = []
        self.edits: list[Payload] = []

    def __repr__(self) -> str:
        how = "not acknowledged" if self.callback is None else f"callback {self.callback}: {self.texts}"
        return f"<{self.asked} by {self.person.name}, {how}>"

    # ---- how

    @property
    def acknowledged(self) -> bool:
        """Whether the bot acknowledged it, in `acknowledged_after` seconds."""
        return self.callback is not None

    @property
    def deferred(self) -> bool:
        """Whether it was acknowledged by putting the answer off."""
        return self.callback in DEFERS

    @property
    def thinking(self) -> bool:
        """Whether the person still waits for what was put off."""
        return self.state.loading

    @property
    def failed(self) -> bool:
        """Whether Discord says that the application did not respond."""
        return not self.acknowledged and time.monotonic() - self.at > self.world.answer_seconds

    @property
    def ephemeral(self) -> bool:
        """Whether only the person sees the first answer."""
        return self.state.ephemeral

    # ---- what

    @property
    def response(self) -> Message | None:
        """The first answer, or the message with the component where that was edited; None while it is put off."""
        found = self.state.message_id and self.world.find_message(self.channel.id, self.state.message_id)
        return None if not found or found.loading else found

    @property
    def followups(self) -> list[Message]:
        """Further answers that there still are."""
        found = [self.world.find_message(self.channel.id, one) for one in self.state.followup_ids]
        return [one for one in found if one is not None]

    @property
    def messages(self) -> list[Message]:
        """The first answer and the further ones."""
        return [one for one in [self.response, *self.followups] if one is not None]

    @property
    def texts(self) -> list[str]:
        """What can be read in those."""
        return [one.words for one in self.messages]

    @property
    def modal(self) -> Payload | None:
        """The form that was shown, as JSON."""
        return self.state.modal

    @property
    def fields(self) -> list[Payload]:
        """The fields of the form, as JSON, each with its `label`."""
        found: list[Payload] = []
        for part in (self.modal or {}).get("components", []):
            for one in walk_components(part):
                if one.get("custom_id"):
                    found.append({**one, "label": one.get("label") or part.get("label")})
        return found

    @property
    def choices(self) -> list[Choice] | None:
        """The suggestions, for an autocomplete."""
        given = self.state.autocomplete_choices
        return None if given is None else [Choice(one["name"], one["value"]) for one in given]

    # ---- waiting

    def until(self, condition: Callable[[], T], timeout: float, what: str) -> T:
        """Wait for something about this interaction."""
        return self.world.until(condition, timeout, f"{what} of {self!r}; {self.calls}")

    def acknowledges(self, timeout: float = 4.0) -> "Answer":
        """Wait until it is acknowledged; itself."""
        self.until(lambda: self.acknowledged, timeout, "the acknowledgement")
        return self

    def says(self, part: str = "", timeout: float = 5.0) -> Message:
        """Wait for an answer that holds `part`, in any case of letters."""

        def found() -> Message | None:
            return next((one for one in reversed(self.messages) if part.lower() in one.words.lower()), None)

        message = self.until(found, timeout, f"an answer with {part!r}")
        assert message is not None
        return message

    def shows_modal(self, timeout: float = 4.0) -> Payload:
        """Wait for the form."""
        modal = self.until(lambda: self.modal, timeout, "the form")
        assert modal is not None
        return modal

    def suggestions(self, timeout: float = 4.0) -> list[Choice]:
        """Wait for the suggestions."""
        self.until(lambda: self.choices is not None, timeout, "the suggestions")
        return self.choices or []

    # ---- for the service

    def carried_out(self, call: Call) -> None:
        """A request with its token took effect."""
        self.calls.append(call)
        body: dict[str, Any] = call.body if isinstance(call.body, dict) else {}
        if call.path.endswith("/callback"):
            self.callback = int(body["type"])
            self.acknowledged_after = call.at - self.at
        elif call.method == "PATCH" and call.path.endswith("/@original"):
            self.edits.append(body)
