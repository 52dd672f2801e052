"""What was seen since this process began: newest messages, bots and webhooks by name. In memory only, bounded."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from core.turn import Principal, Turn, TurnKind, Visibility, Where

CONVERSATIONS = 2_000
SPACES = 1_000
ROBOTS = 50
ACTED = 10_000
_ROBOTS = frozenset({TurnKind.BOT, TurnKind.WEBHOOK})


class Seen:
    """The newest message of a person by conversation, who posts without being a person, and what was acted on."""

    def __init__(self) -> None:
        self._newest: OrderedDict[tuple[str, str], Turn] = OrderedDict()
        self._robots: OrderedDict[str, OrderedDict[Principal, str]] = OrderedDict()
        self._acted: OrderedDict[int, bool] = OrderedDict()

    def remember(self, turn: Turn) -> None:
        """Keep a person's message as the newest, and the name of a bot or webhook."""
        if turn.kind is TurnKind.USER:
            key = turn.where.channel, turn.where.conversation
            self._newest[key] = turn
            self._newest.move_to_end(key)
            _bound(self._newest, CONVERSATIONS)
        elif turn.kind in _ROBOTS and turn.sender is not None:
            named = self._robots.setdefault(_heard_in(turn.where), OrderedDict())
            self._robots.move_to_end(_heard_in(turn.where))
            named[turn.sender] = turn.sender_name
            named.move_to_end(turn.sender)
            _bound(named, ROBOTS)
            _bound(self._robots, SPACES)

    def newest(self, channel: str, conversation: str) -> Turn | None:
        """The newest message of a person there."""
        return self._newest.get((channel, conversation))

    def robots(self, where: Where) -> Mapping[Principal, str]:
        """Bots and webhooks that posted in a server (in a private channel: there), with the name of their last post."""
        return self._robots.get(_heard_in(where), {})

    def forget(self, message_id: str) -> None:
        """A message was deleted: it is not spoken of any more."""
        self._newest = OrderedDict((key, turn) for key, turn in self._newest.items() if turn.message_id != message_id)

    def first(self, message_id: int) -> bool:
        """Is it the first time that a message is acted on? Discord may send one again after a reconnection."""
        if message_id in self._acted:
            return False
        self._acted[message_id] = True
        _bound(self._acted, ACTED)
        return True


def _heard_in(where: Where) -> str:
    return where.space if where.visibility is Visibility.PUBLIC else where.channel


def _bound(kept: OrderedDict[Any, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
