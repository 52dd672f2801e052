"""A chat that has another id on its platform from now on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.catalogue import say
from core.errors import StorageError
from core.limits import ALL_ROWS
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.elsewhere import require_there
from core.services.end_space import end_space
from core.services.left import left_at, mark_back, mark_left
from core.services.record import log
from core.services.refile import refile
from core.services.search import OF_WORDS, options_of
from core.standing.intent import INDEXED, LIVE, StandingIntent
from core.stored import IntentFilter
from core.turn import SYSTEM, Spot, Where

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class MovePlace:
    """Let everything of the space `old` live under the id `new`; the old id finds the same rows ever after.

    One transaction and one operation in the chain of the space. What was stored under `new` already is merged into
    it, with one operation in that chain, too: intents move and are filed anew, settings of the old space win, and a
    space that the bot was removed from under its new id is one that it was removed from. May be told any number of
    times, in any order and by several processes: False when there is nothing (more) to do, so for an unknown `old`
    and one that is an alias already. Raises StorageError when the store cannot be used.
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
            moving = _lock(tx, *spots)
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
            self._log(tx, spots, (before, after), moved)
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
        return new

    def _log(self, tx: Tx, spots: tuple[Spot, Spot], wheres: tuple[Where, Where], moved: list[StandingIntent]) -> None:
        """In the chain of the space what came to it; in that of the space that is none any more where it went."""
        now, ids, kind = self.ctx.clock.now(), self.ctx.ids, OpType.NAMESPACE_POLICY_UPDATE
        kept, gone = spots
        payload: dict[str, object] = {"setting": "external_id", "from": wheres[0].space, "to": wheres[1].space}
        if gone.space:
            ended = {"setting": "alias_of", "from": None, "to": str(kept.space)}
            log(tx, ids, now, SYSTEM, kind, gone.namespace_id, str(gone.space), ended, "space")
            payload |= {"merged": str(gone.space), "intents": [row.id for row in moved]}
        log(tx, ids, now, SYSTEM, kind, tx.places.get(kept.space).namespace_id, str(kept.space), payload, "space")


def _to_do(old: Spot, new: Spot) -> bool:
    """Does the old id still name a space of its own, and the new one another or none?"""
    return bool(old.space) and not old.moved_from and not new.moved_from and old.space != new.space


def _lock(tx: Tx, old: Spot, new: Spot) -> tuple[StandingIntent, ...]:
    """The intents that are to move, locked with those that stay, and then the chains of both spaces."""
    live = IntentFilter(space=old.space, statuses=tuple(sorted(LIVE)))
    keys = {row.key for row in tx.intents.list(live, ALL_ROWS, 0)} if old.space else set()
    moving = {row.key for row in tx.intents.list(IntentFilter(space=new.space), ALL_ROWS, 0)} if new.space else set()
    tx.intents.by_keys(sorted(keys | moving), lock=True)
    spaces = [spot.space for spot in (old, new) if spot.space]
    tx.operations.lock({name for space in spaces for name in tx.places.namespaces(space)})
    moving = {row.key for row in tx.intents.list(IntentFilter(space=new.space), ALL_ROWS, 0)} if new.space else set()
    return tx.intents.by_keys(sorted(moving)) if moving else ()
