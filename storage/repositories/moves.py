"""Giving a space another id, and making two spaces that turned out to be one into one.

No row is deleted: a place that is none any more stays as an alias of the one it stands for, so that whatever still
refers to it, and whatever still arrives under its old id, finds that one.
"""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Iterable

from core.catalogue import say
from core.errors import StorageError
from core.standing.mutes import key_of
from core.turn import FORMER, PlaceKind, former_message
from storage.link import Link, sql
from storage.tables import LIVE_INTENT, LIVE_OUTBOX

SPACE = sql(
    "SELECT o.id FROM places AS s JOIN places AS o ON o.provider = s.provider AND o.account = s.account"
    " AND o.external_id = ? AND o.kind = 'space' WHERE s.id = ?"
)
CHILD = sql("SELECT COALESCE(alias_of, id) FROM places WHERE parent_id = ? AND kind = ? AND external_id = ?")
CHILDREN = sql("SELECT id, kind, external_id FROM places WHERE parent_id = ? ORDER BY id")
RENAME = sql("UPDATE places SET external_id = ? WHERE id = ?")
STAND_FOR = sql("UPDATE places SET external_id = ?, parent_id = ?, alias_of = ? WHERE id = ?")
ALIASES = sql("UPDATE places SET alias_of = ? WHERE alias_of = ?")
ADOPT = sql("UPDATE places SET parent_id = ? WHERE id = ?")
TAKE = sql(
    "INSERT INTO places (provider, account, kind, external_id, parent_id, name, visibility, namespace_id)"
    " SELECT provider, account, kind, ?, NULL, name, visibility, namespace_id FROM places WHERE id = ?"
    " ON CONFLICT DO NOTHING RETURNING id"
)
ADD_ALIAS = sql(
    "INSERT INTO places (provider, account, kind, external_id, parent_id, alias_of, name, visibility, namespace_id)"
    " SELECT provider, account, kind, ?, parent_id, id, name, visibility, namespace_id FROM places WHERE id = ?"
)
NATURALISE = sql(
    "UPDATE places SET namespace_id = (SELECT n.namespace_id FROM places AS n WHERE n.id = ?)"
    " WHERE namespace_id = (SELECT n.namespace_id FROM places AS n WHERE n.id = ?)"
    " AND (parent_id = ? OR parent_id IN (SELECT c.id FROM places AS c WHERE c.parent_id = ?))"
)
_UNMARKED = f"replace({{0}}, '{FORMER}', '') = {{0}}"
NO_TIMED_REPLIES = sql("UPDATE timed_reminders SET reply_to = '' WHERE channel = ? AND reply_to <> ''")
TIMED = tuple(
    sql(f"UPDATE timed_reminders SET {column} = ? WHERE {column} = ?")
    for column in ("space", "channel", "conversation")
)
TIMED_NAMESPACES = sql(
    "UPDATE timed_reminders SET namespace_id ="
    " (SELECT c.namespace_id FROM places AS c WHERE c.id = timed_reminders.channel) WHERE space = ?"
)
GOALS = tuple(
    sql(f"UPDATE goal_intents SET {column} = ? WHERE {column} = ?") for column in ("space", "channel", "conversation")
)
GOAL_NAMESPACES = sql(
    "UPDATE goal_intents SET namespace_id ="
    " (SELECT c.namespace_id FROM places AS c WHERE c.id = goal_intents.channel) WHERE space = ?"
)
SUMMARY_NAMESPACES = sql(
    "UPDATE goal_summaries SET namespace_id ="
    " (SELECT g.namespace_id FROM goal_intents AS g WHERE g.key = goal_summaries.intent_key)"
    " WHERE intent_key IN (SELECT g.key FROM goal_intents AS g WHERE g.space = ?)"
)
GOALS_CHANGED = sql(
    "UPDATE namespaces SET goals = goals + 1 WHERE id IN"
    " (SELECT p.namespace_id FROM places AS p WHERE p.id IN (?, ?) OR p.parent_id IN (?, ?))"
)
NO_SESSION = sql("DELETE FROM goal_sessions WHERE conversation = ?")
MARK_FIRES = sql(
    "UPDATE fires SET message_id = message_id || ? WHERE conversation IN (SELECT id FROM places WHERE parent_id = ?)"
    f" AND {_UNMARKED.format('message_id')}"
)
MARK_SOURCES = sql(
    f"UPDATE standing_intents SET source_message_id = source_message_id || ? WHERE {LIVE_INTENT} AND space = ?"
    f" AND channel = ? AND source_message_id <> '' AND {_UNMARKED.format('source_message_id')}"
)
NO_REPLIES = sql(
    f"UPDATE outbox SET reply_to = '' WHERE {LIVE_OUTBOX} AND conversation IN"
    " (SELECT id FROM places WHERE parent_id = ?)"
)
FIRES = sql("UPDATE fires SET conversation = ? WHERE conversation = ?")
OUTBOX = sql("UPDATE outbox SET conversation = ? WHERE conversation = ?")
SETTINGS = sql("SELECT key, value FROM space_settings WHERE space = ?")
ADD_SETTING = sql("INSERT INTO space_settings (space, key, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
DROP_SETTINGS = sql("DELETE FROM space_settings WHERE space = ?")


def move(link: Link, space: int, old: str, new: str, merged: int) -> dict[int, int]:
    """As `core.ports.Places.move`: the space, its channel and its plain conversation have the id `old`."""
    found = link.row(SPACE, (new, space))
    if merged != (0 if found is None else found[0]):
        raise StorageError(say("place.raced"), say("storage.again.hint"), retry=True)
    channel = _child(link, space, PlaceKind.CHANNEL, old)
    conversation = _child(link, channel, PlaceKind.CONVERSATION, old)
    _forget_messages(link, space, channel, old)
    other = _take(link, space, new) if found is None else int(found[0])
    link.run(RENAME, (f"{new}{FORMER}{old}", other))  # two spaces never have one id, not for a moment
    for place in (space, channel, conversation):
        link.run(RENAME, (new, place))
    if found is None:
        link.run(STAND_FOR, (old, None, space, other))
    aliases = {} if found is None else _merge(link, other, space, old, new)
    for parent, place, kind in ((space, channel, PlaceKind.CHANNEL), (channel, conversation, PlaceKind.CONVERSATION)):
        if not _child(link, parent, kind, old):
            link.run(ADD_ALIAS, (old, place))
    return aliases


def _take(link: Link, space: int, new: str) -> int:
    """A row that holds the new id, and then the old one; StorageError (`retry`) when somebody stores it meanwhile."""
    row = link.insert(TAKE, (new, space))
    if row is None:
        raise StorageError(say("place.raced"), say("storage.again.hint"), retry=True)
    return int(row[0])


def _child(link: Link, parent: int, kind: PlaceKind, external_id: str) -> int:
    row = link.row(CHILD, (parent, kind.value, external_id))
    return 0 if row is None else int(row[0])


def _forget_messages(link: Link, space: int, channel: int, old: str) -> None:
    """The new chat counts its messages afresh: what is known of the old one's is kept apart, and nothing replies."""
    mark = former_message("", old)
    link.run(MARK_FIRES, (mark, channel))
    link.run(MARK_SOURCES, (mark, space, channel))
    link.run(NO_REPLIES, (channel,))
    link.run(NO_TIMED_REPLIES, (channel,))


def _merge(link: Link, other: int, space: int, old: str, new: str) -> dict[int, int]:
    merged: dict[int, int] = {}
    _stand_for(link, other, space, (None, old), new, merged)
    link.run(NATURALISE, (space, other, space, space))
    for gone, kept in merged.items():
        link.run(FIRES, (kept, gone))
        link.run(OUTBOX, (kept, gone))
        for statement in (*TIMED, *GOALS):
            link.run(statement, (kept, gone))
        link.run(NO_SESSION, (gone,))
    link.run(TIMED_NAMESPACES, (space,))
    link.run(GOAL_NAMESPACES, (space,))
    link.run(SUMMARY_NAMESPACES, (space,))
    link.run(GOALS_CHANGED, (space, other, space, other))
    names = {key_of(gone): key_of(kept) for gone, kept in merged.items()}
    rows = link.rows(SETTINGS, (other,))
    _add_settings(link, space, ((names.get(str(key), str(key)), value) for key, value in rows))
    link.run(DROP_SETTINGS, (other,))
    return merged


def _stand_for(
    link: Link, gone: int, kept: int, under: tuple[int | None, str], new: str, merged: dict[int, int]
) -> None:
    """Let `gone` be an alias of `kept`, found `under` (parent, external id), with all that lies in it.

    What has a counterpart in `kept` becomes its alias: the plain chat under its old id, anything else where nobody
    looks any more. The rest lies in `kept` from now on.
    """
    parent, old = under
    for child, kind, name in link.rows(CHILDREN, (gone,)):
        twin = _child(link, kept, PlaceKind(kind), name)
        if not twin:
            link.run(ADOPT, (kept, child))
            continue
        plain = name == new and not _child(link, kept, PlaceKind(kind), old)
        _stand_for(link, child, twin, (kept, old) if plain else (gone, name), new, merged)
    link.run(ALIASES, (kept, gone))
    link.run(STAND_FOR, (old, parent, kept, gone))
    merged[gone] = kept


def _add_settings(link: Link, space: int, rows: Iterable[tuple[str, str]]) -> None:
    """Those that the space does not have itself."""
    for key, value in rows:
        link.run(ADD_SETTING, (space, key, value))
