"""The port of places and people: what `core` needs of the store to know where something was said and by whom."""

from collections.abc import Mapping
from typing import Protocol

from core.stored import Look, Place
from core.turn import Principal, Spot, Where


class Places(Protocol):
    """Surrogate ids for spaces, channels and conversations; principals beside them."""

    def look(self, where: Where) -> Look:
        """Resolve as `find` does, with the settings of the space and the scopes of the spot.

        A channel that is private by now and stored as public still finds what is filed under its space: rules made in
        it are. `in_scope` keeps out those of other channels.
        """
        ...

    def find(self, where: Where) -> Spot:
        """Resolve without writing, in one statement; what is not stored yet is 0. Aliases are followed.

        The `namespace_id` of a known channel is that of its first use. Its `visibility` is the stricter of the stored
        one and that of `where`: a public channel can become private, and stays so. An unknown channel has the
        visibility of `where` and namespace_id "" (for a private or direct one) or its space's namespace (for a public
        one, "" when the space is unknown too).
        """
        ...

    def ensure(self, where: Where, namespace_id: str) -> Spot:
        """Resolve, storing what is missing.

        A new space, private channel or direct message also gets a `namespaces` row: `namespace_id` is the
        id to use for *one* new namespace; when both a space and a private channel are new the space gets
        `namespace_id` + "/space". Renames are stored (names are for display only). A public channel that `where` tells
        to be private is stored as private; rules made in it that listen to its space are filed under the channel.
        """
        ...

    def get(self, place_id: int) -> Place:
        """One place; NotFound when there is none."""
        ...

    def move(self, space: int, old: str, new: str, merged: int) -> Mapping[int, int]:
        """Give a space, its channel and its plain conversation that have the id `old` the id `new`.

        `old` is an alias of them ever after; its messages are known as `former_message`. What is stored as `new`
        becomes an alias too; fires, owed messages and settings (those that the space lacks) go over. Answers {place
        that is an alias now: place it stands for}; the intents of those are the caller's to move. Raises
        StorageError (`retry`) when the space `new` is not (any more) `merged`, 0 for none: its chain was not locked.
        """
        ...

    def namespaces(self, space: int) -> tuple[str, ...]:
        """The namespaces of a space and of its private channels."""
        ...

    def conversations(self, where: Where, limit: int) -> tuple[Where, ...]:
        """Stored conversations of the channel that `where` lies in, by external id, with the names last seen."""
        ...

    def spaces(self, provider: str, account: str) -> tuple[Where, ...]:
        """Every stored space of a bot login but direct messages, by external id; not those that have another id now."""
        ...

    def people_named(self, provider: str, account: str, name: str, limit: int) -> tuple[tuple[Principal, str], ...]:
        """People shown under that name, in any case, with or without @; each with the name as stored, by user id."""
        ...

    def principal_key(self, principal: Principal | None) -> int:
        """Surrogate key of a person, 0 when None or unknown."""
        ...

    def ensure_principal(self, principal: Principal, name: str) -> int:
        """Surrogate key, stored if new; a non-empty `name` replaces the shown name."""
        ...

    def name_of(self, principal: Principal) -> str:
        """The name last seen; "" for none, and for somebody unknown."""
        ...
