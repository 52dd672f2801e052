"""Filing an intent's entries in the trigger index."""

from collections import Counter
from collections.abc import Iterable

from core.catalogue import say
from core.errors import LimitExceeded
from core.ports import Tx
from core.services.context import Context
from core.standing.intent import ChannelScope, IndexRow, StandingIntent
from core.standing.triggers import Entry, compile_entry
from core.text.analyse import FINGERPRINT
from core.turn import Visibility


def index_rows(intent: StandingIntent) -> tuple[IndexRow, ...]:
    """The rows an intent is filed under: one a reading of each entry."""
    wide = intent.channel_scope in {ChannelScope.SPACE, ChannelScope.ANYWHERE}
    return tuple(
        IndexRow(number, row.anchor, row.need, entry.source)
        for number, entry in enumerate(_compiled(intent))
        for row in entry.anchors(cross_language=wide)
    )


def _compiled(intent: StandingIntent) -> Iterable[Entry]:
    return (compile_entry(source, intent.options) for source in intent.entries)


def scope_key(tx: Tx, intent: StandingIntent) -> int:
    """Where it is filed; in a private channel a space scope narrows to the channel."""
    return intent.scope_key(tx.places.get(intent.channel).visibility is not Visibility.PUBLIC)


def refile(ctx: Context, tx: Tx, intent: StandingIntent, *, refuse_crowds: bool = True) -> None:
    """Replace an intent's rows in the index; refuses words that are too common here.

    Raises LimitExceeded when an anchor already has `entries_per_scope_and_anchor` rows under its scope and
    `refuse_crowds` is set (a refund and a re-index must always succeed).
    """
    key, rows = scope_key(tx, intent), index_rows(intent)
    tx.index.remove(intent.key)
    if refuse_crowds:
        for anchor, own in Counter(row.anchor for row in rows).items():
            check_crowd(ctx, tx, key, anchor, own, next(row.source for row in rows if row.anchor == anchor))
    tx.index.file(intent, key, rows, FINGERPRINT)


def check_crowd(ctx: Context, tx: Tx, key: int, anchor: str, own: int, source: str) -> None:
    """Raise LimitExceeded when a scope has no room for `own` more rows under this anchor."""
    limit = ctx.limits.entries_per_scope_and_anchor
    used = tx.index.crowd(key, anchor)
    if used + own > limit:
        raise LimitExceeded(
            say("intent.crowded", entry=source),
            say("intent.crowded.hint"),
            name="entries_per_scope_and_anchor",
            limit=limit,
            used=used,
        )
