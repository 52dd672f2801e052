"""A chat that has another id on its platform from now on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.audit.recorded import standing_change, timed_change
from core.catalogue import say
from core.errors import StorageError
from core.limits import ALL_ROWS
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.elsewhere import require_there
from core.services.end_space import end_space
from core.services.left import left_at, mark_back, mark_left
from core.services.move_goals import goals_in, log_moved
from core.services.record import log
from core.services.refile import refile
from core.services.search import OF_WORDS, options_of
from core.services.timed_rows import TARGET_TYPE
from core.standing.intent import INDEXED, LIVE, StandingIntent
from core.stored import IntentFilter
from core.timed.kept import TimedFilter
from core.timed.reminder import TimedReminder
from core.turn import SYSTEM, Spot, Where

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class MovePlace:
    """Let everything of the space `old` live under the id `new`; the old id finds the same rows ever after.

    One transaction, one operation in the chain of the space, and one EDITED for each row that changed, in the chain
    that it was in until then; ids of messages, which get the mark of the chat they were said in, are not told. What
    was stored under `new` already is merged into it, with one operation in that chain, too: intents move and are filed
    anew, settings of the old space win, and a space that the bot was removed from under its new id is one that it was
    removed from. May be told any number of times, in any order and by several processes: False when there is nothing
    (more) to do, so for an unknown `old` and one that is an alias already. Raises StorageError when the store cannot
    be used.
    """

    ctx: Context

    def __call__(self, provider: str, account: str, old: str, new: str) -> bool:
        before, after = (Where(provider, account, chat, chat, chat) for chat in (old, new))
        with self.ctx.store.read() as tx:
            if not _to_do(tx.places.find(before), tx.places.find(after)):
                return False
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._write(before, after)
            except StorageError as error:
                if attempt == ATTEMPTS or not error.details.get("retry"):
                    raise
        raise AssertionError("the last attempt returned or raised")

    def _write(self, before: Where, after: Where) -> bool:
        ctx = self.ctx
        with ctx.store.write() as tx:
            spots = tx.places.find(before), tx.places.find(after)
            moving, timed = _lock(tx, *spots)
            goals = goals_in(tx, _namespaces(tx, *spots))
            for where, spot in zip((before, after), spots, strict=True):
                require_there(tx, where, spot)
            if not _to_do(*spots):
                return False
            tx.places.ensure(before, ctx.ids.uuid())
            old, new = spots[0].space, spots[1].space
            left = left_at(tx, new) if new else None
            if new:
                mark_back(ctx, tx, new, SYSTEM)
                for setting in OF_WORDS:  # rules that were made under the old id are filed by its words
                    tx.records.drop_setting(new, str(setting))
            merged = tx.places.move(old, before.space, after.space, new)
            moved = [self._take_along(tx, row, merged) for row in moving]
            rows = len(moved) + self._log_timed(tx, timed) + log_moved(ctx, tx, goals)
            self._log(tx, spots, (before, after), moved, merged, rows)
            if new and left is None:
                mark_back(ctx, tx, old, SYSTEM)
            elif left is not None:
                mark_left(ctx, tx, old, left, SYSTEM)
                end_space(ctx, tx, old, SYSTEM)
            tx.commit()
            return True

    def _take_along(self, tx: Tx, old: StandingIntent, merged: Mapping[int, int]) -> StandingIntent:
        """Move an intent of a place that is an alias now to the places it stands for."""
        space, channel, conversation, to = (
            merged.get(key, key) for key in (old.space, old.channel, old.conversation, old.deliver_to)
        )
        options = options_of(self.ctx, tx.records.settings(space))
        new = replace(
            old,
            namespace_id=tx.places.get(channel).namespace_id,
            space=space,
            channel=channel,
            conversation=conversation,
            deliver_to=to,
            except_in=tuple(dict.fromkeys(merged.get(key, key) for key in old.except_in)),
            options=replace(options, word_forms=old.options.word_forms) if old.status in LIVE else old.options,
        )
        if not tx.intents.rehouse(old, new):
            raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
        stored = replace(new, version=old.version + 1)
        if not tx.intents.update(stored, stored):
            raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
        if new.status in INDEXED and all(new.entries):
            refile(self.ctx, tx, new, refuse_crowds=False)
        payload = standing_change({}, old, replace(new, version=stored.version + 1))
        now, ids = self.ctx.clock.now(), self.ctx.ids
        log(tx, ids, now, SYSTEM, OpType.EDITED, old.namespace_id, old.id, payload)
        return new

    def _log_timed(self, tx: Tx, before: Sequence[TimedReminder]) -> int:
        """One EDITED for each timed reminder that the move changed, in the chain that it was in; how many did."""
        now, ids, changed = self.ctx.clock.now(), self.ctx.ids, 0
        after = {row.key: row for row in tx.timed.by_keys([row.key for row in before])} if before else {}
        for old in before:
            new = after[old.key]
            if new != old:
                payload = timed_change({}, old, new)
                log(tx, ids, now, SYSTEM, OpType.EDITED, old.namespace_id, old.id, payload, TARGET_TYPE)
                changed += 1
        return changed

    def _log(
        self,
        tx: Tx,
        spots: tuple[Spot, Spot],
        wheres: tuple[Where, Where],
        moved: list[StandingIntent],
        places: Mapping[int, int],
        rows: int,
    ) -> None:
        """In the chain of the space what came to it; in that of the space that is none any more where it went.

        `places` are those that stand for others now, `rows` how many have an operation of their own.
        """
        now, ids, kind = self.ctx.clock.now(), self.ctx.ids, OpType.NAMESPACE_POLICY_UPDATE
        kept, gone = spots
        payload: dict[str, object] = {
            "setting": "external_id",
            "from": wheres[0].space,
            "to": wheres[1].space,
            "rows": rows,
        }
        if gone.space:
            ended = {"setting": "alias_of", "from": None, "to": str(kept.space), "rows": rows}
            log(tx, ids, now, SYSTEM, kind, gone.namespace_id, str(gone.space), ended, "space")
            payload |= {
                "merged": str(gone.space),
                "intents": [row.id for row in moved],
                "places": [[str(one), str(other)] for one, other in sorted(places.items())],
            }
        log(tx, ids, now, SYSTEM, kind, tx.places.get(kept.space).namespace_id, str(kept.space), payload, "space")


def _to_do(old: Spot, new: Spot) -> bool:
    """Does the old id still name a space of its own, and the new one another or none?"""
    return bool(old.space) and not old.moved_from and not new.moved_from and old.space != new.space


def _lock(tx: Tx, old: Spot, new: Spot) -> tuple[tuple[StandingIntent, ...], tuple[TimedReminder, ...]]:
    """The intents that are to move, locked with those that stay, the timed reminders of both spaces, then the chains.

    What was made before the chains were locked is read again after it.
    """
    live = IntentFilter(space=old.space, statuses=tuple(sorted(LIVE)))
    keys = {row.key for row in tx.intents.list(live, ALL_ROWS, 0)} if old.space else set()
    moving = {row.key for row in tx.intents.list(IntentFilter(space=new.space), ALL_ROWS, 0)} if new.space else set()
    tx.intents.by_keys(sorted(keys | moving), lock=True)
    names = _namespaces(tx, old, new)
    wanted = TimedFilter(tuple(sorted(names)))
    clocks = {row.key for row in tx.timed.list(wanted, ALL_ROWS, 0)} if names else set()
    tx.timed.by_keys(sorted(clocks), lock=True)
    tx.operations.lock(names)
    moving = {row.key for row in tx.intents.list(IntentFilter(space=new.space), ALL_ROWS, 0)} if new.space else set()
    timed = tx.timed.list(wanted, ALL_ROWS, 0) if names else ()
    return tx.intents.by_keys(sorted(moving)) if moving else (), timed


def _namespaces(tx: Tx, *spots: Spot) -> set[str]:
    """Those of these spaces and of their private channels."""
    return {name for spot in spots if spot.space for name in tx.places.namespaces(spot.space)}
