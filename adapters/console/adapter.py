"""The terminal as a chat platform: `adapters.base.contract.Adapter` over a screen, for the person who is typing.

`show` is the same as `send` without waiting: the terminal itself is synchronous.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from adapters.base.contract import Capabilities, NeverSent, Post, RetryLater, Sent
from adapters.console.display import Screen
from adapters.console.world import ACCOUNT, PROVIDER, Said, World, label, principal
from core.limits import LIMITS
from core.services.context import Context
from core.text.zones import MarkedText
from core.turn import Principal, Turn, Visibility, Where
from core.wording.lines import Line, Segment

CAPABILITIES = Capabilities(replies=False, buttons=False, edits=False, history=True, text_chars=LIMITS.shown_chars)
"""A line that was shown stays as it is, and there is nothing to press: questions are answered by typing."""


class ConsoleAdapter:
    """What reaches `screen`, and what is typed in `world`."""

    provider = PROVIDER
    account = ACCOUNT
    capabilities = CAPABILITIES

    def __init__(self, ctx: Context, world: World, screen: Screen) -> None:
        self._ctx = ctx
        self._world = world
        self._screen = screen
        self._numbers = count(1)

    def normalise(self, event: object) -> Turn | None:
        """A typed line (`Said`) as a turn, where the person typing is; None for everything else."""
        return self.turn(event, self._world.where) if isinstance(event, Said) else None

    def turn(self, said: Said, where: Where) -> Turn:
        """A line typed in a place."""
        people = self._world.people()
        words = {word.strip(".,;:!?").removeprefix("@").casefold() for word in said.text.split() if word[:1] == "@"}
        return Turn(
            where=where,
            message_id=said.message_id,
            text=MarkedText(said.text),
            sent_at=said.sent_at,
            received_at=self._ctx.clock.now(),
            sender=said.sender,
            sender_name=said.name,
            kind=said.kind,
            edited=said.edited,
            mentions=tuple(principal(name) for name in sorted(words & people.keys())),
        )

    def show(self, post: Post) -> Sent:
        """Show a post; a direct message is shown to whom it is for alone.

        Raises RetryLater while somebody else is typing, NeverSent for somebody who was never here, and OSError where
        nobody reads the screen any more.
        """
        where = self._place(post.to)
        pieces = [piece for line in post.lines for piece in _pieces(line)]
        for piece in pieces:
            self._screen.posted(label(where), piece)
        return Sent(tuple(str(next(self._numbers)) for _ in pieces))

    def _place(self, to: Where | Principal) -> Where:
        direct = self._world.direct()
        if isinstance(to, Principal):
            if (to.provider, to.account) != (PROVIDER, ACCOUNT) or to.user_id not in self._world.people():
                raise NeverSent("gone")
            if to != principal(self._world.name):
                raise RetryLater("away")
            return direct
        if to.visibility is Visibility.DIRECT and to.conversation != direct.conversation:
            raise RetryLater("away")
        return to

    # the contract

    async def send(self, post: Post) -> Sent:
        """Show a post. Raises RetryLater or NeverSent."""
        try:
            return self.show(post)
        except OSError:
            raise RetryLater("network") from None

    async def edit(self, where: Where, message_id: str, post: Post) -> None:
        """Nothing: a line that was shown stays as it is."""

    async def react(self, where: Where, message_id: str, emoji: str) -> None:
        """Nothing: there are no reactions in a terminal."""

    async def history(self, where: Where, limit: int) -> Sequence[Turn]:
        """The last messages of this session in a conversation, oldest first."""
        said = self._world.said_in(where)
        return [self.turn(one, where) for one in said[max(0, len(said) - limit) :]]

    async def is_owner(self, who: Principal, where: Where) -> bool:
        """Does that person own the workspace? Read from the store now; a place of another platform is nobody's."""
        self._world.refresh()
        here = (where.provider, where.account) == (who.provider, who.account) == (PROVIDER, ACCOUNT)
        return here and self._world.is_owner(who.user_id)


def _pieces(line: Line) -> Iterator[Line]:
    """A line cut into pieces that a screen shows as a whole; nothing is lost."""
    kept: list[Segment] = []
    room = CAPABILITIES.text_chars
    for segment in line.segments:
        text = segment.text
        while len(text) > room:
            yield Line((*kept, replace(segment, text=text[:room])), line.mood)
            kept, text, room = [], text[room:], CAPABILITIES.text_chars
        kept.append(replace(segment, text=text))
        room -= len(text)
    yield Line(tuple(kept), line.mood)
