"""Places and people behind surrogate keys."""

from core.catalogue import say
from core.errors import NotFound
from core.operations.log import GENESIS
from core.ports import Place
from core.turn import PlaceKind, Principal, Spot, Visibility, Where
from storage import mapping
from storage.link import Link, Row, sql
from storage.tables import NamespaceKind
from storage.types import shown

FIND = sql(
    "SELECT s.id, s.namespace_id, s.name, c.id, c.namespace_id, c.visibility, c.name, v.id, v.name"
    " FROM places AS s0"
    " JOIN places AS s ON s.id = COALESCE(s0.alias_of, s0.id)"
    " LEFT JOIN places AS c0 ON c0.parent_id = s.id AND c0.kind = 'channel' AND c0.external_id = ?"
    " LEFT JOIN places AS c ON c.id = COALESCE(c0.alias_of, c0.id)"
    " LEFT JOIN places AS v0 ON v0.parent_id = c.id AND v0.kind = 'conversation' AND v0.external_id = ?"
    " LEFT JOIN places AS v ON v.id = COALESCE(v0.alias_of, v0.id)"
    " WHERE s0.kind = 'space' AND s0.provider = ? AND s0.account = ? AND s0.external_id = ?"
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
RENAME_PLACE = sql("UPDATE places SET name = ? WHERE id = ?")
ALIAS = sql("UPDATE places SET alias_of = ? WHERE id = ? OR alias_of = ?")
PRINCIPAL = sql("SELECT id, name FROM principals WHERE provider = ? AND account = ? AND user_id = ?")
ADD_PRINCIPAL = sql(
    "INSERT INTO principals (provider, account, user_id, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id"
)
RENAME_PRINCIPAL = sql("UPDATE principals SET name = ? WHERE id = ?")


class SqlPlaces:
    """`core.ports.Places`."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        self._link = link

    def find(self, where: Where) -> Spot:
        """Resolve without writing, in one statement."""
        row = self._find(where)
        public = where.visibility is Visibility.PUBLIC
        if row is None:
            return Spot(0, 0, 0, "", where.visibility)
        if row[3] is None:
            return Spot(row[0], 0, 0, row[1] if public else "", where.visibility)
        return Spot(row[0], row[3], row[7] or 0, row[4], Visibility(row[5]))

    def _find(self, where: Where) -> Row | None:
        return self._link.row(FIND, (where.channel, where.conversation, where.provider, where.account, where.space))

    def ensure(self, where: Where, namespace_id: str) -> Spot:
        """Resolve, storing what is missing; names follow the platform's."""
        if self._find(where) is None:
            self._add_space(where, namespace_id)
        row = self._found(where)
        if row[3] is None:
            self._add_channel(where, namespace_id, row[0], row[1])
            row = self._found(where)
        if row[7] is None:
            self._add_place(where, PlaceKind.CONVERSATION, row[3], Visibility(row[5]), row[4])
            row = self._found(where)
        self._rename(where, row)
        return Spot(row[0], row[3], row[7], row[4], Visibility(row[5]))

    def _found(self, where: Where) -> Row:
        row = self._find(where)
        assert row is not None  # noqa: S101  # its space was stored just before
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
        return 0 if row is None else int(row[0])

    def _rename(self, where: Where, row: Row) -> None:
        for place_id, old, new in (
            (row[0], row[2], where.space_name),
            (row[3], row[6], where.channel_name),
            (row[7], row[8], where.conversation_name),
        ):
            if new and shown(new) != old:
                self._link.run(RENAME_PLACE, (shown(new), place_id))

    def get(self, place_id: int) -> Place:
        """One place, its alias followed."""
        row = self._link.row(GET, (place_id,))
        if row is None:
            raise NotFound(say("storage.place"), say("storage.look.hint"), place_id=place_id)
        return mapping.place(row)

    def alias(self, place_id: int, of: int) -> None:
        """From now on `place_id` (and what was an alias of it) stands for the place `of`."""
        self._link.run(ALIAS, (self.get(of).id, place_id, place_id))

    def principal_key(self, principal: Principal | None) -> int:
        """Surrogate key of a person, 0 when None or unknown."""
        row = None if principal is None else self._principal(principal)
        return 0 if row is None else int(row[0])

    def _principal(self, who: Principal) -> Row | None:
        return self._link.row(PRINCIPAL, (who.provider, who.account, who.user_id))

    def ensure_principal(self, principal: Principal, name: str) -> int:
        """Surrogate key, stored if new; a non-empty name replaces the shown one."""
        name = shown(name)
        row = self._principal(principal)
        if row is None:
            row = self._link.insert(ADD_PRINCIPAL, (principal.provider, principal.account, principal.user_id, name))
            if row is not None:
                return int(row[0])
            row = self._principal(principal)
            assert row is not None  # noqa: S101  # the conflict was with a committed row
        if name and name != row[1]:
            self._link.run(RENAME_PRINCIPAL, (name, row[0]))
        return int(row[0])
