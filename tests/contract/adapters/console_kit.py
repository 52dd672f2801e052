"""The terminal: its application with a screen of JSON lines, ada and bob at one keyboard."""

import io
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from adapters.console.app import ConsoleApp
from adapters.console.display import JsonScreen
from adapters.console.world import ACCOUNT, PROVIDER, Said, label, principal
from bots.runtime import ShiftedClock
from core.services.context import Context
from core.turn import Principal, Where
from core.wording.readback import Choice
from tests.contract.adapters.kit import Kit, Shown, typed


class Paper(io.StringIO):
    """A stream that nobody reads any more once it is `torn`."""

    torn = False

    def write(self, text: str, /) -> int:
        """Raises BrokenPipeError once."""
        if self.torn:
            self.torn = False
            raise BrokenPipeError
        return super().write(text)


class ConsoleKit(Kit):
    """Lines are typed by whoever sits there; nothing is received that was not typed."""

    name = "console"
    LACKS: ClassVar[Mapping[str, str]] = {
        "replies": "a line follows the one before",
        "buttons": "there is nothing to press",
        "edits": "a line stays as it was shown",
        "reactions": "a line is all there is",
        "mentions": "nobody's telephone rings",
        "links": "a line has no address",
        "moves": "places keep their names",
    }
    UNSAID: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("caption", "edited_caption", "attachment"), "lines are text alone"),
        **dict.fromkeys(("own", "other_bot", "embed", "webhook"), "nobody but people types"),
        **dict.fromkeys(
            ("joined", "left", "came", "pinned", "thread_opened", "thread_told"), "what happens is no line"
        ),
        **dict.fromkeys(("forum_post", "private"), "a channel is open to all and has plain lines"),
        "preview_added": "a line stays as it was typed",
        **dict.fromkeys(
            ("anonymous", "channel_post", "edited_channel_post", "forwarded_post"), "whoever types is known"
        ),
        **dict.fromkeys(("command", "command_by_name", "pressed"), "commands are done at once and are no talk"),
        **dict.fromkeys(("moved_away", "moved_here", "membership"), "places keep their names"),
        "reply": "a line follows the one before",
        "mention_by_entity": "a mention is written with an @",
    }
    FAILURES = frozenset({"lost"})

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        clock = ShiftedClock(ctx.clock)
        self.ctx = Context(ctx.store, clock, ctx.ids, ctx.limits, zone_of=ZoneInfo)
        self.paper = Paper()
        self.app = ConsoleApp(self.ctx, clock, JsonScreen(self.paper))
        self.app.open()
        self.adapter = self.app.adapter
        self.places: dict[str, Where] = {}
        for name, way in {"group": "/in ops", "threads": "/in launches", "thread": "/thread rollback"}.items():
            self.types("ada", way)
            self.places[name] = self.app.world.where
        self.types("bob", "/in ops")
        self.types("ada", "/in ops")
        self.places["direct"] = self.app.world.direct()
        self.people = {name: principal(name) for name in ("ada", "bob")}
        self.unreachable = Principal(PROVIDER, ACCOUNT, "nobody")

    def types(self, who: str, text: str) -> None:
        """One line."""
        if self.app.world.name != who:
            self.app.handle(f"/as {who}")
        self.app.handle(text)

    def _rows(self) -> list[dict[str, Any]]:
        return [json.loads(row) for row in self.paper.getvalue().splitlines()]

    def event(self, payload: str) -> object:
        """The line, typed where it was typed."""
        recorded = self.recorded()[payload]
        self.app.world.become(recorded["who"])
        self.app.world.where = self.places[recorded["place"]]
        fields = recorded["said"]
        return Said(**fields | {"sent_at": datetime.fromtimestamp(fields["sent_at"], UTC)})

    def sent(self) -> list[Shown]:
        """What was posted."""
        by_label = {label(where): name for name, where in self.places.items()}
        posted = [row for row in self._rows() if row["kind"] == "posted"]
        return [Shown(str(number), by_label[row["where"]], row["text"]) for number, row in enumerate(posted, 1)]

    def fails(self, how: str) -> None:
        """The one way there is."""
        assert how == "lost", how
        self.paper.torn = True

    def hears(self, text: str = "launch checklist") -> str:
        """A line of bob's."""
        self.types("bob", text)
        said = self.app.world.newest()
        assert said is not None
        self.types("ada", "/people")
        return said.message_id

    def deletes(self, message_id: str) -> None:
        """A terminal forgets nothing."""
        raise AssertionError(f"{message_id} cannot be deleted")

    def owner_no_more(self) -> None:
        """Another terminal on the same file makes bob the only owner."""
        other = ConsoleApp(self.ctx, ShiftedClock(self.ctx.clock), JsonScreen(io.StringIO()))
        other.open()
        other.handle("/owner bob")
        other.handle("/as bob")
        other.handle("/owner ada off")

    def another_owner(self) -> None:
        """By ada."""
        self.types("ada", "/owner bob")

    def says(self, who: str, text: str) -> None:
        """Typed in the group."""
        self.types(who, text)

    def answers(self, who: str, choice: Choice) -> None:
        """Typed."""
        self.types(who, choice.label)

    def goal(self, who: str, verb: str, **options: str) -> str:
        """Typed."""
        before = len(self._rows())
        self.types(who, typed(verb, options))
        return "\n".join(row["text"] for row in self._rows()[before:] if "text" in row)

    def presses(self, who: str, shown: Shown, label: str) -> None:
        """A terminal has no buttons."""
        raise AssertionError(f"{who} cannot press {label} under {shown}")

    def receives(self, payload: str) -> None:
        """Nothing comes from outside."""
        raise AssertionError(f"{payload} is not received")
