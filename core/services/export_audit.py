"""Export of the operation log and its evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.audit.exported import Head, end_line, event_line, header_line, operation_line
from core.ports import Tx
from core.services.context import Context


@dataclass(frozen=True, slots=True)
class ExportAudit:
    """The lines of an export (`core.audit.exported`), in one snapshot and a page at a time.

    `heads` tells the chains as the transaction sees them, in order of their ids. Raises StorageError when the store
    cannot be read.
    """

    ctx: Context

    def __call__(self, program: str, database: str, heads: Callable[[Tx], Sequence[Head]]) -> Iterator[str]:
        operations = events = 0
        with self.ctx.store.read() as tx:
            chains = heads(tx)
            yield header_line(program, database, self.ctx.clock.now(), chains)
            for chain in chains:
                for row in tx.operations.chain(chain.namespace_id):
                    operations += 1
                    yield operation_line(row)
            for event in tx.kept.events():
                events += 1
                yield event_line(event)
        yield end_line(operations, events)
