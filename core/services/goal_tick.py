"""What the heartbeat does for goal memory: deadlines, fading, proposals nobody looked at, open risks. Idempotent.

Readers evaluate the effective state themselves: nothing that is correct depends on this having run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from core.goals import review, risks, salience, states
from core.goals.objects import OPEN, IntentObject, LifecycleState
from core.goals.recorded import changed
from core.operations.goal_replay import GOAL
from core.operations.log import OpType
from core.ports import Tx
from core.services import goal_notices
from core.services.chunks import Chunks
from core.services.context import Context
from core.services.goal_moves import expire
from core.services.goal_rows import log_goal, store_goal
from core.services.record import EPOCH, MICROSECOND, log, micros
from core.turn import SYSTEM, Principal

LAST_DECAY = "goals.last_decay"


@dataclass(frozen=True, slots=True)
class GoalTick:
    """How many intents expired, faded (warned of or archived), aged unreviewed, and how many people were told."""

    expired: int = 0
    faded: int = 0
    aged: int = 0
    told: int = 0


@dataclass(frozen=True, slots=True)
class TickGoals:
    """Do what is due now, a chunk a transaction; with nothing due no write lock is taken.

    `rest` is called between two chunks: whoever waits for the write lock gets it meanwhile.
    """

    ctx: Context
    rest: Callable[[], object] = lambda: None

    def __call__(self) -> GoalTick:
        chunks = Chunks(self.ctx, self.rest)
        return GoalTick(
            expired=chunks(self._overdue, self._expire),
            faded=self._decay(chunks),
            aged=chunks(self._unreviewed, self._age),
            told=chunks(self._untold, self._tell),
        )

    def _overdue(self, tx: Tx, limit: int) -> tuple[IntentObject, ...]:
        return tx.goals.overdue(self.ctx.clock.now(), limit)

    def _fading(self, tx: Tx, limit: int) -> tuple[IntentObject, ...]:
        return tx.goals.fading(self.ctx.clock.now(), limit)

    def _unreviewed(self, tx: Tx, limit: int) -> tuple[IntentObject, ...]:
        return tx.goals.unreviewed(self.ctx.clock.now() - self.ctx.limits.goal_review, limit)

    def _untold(self, tx: Tx, limit: int) -> tuple[IntentObject, ...]:
        """Whole people only, as far as the chunk goes: what one is told in a space is one notice."""
        now = self.ctx.clock.now()
        rows = tx.goals.untold(now - self.ctx.limits.risk_gap, now, limit)
        if len(rows) < limit:
            return rows
        whole = tuple(row for row in rows if (row.owner.who, row.space) != (rows[-1].owner.who, rows[-1].space))
        return whole or rows

    def _expire(self, tx: Tx, found: tuple[IntentObject, ...]) -> int:
        def expired(row: IntentObject) -> bool:
            if not states.overdue(row, self.ctx.clock.now()):
                return False
            expire(self.ctx, tx, row)
            return True

        return Chunks(self.ctx).each(_locked(tx, found), expired)

    def _decay(self, chunks: Chunks) -> int:
        """The daily pass: once a day, whoever's heartbeat comes first."""
        now = self.ctx.clock.now()
        with self.ctx.store.read() as tx:
            last = tx.records.fact(LAST_DECAY)
            due = bool(tx.goals.fading(now, 1))
        if not due or (last is not None and _is_recent(last, now, self.ctx)):
            return 0
        done = chunks(self._fading, self._fade)
        with self.ctx.store.write() as tx:
            tx.records.put_fact(LAST_DECAY, str(micros(now)))
            tx.commit()
        return done

    def _fade(self, tx: Tx, found: tuple[IntentObject, ...]) -> int:
        """One DECAY_APPLIED a namespace, with what fell below a threshold."""
        rows = sorted(_locked(tx, found), key=lambda row: row.namespace_id)
        done = 0
        for namespace_id, group in groupby(rows, key=lambda row: row.namespace_id):
            done += self._fade_in(tx, namespace_id, [row for row in group if self._is_due(row)])
        return done

    def _is_due(self, row: IntentObject) -> bool:
        return row.fades_at is not None and row.fades_at <= self.ctx.clock.now()

    def _fade_in(self, tx: Tx, namespace_id: str, rows: Sequence[IntentObject]) -> int:
        now = self.ctx.clock.now()
        crossed: dict[str, list[str]] = {"warned": [], "archived": []}
        fields: dict[str, object] = {}
        for old in rows:
            new, what = _faded(old, now)
            stored = store_goal(tx, old, new, now)
            fields[old.id] = changed(old, stored)
            if what:
                crossed[what].append(old.id)
            if what == "archived" and not old.is_proposal:
                goal_notices.add_faded(self.ctx, tx, stored)
        if rows:
            payload = {"policy": salience.POLICY, **crossed, "changes": fields}
            log(tx, self.ctx.ids, now, SYSTEM, OpType.DECAY_APPLIED, namespace_id, None, payload, GOAL)
        return len(rows)

    def _age(self, tx: Tx, found: tuple[IntentObject, ...]) -> int:
        """What nobody reviewed in time leaves the queue; it is still listed, and can be confirmed."""

        def aged(row: IntentObject) -> bool:
            now = self.ctx.clock.now()
            if not review.ages(row) or row.lifecycle_state is not LifecycleState.ACTIVE:
                return False
            archived = replace(row, lifecycle_state=LifecycleState.ARCHIVED, fades_at=None)
            stored = store_goal(tx, row, archived, now)
            log_goal(self.ctx, tx, SYSTEM, OpType.EDITED, row, stored, {"reason": "not reviewed in time"})
            return True

        return Chunks(self.ctx).each(_locked(tx, found), aged)

    def _tell(self, tx: Tx, found: tuple[IntentObject, ...]) -> int:
        """One notice a person and space of what is open, at most one a day (D19).

        Every critical risk is in it, and a high one that no block surfaced meanwhile. One EDITED a namespace.
        """
        now = self.ctx.clock.now()
        rows = [row for row in _locked(tx, found) if risks.is_told(row)]
        surfaced = tx.goals.surfaced(now - self.ctx.limits.risk_gap)
        by_whom: dict[tuple[Principal | None, int], list[IntentObject]] = {}
        changes: dict[str, dict[str, object]] = {}
        for row in rows:
            by_whom.setdefault((goal_notices.asked(row), row.space), []).append(row)
            stored = store_goal(tx, row, replace(row, told_at=now), now)
            changes.setdefault(row.namespace_id, {})[row.id] = changed(row, stored)
        for namespace_id, fields in sorted(changes.items()):
            payload = {"reason": "owner told", "changes": fields}
            log(tx, self.ctx.ids, now, SYSTEM, OpType.EDITED, namespace_id, None, payload, GOAL)
        for (whom, _), group in by_whom.items():
            shown = tuple(row for row in group if risks.is_critical(row) or row.key not in surfaced)
            if whom is not None and shown:
                goal_notices.add_risks(self.ctx, tx, whom, shown)
        return len(rows)


def _faded(old: IntentObject, now: datetime) -> tuple[IntentObject, str]:
    """After it fell below a threshold: warned of, or archived where nothing keeps it (D14); a risk of neither."""
    left = salience.salience_at(old, now)
    later = replace(old, fades_at=salience.next_fading(old, now))
    if left >= salience.ARCHIVE:
        return later, "warned"
    if old.intent_state not in OPEN:
        return replace(old, fades_at=None), ""
    if salience.kept_from_archive(old, now):
        due = old.target_completion
        ahead = due if due is not None and due > now else None
        return replace(old, fades_at=ahead), ""
    return replace(old, lifecycle_state=LifecycleState.ARCHIVED, fades_at=None), "archived"


def _is_recent(last: str, now: datetime, ctx: Context) -> bool:
    at = EPOCH + int(last) * MICROSECOND
    return at <= now < at + ctx.limits.decay_gap


def _locked(tx: Tx, found: Sequence[IntentObject]) -> tuple[IntentObject, ...]:
    """The rows as they are under the locks of their chains."""
    ids = [row.id for row in found]
    tx.operations.lock({row.namespace_id for row in found})
    return tx.goals.by_ids(ids) if ids else ()
