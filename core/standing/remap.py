"""Other places and people for those of an export. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.standing.portable import Person, PortableIntent
from core.turn import Principal, Visibility, Where

Path = tuple[str, ...]
"""Provider, account and space; then, for one place of it, the channel; then, for a thread or topic, that."""

SPACE = 3


def paths_of(where: Where) -> tuple[Path, ...]:
    """What a place may be named by, the narrowest first: itself, its channel, its space."""
    space = (where.provider, where.account, where.space)
    channel = (*space, where.channel)
    if where.conversation == where.channel:
        return channel, space
    return (*channel, where.conversation), channel, space


@dataclass(frozen=True, slots=True)
class Remap:
    """Which place and which person stands for which.

    A channel takes its threads along, a space its channels, under the ids that they have; the narrowest wins. A
    target that is a thread stands for that place alone. Names follow only what stays as it is: those of another
    place are its own.
    """

    places: Mapping[Path, Path] = field(default_factory=dict)
    people: Mapping[Principal, Principal] = field(default_factory=dict)

    def place(self, where: Where) -> Where | None:
        """The place that stands for this one; None when nothing was said of it."""
        for path in paths_of(where):
            target = self.places.get(path)
            if target is not None and (len(target) <= len(path) or path == paths_of(where)[0]):
                return where if target == path else _moved(where, target, whole=path == paths_of(where)[0])
        return None

    def person(self, who: Person) -> Person | None:
        """The person who stands for this one; None when nothing was said of them."""
        target = self.people.get(who.principal)
        if target is None:
            return None
        return who if target == who.principal else Person(target)

    def apply(self, intent: PortableIntent) -> PortableIntent:
        """The intent with its places and people as mapped; what nothing was said of stays as it is."""
        return replace(
            intent,
            place=self._place(intent.place),
            creator=self._person(intent.creator),
            watches=None if intent.watches is None else self._person(intent.watches),
            except_in=tuple(dict.fromkeys(self._place(place) for place in intent.except_in)),
            deliver_to=None if intent.deliver_to is None else self._place(intent.deliver_to),
        )

    def _place(self, where: Where) -> Where:
        return self.place(where) or where

    def _person(self, who: Person) -> Person:
        return self.person(who) or who

    def unused(self, intents: Iterable[PortableIntent]) -> tuple[Path | Principal, ...]:
        """What was said of places and people that no intent has."""
        paths: set[Path] = set()
        people: set[Principal] = set()
        for intent in intents:
            paths.update(path for place in intent.places() for path in paths_of(place))
            people.update(person.principal for person in intent.people())
        return (
            *(path for path in self.places if path not in paths),
            *(who for who in self.people if who not in people),
        )


def _moved(where: Where, target: Path, whole: bool) -> Where:
    """`whole`: the target stands for this very place, so that a thread does not keep its id."""
    provider, account, space, *rest = target
    alone = whole or where.conversation == where.channel
    channel = rest[0] if rest else space if where.visibility is Visibility.DIRECT else where.channel
    conversation = rest[1] if len(rest) > 1 else channel if alone else where.conversation
    return Where(provider, account, space, channel, conversation, where.visibility)
