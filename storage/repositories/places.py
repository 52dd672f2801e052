"""Places and people behind surrogate keys."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from core.catalogue import say
from core.errors import NotFound, StorageError
from core.operations.log import GENESIS
from core.stored import Look, Place, Scope
from core.turn import PlaceKind, Principal, Spot, Visibility, Where
from storage import mapping
from storage.link import Link, Row, sql
from storage.memory import ADDED, NOTHING, PLACES, Known, PlaceIds, PlaceMemory
from storage.repositories import moves
from storage.tables import NamespaceKind
from storage.types import shown

FIND = sql(
    "SELECT s.id, s.namespace_id, s.name, c.id, c.namespace_id, c.visibility, c.name, v.id, v.name, s.external_id"
    " FROM places AS s0"
    " JOIN places AS s ON s.id = COALESCE(s0.alias_of, s0.id)"
    " LEFT JOIN places AS c0 ON c0.parent_id = s.id AND c0.kind = 'channel' AND c0.external_id = ?"
    " LEFT JOIN places AS c ON c.id = COALESCE(c0.alias_of, c0.id)"
    " LEFT JOIN places AS v0 ON v0.parent_id = c.id AND v0.kind = 'conversation' AND v0.external_id = ?"
    " LEFT JOIN places AS v ON v.id = COALESCE(v0.alias_of, v0.id)"
    " WHERE s0.kind = 'space' AND s0.provider = ? AND s0.account = ? AND s0.external_id = ?"
)
SETTINGS = sql("SELECT key, value FROM space_settings WHERE space = ? ORDER BY key")
_SCOPES = (
    "WITH w(k) AS (VALUES {six}) SELECT s.scope_key, s.rows, s.generation"
    " FROM w CROSS JOIN scopes AS s WHERE s.scope_key = w.k"
)
SCOPES_OF_A_SPOT = 4
SCOPES = sql(_SCOPES.format(six=", ".join(["(?)"] * 6)), _SCOPES.format(six=", ".join(["(?::bigint)"] * 6)))
CHANGED = sql(
    "INSERT INTO scopes (scope_key, rows, generation) VALUES (?, 0, 1) ON CONFLICT (scope_key)"
    " DO UPDATE SET generation = scopes.generation + 1"
)
GET = sql(
    "SELECT p.id, p.provider, p.account, p.kind, p.external_id, p.parent_id, p.name,"
    " p.visibility, p.namespace_id"
    " FROM places AS p0 JOIN places AS p ON p.id = COALESCE(p0.alias_of, p0.id) WHERE p0.id = ?"
)
ADD_NAMESPACE = sql(
    "INSERT INTO namespaces (id, kind, place_id, head_seq, head_hash) VALUES (?, ?, NULL, 0, ?) ON CONFLICT DO NOTHING"
)
PLACE_NAMESPACE = sql("UPDATE namespaces SET place_id = ? WHERE id = ?")
DROP_NAMESPACE = sql("DELETE FROM namespaces WHERE id = ? AND head_seq = 0")
ADD_PLACE = sql(
    "INSERT INTO places (provider, account, kind, external_id, parent_id, name, visibility, namespace_id)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id"
)
CLOSE_CHANNEL = sql("UPDATE places SET visibility = 'private' WHERE id = ? OR parent_id = ?")
COUNT_OWN = sql(
    "SELECT count(*) FROM trig WHERE scope_key = ?"
    " AND intent_key IN (SELECT key FROM standing_intents WHERE channel = ?)"
)
NARROW_OWN = sql(
    "UPDATE trig SET scope_key = ? WHERE scope_key = ?"
    " AND intent_key IN (SELECT key FROM standing_intents WHERE channel = ?)"
)
SHRINK_SCOPE = sql("UPDATE scopes SET rows = rows - ?, generation = generation + 1 WHERE scope_key = ?")
GROW_SCOPE = sql(
    "INSERT INTO scopes (scope_key, rows, generation) VALUES (?, ?, 1) ON CONFLICT (scope_key)"
    " DO UPDATE SET rows = scopes.rows + excluded.rows, generation = scopes.generation + 1"
)
RENAME_PLACE = sql("UPDATE places SET name = ? WHERE id = ?")
NAMESPACES = sql(
    "SELECT namespace_id FROM places WHERE id = ? UNION SELECT namespace_id FROM places WHERE parent_id = ?"
)
CONVERSATIONS = sql(
    "SELECT external_id, name FROM places WHERE parent_id = ? AND kind = 'conversation' AND alias_of IS NULL"
    " ORDER BY external_id LIMIT ?",
    "SELECT external_id, name FROM places WHERE parent_id = ? AND kind = 'conversation' AND alias_of IS NULL"
    ' ORDER BY external_id COLLATE "C" LIMIT ?',
)
SPACES = sql(
    "SELECT external_id, name FROM places WHERE provider = ? AND account = ? AND kind = 'space' AND alias_of IS NULL"
    " AND visibility <> 'direct' ORDER BY external_id",
    "SELECT external_id, name FROM places WHERE provider = ? AND account = ? AND kind = 'space' AND alias_of IS NULL"
    " AND visibility <> 'direct' ORDER BY external_id COLLATE \"C\"",
)
PEOPLE = sql(
    "SELECT user_id, name FROM principals WHERE provider = ? AND account = ? AND name <> '' ORDER BY user_id",
    "SELECT user_id, name FROM principals WHERE provider = ? AND account = ? AND name <> ''"
    ' ORDER BY user_id COLLATE "C"',
)
PRINCIPAL = sql("SELECT id, name FROM principals WHERE provider = ? AND account = ? AND user_id = ?")
ADD_PRINCIPAL = sql(
    "INSERT INTO principals (provider, account, user_id, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id"
)
RENAME_PRINCIPAL = sql("UPDATE principals SET name = ? WHERE id = ?")


class SqlPlaces:
    """`core.ports.Places`."""

    __slots__ = ("_link", "_memory", "_people", "_places", "_settings")

    def __init__(self, link: Link, memory: PlaceMemory) -> None:
        self._link = link
        self._memory = memory
        self._people: dict[Principal, tuple[int, str]] = {}  # seen in this transaction
        self._places: dict[int, Place] = {}
        self._settings: dict[int, dict[str, object]] = {}

    def find(self, where: Where) -> Spot:
        """Resolve without writing, in one statement."""
        return _spot(where, self._find(where))

    def look(self, where: Where) -> Look:
        """Resolve without writing, with settings and scopes: in one statement for a place seen before."""
        ids = (where.provider, where.account, where.space, where.channel, where.conversation, where.visibility)
        known = None if self._link.writable else self._memory.known(ids)
        if known is not None:
            look, generation, added = self._scopes(known)
            if generation == known.generation and known.added in {None, added}:
                return look
        return self._look_anew(where, ids)

    def _look_anew(self, where: Where, ids: PlaceIds) -> Look:
        row = self._find(where)
        spot = _spot(where, row)
        settings = self.settings(spot.space) if spot.space else {}
        keys = (*spot.scope_keys(), spot.space) if row is not None and _closes(where, row) else spot.scope_keys()
        known = Known(0, None, spot, keys, settings)
        look, generation, added = self._scopes(known)
        if not self._link.writable:
            whole = None if spot.conversation else added
            self._memory.keep(ids, replace(known, generation=generation, added=whole))
        return look

    def _scopes(self, known: Known) -> tuple[Look, int, int]:
        """The scopes of a spot that hold rows, and the generations of the places."""
        keys = (*known.scope_keys, NOTHING, NOTHING, NOTHING)[:SCOPES_OF_A_SPOT]
        rows = self._link.rows(SCOPES, (PLACES, ADDED, *keys))
        counts = {row[0]: row[2] for row in rows if row[0] < 0}
        scopes = tuple([Scope(*row) for row in rows if row[1] and row[0] >= 0])
        return Look(known.spot, known.settings, scopes), counts.get(PLACES, 0), counts.get(ADDED, 0)

    def settings(self, space: int) -> dict[str, object]:
        """Stored settings of a space, without defaults, looked up once a transaction."""
        if space not in self._settings:
            rows = self._link.rows(SETTINGS, (space,))
            self._settings[space] = {key: json.loads(value) for key, value in rows}
        return dict(self._settings[space])

    def changed(self, row: int = PLACES) -> None:
        """A place or a setting is not what it was: what is remembered of them is out of date once this commits."""
        self._settings.clear()
        self._link.run(CHANGED, (row,))

    def _find(self, where: Where) -> Row | None:
        return self._link.row(FIND, (where.channel, where.conversation, where.provider, where.account, where.space))

    def ensure(self, where: Where, namespace_id: str) -> Spot:
        """Resolve, storing what is missing; names follow the platform's.

        StorageError (`retry`) when what was found moved before the rest was stored in it.
        """
        row = self._find(where)
        if row is None:
            self._add_space(where, namespace_id)
            row = self._found(where, 0)
        if row[3] is None:
            self._add_channel(where, namespace_id, row[0], row[1])
            row = self._found(where, 3)
        if _closes(where, row):
            self._close(row[0], row[3])
            row = self._found(where, 3)
        if row[7] is None:
            self._add_place(where, PlaceKind.CONVERSATION, row[3], Visibility(row[5]), row[4])
            row = self._found(where, 7)
        self._rename(where, row)
        return Spot(row[0], row[3], row[7], row[4], Visibility(row[5]), _former(where, row[9]))

    def _found(self, where: Where, stored: int) -> Row:
        row = self._find(where)
        if row is None or row[stored] is None:
            raise StorageError(say("place.raced"), say("storage.again.hint"), retry=True)
        return row

    def _add_space(self, where: Where, namespace_id: str) -> None:
        match where.visibility:
            case Visibility.DIRECT:
                kind, visibility = NamespaceKind.DIRECT, Visibility.DIRECT
            case Visibility.PRIVATE:
                namespace_id, kind, visibility = (
                    namespace_id + "/space",
                    NamespaceKind.SPACE,
                    Visibility.PUBLIC,
                )
            case Visibility.PUBLIC:
                kind, visibility = NamespaceKind.SPACE, Visibility.PUBLIC
        self._add_with_namespace(where, PlaceKind.SPACE, None, visibility, namespace_id, kind)

    def _add_channel(self, where: Where, namespace_id: str, space: int, space_namespace: str) -> None:
        if where.visibility is Visibility.PRIVATE:
            self._add_with_namespace(
                where, PlaceKind.CHANNEL, space, where.visibility, namespace_id, NamespaceKind.PRIVATE_CHANNEL
            )
        else:
            self._add_place(where, PlaceKind.CHANNEL, space, where.visibility, space_namespace)

    def _close(self, space: int, channel: int) -> None:
        """Store that a channel is private by now. Its namespace stays; rules made in it hear it alone from now on."""
        self._link.run(CLOSE_CHANNEL, (channel, channel))
        self._places.clear()
        self.changed()
        counted = self._link.row(COUNT_OWN, (space, channel))
        if counted is not None and counted[0]:
            self._link.run(NARROW_OWN, (channel, space, channel))
            self._link.run(SHRINK_SCOPE, (counted[0], space))
            self._link.run(GROW_SCOPE, (channel, counted[0]))

    def _add_with_namespace(
        self,
        where: Where,
        kind: PlaceKind,
        parent: int | None,
        visibility: Visibility,
        namespace_id: str,
        namespace_kind: NamespaceKind,
    ) -> None:
        made = self._link.run(ADD_NAMESPACE, (namespace_id, namespace_kind.value, GENESIS))
        place_id = self._add_place(where, kind, parent, visibility, namespace_id)
        if place_id:
            self._link.run(PLACE_NAMESPACE, (place_id, namespace_id))
        elif made:  # another transaction stored the place first, with a namespace of its own
            self._link.run(DROP_NAMESPACE, (namespace_id,))

    def _add_place(
        self, where: Where, kind: PlaceKind, parent: int | None, visibility: Visibility, namespace_id: str
    ) -> int:
        external = getattr(where, kind.value)
        name = shown(getattr(where, f"{kind.value}_name"))
        row = self._link.insert(
            ADD_PLACE,
            (
                where.provider,
                where.account,
                kind.value,
                external,
                parent,
                name,
                visibility.value,
                namespace_id,
            ),
        )
        if row is None:
            return 0
        self.changed(ADDED)
        return int(row[0])

    def _rename(self, where: Where, row: Row) -> None:
        for place_id, old, new in (
            (row[0], row[2], where.space_name),
            (row[3], row[6], where.channel_name),
            (row[7], row[8], where.conversation_name),
        ):
            if new and shown(new) != old:
                self._link.run(RENAME_PLACE, (shown(new), place_id))
                self._places.pop(place_id, None)

    def get(self, place_id: int) -> Place:
        """One place, its alias followed."""
        if place_id not in self._places:
            row = self._link.row(GET, (place_id,))
            if row is None:
                raise NotFound(say("storage.place"), say("storage.look.hint"), place_id=place_id)
            self._places[place_id] = mapping.place(row)
        return self._places[place_id]

    def move(self, space: int, old: str, new: str, merged: int) -> Mapping[int, int]:
        """Give a space and its plain chat another id; what was stored under that id becomes an alias of them."""
        aliases = moves.move(self._link, space, old, new, merged)
        self._places.clear()
        self.changed()
        return aliases

    def namespaces(self, space: int) -> tuple[str, ...]:
        """Every namespace of a space."""
        return tuple(sorted(row[0] for row in self._link.rows(NAMESPACES, (space, space))))

    def conversations(self, where: Where, limit: int) -> tuple[Where, ...]:
        """Stored conversations of the channel that `where` lies in, by external id."""
        spot = self.find(where)
        if not spot.channel:
            return ()
        space, channel = self.get(spot.space), self.get(spot.channel)
        ids = (where.provider, where.account, space.external_id, channel.external_id)
        rows = self._link.rows(CONVERSATIONS, (spot.channel, limit))
        return tuple(Where(*ids, row[0], channel.visibility, space.name, channel.name, row[1]) for row in rows)

    def spaces(self, provider: str, account: str) -> tuple[Where, ...]:
        """Stored spaces of a bot login that are no direct messages."""
        rows = self._link.rows(SPACES, (provider, account))
        return tuple(Where(provider, account, row[0], row[0], row[0], space_name=row[1]) for row in rows)

    def people_named(self, provider: str, account: str, name: str, limit: int) -> tuple[tuple[Principal, str], ...]:
        """People shown under that name. Case-folding is Python's: the databases disagree about it."""
        wanted = _folded(name)
        if not wanted:
            return ()
        rows = self._link.rows(PEOPLE, (provider, account))
        found = ((Principal(provider, account, row[0]), row[1]) for row in rows if _folded(row[1]) == wanted)
        return tuple(islice(found, limit))

    def principal_key(self, principal: Principal | None) -> int:
        """Surrogate key of a person, 0 when None or unknown."""
        if principal is None:
            return 0
        key = self._memory.person(principal)
        if key is None:
            key = self._principal(principal)[0]
            if key and not self._link.writable:
                self._memory.keep_person(principal, key)
        return key

    def _principal(self, who: Principal) -> tuple[int, str]:
        """Key and stored name, looked up once a transaction; (0, "") for somebody unknown."""
        known = self._people.get(who)
        if known is None:
            row = self._link.row(PRINCIPAL, (who.provider, who.account, who.user_id))
            if row is None:
                return 0, ""
            known = self._people[who] = (int(row[0]), row[1])
        return known

    def name_of(self, principal: Principal) -> str:
        """The name last seen."""
        return self._principal(principal)[1]

    def ensure_principal(self, principal: Principal, name: str) -> int:
        """Surrogate key, stored if new; a non-empty name replaces the shown one."""
        name = shown(name)
        key, stored = self._principal(principal)
        if not key:
            ids = (principal.provider, principal.account, principal.user_id)
            row = self._link.insert(ADD_PRINCIPAL, (*ids, name))
            # a conflict was with a row that is committed by now
            key, stored = (int(row[0]), name) if row is not None else self._principal(principal)
        if name and name != stored:
            self._link.run(RENAME_PRINCIPAL, (name, key))
            stored = name
        self._people[principal] = (key, stored)
        return key


def _spot(where: Where, row: Row | None) -> Spot:
    """From what `FIND` gives."""
    if row is None:
        return Spot(0, 0, 0, "", where.visibility)
    former = _former(where, row[9])
    if row[3] is None:
        public = where.visibility is Visibility.PUBLIC
        return Spot(row[0], 0, 0, row[1] if public else "", where.visibility, former)
    visibility = Visibility.PRIVATE if _closes(where, row) else Visibility(row[5])
    return Spot(row[0], row[3], row[7] or 0, row[4], visibility, former)


def _closes(where: Where, row: Row) -> bool:
    """Is a channel private by now that is stored as public?"""
    return bool(where.visibility is Visibility.PRIVATE and row[5] == Visibility.PUBLIC.value)


def _former(where: Where, external_id: str) -> str:
    """The id under which a space was found that has another one by now."""
    return "" if where.space == external_id else where.space


def _folded(name: str) -> str:
    """A shown name as people mean it."""
    return name.strip().removeprefix("@").casefold()
