"""How far a bot login has come in what a platform sends, for platforms that do not send again what was missed."""

from dataclasses import dataclass

from core.services.context import Context


@dataclass(frozen=True, slots=True)
class ReadWatermark:
    """The number of the newest message that was received; 0 where none was."""

    ctx: Context

    def __call__(self, provider: str, account: str) -> int:
        with self.ctx.store.read() as tx:
            return int(tx.records.fact(_key(provider, account)) or 0)


@dataclass(frozen=True, slots=True)
class NoteWatermark:
    """Everything up to that number was received. It never goes back."""

    ctx: Context

    def __call__(self, provider: str, account: str, number: int) -> None:
        with self.ctx.store.write() as tx:
            if number > int(tx.records.fact(_key(provider, account)) or 0):
                tx.records.put_fact(_key(provider, account), str(number))
                tx.commit()


def _key(provider: str, account: str) -> str:
    return f"{provider}.{account}.received"
