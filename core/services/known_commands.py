"""What a platform was last told of our commands, so that it is told again only when they changed."""

from dataclasses import dataclass

from core.services.context import Context


@dataclass(frozen=True, slots=True)
class KnownCommands:
    """A fingerprint a bot login, kept as a fact of the store; "" where the platform was never told."""

    ctx: Context

    def __call__(self, provider: str, account: str) -> str:
        with self.ctx.store.read() as tx:
            return tx.records.fact(_key(provider, account)) or ""


@dataclass(frozen=True, slots=True)
class NoteCommands:
    """The platform was told of the commands that have this fingerprint."""

    ctx: Context

    def __call__(self, provider: str, account: str, fingerprint: str) -> None:
        with self.ctx.store.write() as tx:
            tx.records.put_fact(_key(provider, account), fingerprint)
            tx.commit()


def _key(provider: str, account: str) -> str:
    return f"{provider}.{account}.commands"
