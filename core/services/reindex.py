"""Re-indexing after the analyser changed: rows filed under another fingerprint are filed anew, in chunks."""

from dataclasses import dataclass

from core.services.context import Context
from core.services.refile import refile
from core.standing.intent import INDEXED
from core.text.analyse import FINGERPRINT


@dataclass(frozen=True, slots=True)
class Reindex:
    """File at most one chunk of stale intents anew; answers how many. 0 means the index is up to date.

    Turns keep matching meanwhile: rows of both fingerprints are probed, and every hit is verified by the
    analyser in use.
    """

    ctx: Context

    def __call__(self) -> int:
        with self.ctx.store.write() as tx:
            keys = tx.index.stale(FINGERPRINT, self.ctx.limits.chunk)
            for intent in tx.intents.by_keys(keys, lock=True) if keys else ():
                if intent.status in INDEXED:
                    refile(self.ctx, tx, intent, refuse_crowds=False)
                else:
                    tx.index.remove(intent.key)
            tx.commit()
            return len(keys)
