"""Erasing the texts of spaces that the bot was removed from, a chunk of the heartbeat at a time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from core.audit.recorded import standing_change
from core.goals.objects import IntentObject
from core.limits import ALL_ROWS
from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.left import due_to_erase, erased, left_at, mark_back
from core.services.owed import drop_owed
from core.services.purge_goals import erase_goal, worded_goals
from core.services.record import log
from core.services.timed_rows import TARGET_TYPE
from core.services.timed_rows import store_change as store_timed
from core.standing import lifecycle
from core.standing.intent import INDEXED, LIVE, OutboxState, StandingIntent, Status
from core.stored import IntentFilter
from core.timed.reminder import TimedReminder, TimedStatus, cancelled
from core.turn import SYSTEM

REASON = "texts erased"


@dataclass(frozen=True, slots=True)
class Purge:
    """The work of the heartbeat on one space that the bot left `left_purge` ago or longer.

    Of each intent its descriptions, entries and evidence go, those before an edit too; one that still lives is
    cancelled with them. Where rules were made or resumed meanwhile the bot is evidently back: the mark goes instead.
    """

    ctx: Context

    def due(self, tx: Tx, _limit: int) -> tuple[int, ...]:
        """The space whose turn it is, if any."""
        space = due_to_erase(tx, self.ctx.clock.now(), self.ctx.limits.left_purge)
        return (space,) if space else ()

    def rows(self, tx: Tx, space: int) -> tuple[StandingIntent, ...]:
        """The next intents of the space with words, locked with all the chains that are written to."""
        keys = tx.intents.worded(tx.places.namespaces(space), self.ctx.limits.chunk)
        rows = tx.intents.by_keys(keys, lock=True) if keys else ()
        tx.operations.lock({tx.places.get(space).namespace_id, *(row.namespace_id for row in rows)})
        return rows

    def timed(self, tx: Tx, space: int) -> tuple[TimedReminder, ...]:
        """The next timed reminders of the space with words, locked."""
        keys = tx.timed.worded(tx.places.namespaces(space), self.ctx.limits.chunk)
        rows = tx.timed.by_keys(keys, lock=True) if keys else ()
        tx.operations.lock(row.namespace_id for row in rows)
        return rows

    def is_due(self, tx: Tx, space: int) -> bool:
        """Is it still its turn, now that the chains are locked?"""
        return self.due(tx, 1) == (space,)

    def goals(self, tx: Tx, space: int) -> tuple[IntentObject, ...]:
        """The next intents of goal memory in the space with words, under the locks of their chains."""
        return worded_goals(self.ctx, tx, space)

    def settle(
        self,
        tx: Tx,
        space: int,
        rows: tuple[StandingIntent, ...],
        timed: tuple[TimedReminder, ...] = (),
        goals: tuple[IntentObject, ...] = (),
    ) -> bool:
        """Is there nothing to erase there (any more)? Then the space leaves the queue."""
        at = left_at(tx, space)
        listening = tx.intents.count(IntentFilter(space=space, statuses=tuple(sorted(INDEXED))))
        made = [row.created_at for row in rows] + [row.created_at for row in timed] + [row.created_at for row in goals]
        if at is None or listening or any(one > at for one in made):
            return mark_back(self.ctx, tx, space, SYSTEM)
        over = not rows and not timed and not goals
        if over:
            erased(tx, space)
        return over

    def erase_timed(self, tx: Tx, old: TimedReminder) -> bool:
        """End a timed reminder, with what it still owes, and erase its words: one operation each."""
        ctx, now = self.ctx, self.ctx.clock.now()
        if old.status is not TimedStatus.CANCELLED:
            store_timed(tx, old, new := cancelled(old))
            if old.outbox_id is not None:
                tx.outbox.mark(old.outbox_id, OutboxState.FAILED, now)
            payload = {"from": str(old.status), "to": str(new.status), "reason": REASON}
            log(tx, ctx.ids, now, SYSTEM, OpType.STANDING_TRANSITION, old.namespace_id, old.id, payload, TARGET_TYPE)
        tx.records.erase_content(old.text_id)
        gone = {"content": [old.text_id], "why": "bot removed"}
        log(tx, ctx.ids, now, SYSTEM, OpType.ERASED, old.namespace_id, old.id, gone, TARGET_TYPE)
        return True

    def erase_goal(self, tx: Tx, old: IntentObject) -> bool:
        """End an intent of goal memory and erase its words: an operation each."""
        return erase_goal(self.ctx, tx, old)

    def erase(self, tx: Tx, found: StandingIntent) -> bool:
        """End an intent and erase its words: one operation each."""
        ctx, now = self.ctx, self.ctx.clock.now()
        old = drop_owed(ctx, tx, found, tx.fires.open_of_intent(found.key), SYSTEM, now, REASON)
        row = lifecycle.settled(old, now)
        if row.status in LIVE:
            row = lifecycle.move(row, Status.CANCELLED)
        if row is not old:
            new = store_change(ctx, tx, old, row)
            payload = {"from": str(old.status), "to": str(new.status), "reason": REASON}
            told = standing_change(payload, old, new)
            log(tx, ctx.ids, now, SYSTEM, OpType.STANDING_TRANSITION, old.namespace_id, old.id, told)
        gone = [content_id for content_id in dict.fromkeys(words_of(tx, old)) if tx.records.erase_content(content_id)]
        log(tx, ctx.ids, now, SYSTEM, OpType.ERASED, old.namespace_id, old.id, {"content": gone, "why": "bot removed"})
        return True


def words_of(tx: Tx, intent: StandingIntent) -> Iterator[str]:
    """Content ids of all words that an intent ever had, by its row and its operations: an edit keeps the old ones."""
    yield from (content_id for content_id, _ in tx.intents.wordings(intent.key))
    for operation in tx.operations.of_target(intent.id, ALL_ROWS):
        if operation.op_type not in {OpType.ASSERT, OpType.EDITED}:
            continue
        payload = json.loads(operation.payload)
        words = payload.get("words", [])
        sides = [words] if operation.op_type == OpType.ASSERT else words
        yield from (content_id for side in sides for content_id, _ in side)
        evidence = (tx.records.evidence(event) for event in payload.get("evidence", ()))
        yield from (content_id for content_id in evidence if content_id is not None)
