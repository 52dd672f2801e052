"""A bundle really went to an assistant: what that changes, in one transaction, and nothing where it changes nothing."""

from dataclasses import dataclass
from datetime import datetime

from core.context.bundle import Overflow
from core.context.deck import Form
from core.context.render import FIRST_HANDLES
from core.goals import risks
from core.goals.objects import IntentObject, Session
from core.operations.log import OpType
from core.ports import Tx
from core.services.build_bundle import Bundle, is_over
from core.services.context import Context
from core.services.goal_rows import lock_goal, touch
from core.services.record import log
from core.turn import SYSTEM, Where

BUNDLE = "bundle"
"""What operations call it."""
REFRESHES = 3
"""A session that goes on is written again after so many parts of `goal_session`: it may end early by as much (0060)."""


@dataclass(frozen=True, slots=True)
class BundleSent:
    """Put on record that a bundle was sent to `where`.

    HIGH risks that it shows have surfaced in the session of that conversation (D11). One BUDGET_OVERFLOW tells of
    critical risks that were only counted (D12). MEDIUM intents that it shows since the turn is about them stand out
    again, once in `goal_touch_gap`. A bundle whose place has become another namespace's meanwhile changes nothing.
    """

    ctx: Context

    def __call__(self, bundle: Bundle, where: Where) -> None:
        ctx, now = self.ctx, self.ctx.clock.now()
        shown = frozenset(item.intent.key for item in bundle.items if risks.is_high(item.intent))
        touched = [item.intent for item in bundle.items if item.met and item.form is not Form.COUNTED]
        touched = [row for row in touched if not row.is_risk and now - row.touched_at >= ctx.limits.goal_touch_gap]
        overflow = bundle.metadata.overflow
        if not (touched or overflow or self._next(bundle.session, shown, 0, now)):
            return
        with ctx.store.write() as tx:
            spot = tx.places.ensure(where, ctx.ids.uuid())
            tx.operations.lock([spot.namespace_id])
            if spot.namespace_id != bundle.namespace_id:
                return
            session = self._next(tx.goals.session(spot.conversation), shown, spot.conversation, now)
            if session is not None:
                tx.goals.put_session(session)
            if overflow is not None:
                self._log(tx, bundle, overflow, now)
            for row in touched:
                self._touch(tx, row)
            tx.commit()

    def _next(self, old: Session | None, shown: frozenset[int], conversation: int, now: datetime) -> Session | None:
        """The session with what was shown; None when it can stay as it is stored."""
        if old is None or is_over(self.ctx, old, now):
            return Session(conversation, now, now, shown) if shown else None
        fresh = now - old.last_at < self.ctx.limits.goal_session / REFRESHES
        if shown <= old.surfaced and (fresh or not old.surfaced):
            return None
        return Session(old.conversation, old.started_at, max(now, old.last_at), old.surfaced | shown)

    def _log(self, tx: Tx, bundle: Bundle, overflow: Overflow, now: datetime) -> None:
        payload = {
            "budget": bundle.metadata.budget,
            "mode": str(bundle.metadata.mode),
            "count": overflow.count,
            "handles": list(overflow.handles[:FIRST_HANDLES]),
        }
        namespace_id = bundle.namespace_id
        log(tx, self.ctx.ids, now, SYSTEM, OpType.BUDGET_OVERFLOW, namespace_id, None, payload, BUNDLE)

    def _touch(self, tx: Tx, row: IntentObject) -> None:
        touch(self.ctx, tx, lock_goal(tx, row), SYSTEM, "mentioned", self.ctx.limits.goal_touch_gap)
