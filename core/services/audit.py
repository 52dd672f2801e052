"""Walking every chain of the operation log."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import StorageError
from core.operations.log import ChainReport, OpType, verify_chain
from core.services.context import Context
from core.services.record import log
from core.turn import ADMIN

SYSTEM_NAMESPACE = "system"


@dataclass(frozen=True, slots=True)
class VerifyAudit:
    """Verify all chains and log one INTEGRITY_CHECK in the system namespace. A broken chain is a report, no error.

    A store that can only be read is verified all the same, and nothing is logged.
    """

    ctx: Context

    def __call__(self) -> tuple[ChainReport, ...]:
        with self.ctx.store.read() as tx:
            reports = tuple(
                verify_chain(name, tx.operations.chain(name), tx.operations.head(name))
                for name in tx.operations.namespaces()
            )
        bad = [report for report in reports if report.bad is not None or report.why]
        payload = {
            "chains": len(reports),
            "rows": sum(report.rows for report in reports),
            "bad": [report.namespace_id for report in bad],
        }
        try:
            self._record(payload)
        except StorageError as error:
            if not error.details.get("read_only"):
                raise
        return reports

    def _record(self, payload: Mapping[str, object]) -> None:
        with self.ctx.store.write() as tx:
            now, ids = self.ctx.clock.now(), self.ctx.ids
            log(tx, ids, now, ADMIN, OpType.INTEGRITY_CHECK, SYSTEM_NAMESPACE, None, payload, "log")
            tx.commit()
