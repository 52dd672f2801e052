"""Settings of a space: what is in force, and changing one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import NotAllowed
from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.elsewhere import require_there
from core.services.record import log
from core.services.search import options_of
from core.settings import Setting
from core.standing.intent import LIVE, StandingIntent
from core.stored import IntentFilter
from core.text.analyse import TextOptions
from core.turn import Actor, Visibility, Where

OF_WORDS = frozenset({Setting.LANGUAGE, Setting.FOLD_ACCENTS})


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """Every setting of the space with its value in force; the installation's for a space not stored yet."""

    ctx: Context

    def __call__(self, where: Where) -> dict[Setting, object]:
        with self.ctx.store.read() as tx:
            spot = tx.places.find(where)
            return self.ctx.settings(tx.records.settings(spot.space) if spot.space else {})


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Set one setting of a space, with one NAMESPACE_POLICY_UPDATE. `value` comes from `core.settings.read`.

    A change of how words are compared (language, accents) applies to the live intents of the space and files
    them anew, in the same transaction, with one EDITED each. Answers how many. Raises NotAllowed unless an owner
    or operator asks; in a direct message everybody is their own.
    """

    ctx: Context

    def __call__(self, setting: Setting, value: str | bool, actor: Actor, where: Where) -> int:
        own = where.visibility is Visibility.DIRECT  # their zone is theirs: nobody else is there
        if actor.principal is None or not (actor.is_owner or actor.is_operator or own):
            raise NotAllowed(say("rights.settings"), say("rights.settings.hint"))
        ctx = self.ctx
        with ctx.store.write() as tx:
            rows = self._locked(tx, tx.places.find(where).space) if setting in OF_WORDS else ()
            spot = tx.places.ensure(where, ctx.ids.uuid())
            namespace = tx.places.get(spot.space).namespace_id
            tx.operations.lock({namespace, *(row.namespace_id for row in rows)})  # before a setting, as a mute does it
            require_there(tx, where, spot)
            stored = tx.records.settings(spot.space)
            old = ctx.settings(stored)[setting]
            tx.records.put_setting(spot.space, str(setting), value)
            now = ctx.clock.now()
            changed = self._apply(tx, rows, options_of(ctx, stored | {str(setting): value}), actor, now)
            payload = {"setting": str(setting), "from": old, "to": value, "intents": changed}
            log(tx, ctx.ids, now, actor, OpType.NAMESPACE_POLICY_UPDATE, namespace, str(spot.space), payload, "space")
            tx.commit()
            return changed

    def _locked(self, tx: Tx, space: int) -> Sequence[StandingIntent]:
        """The live intents of a space; 0 is one that is not stored yet."""
        if not space:
            return ()
        wanted = IntentFilter(space=space, statuses=tuple(sorted(LIVE)))
        found = tx.intents.list(wanted, self.ctx.limits.live_intents_per_space, 0)
        return tx.intents.by_keys(sorted(intent.key for intent in found), lock=True)

    def _apply(self, tx: Tx, rows: Sequence[StandingIntent], options: TextOptions, actor: Actor, now: datetime) -> int:
        ctx, changed = self.ctx, 0
        for old in rows:
            options = replace(options, word_forms=old.options.word_forms)
            if options != old.options:
                new = store_change(ctx, tx, old, replace(old, options=options))
                payload = standing_change({}, old, new)
                log(tx, ctx.ids, now, actor, OpType.EDITED, old.namespace_id, old.id, payload)
                changed += 1
        return changed
