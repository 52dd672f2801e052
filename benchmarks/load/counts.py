"""What a run left behind: in the database, and in the groups."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load.play import Played
from benchmarks.load.stage import Key, Stage
from bots.runtime import SystemClock, SystemIds
from config.urls import sqlite_url
from core.services.audit import VerifyAudit
from core.services.context import Context
from storage.link import sql
from storage.unit_of_work import SqlTx, open_store

FIRES = sql(
    "SELECT places.external_id, fires.message_id, standing_intents.handle, fires.fired_at, fires.state FROM fires"
    " JOIN places ON places.id = fires.conversation JOIN standing_intents ON standing_intents.key = fires.intent_key"
)
LIVE = sql("SELECT count(*) FROM outbox WHERE state IN ('queued', 'held')")


@dataclass(slots=True)
class Left:
    """Fires by message: the rule's id, when it was reserved (seconds since 1970), and its state."""

    fires: dict[Key, list[tuple[str, float, str]]] = field(default_factory=dict)
    owed: int = 0
    broken_chains: int = 0

    @property
    def stored(self) -> int:
        """How many fires there are."""
        return sum(len(some) for some in self.fires.values())


def look(path: Path, names: Mapping[str, str]) -> Left:
    """Read a database that no bot uses any more; `names` has the rules' ids by handle."""
    left, store = Left(owed=owed(path)), open_store(sqlite_url(path), migrate=False)
    try:
        with store.read() as tx:
            assert isinstance(tx, SqlTx)
            for chat, message, handle, at, state in tx.link.rows(FIRES):
                left.fires.setdefault((chat, message), []).append((names[handle], at / 1e6, state))
        reports = VerifyAudit(Context(store, SystemClock(), SystemIds()))()
        left.broken_chains = sum(report.bad is not None or bool(report.why) for report in reports)
    finally:
        store.close()
    return left


def owed(path: Path) -> int:
    """How many messages a bot, running or not, owes."""
    store = open_store(sqlite_url(path), migrate=False)
    try:
        with store.read() as tx:
            assert isinstance(tx, SqlTx)
            return int(tx.link.rows(LIVE)[0][0])
    finally:
        store.close()


def count(stage: Stage, played: Played, left: Left, names: Mapping[str, str]) -> dict[str, Any]:
    """What was expected and what came; `lost` and `doubled` of fires, reminders and updates, and what is wrong else."""
    expected = {key: one.rule for key, one in zip(played.keys, played.said, strict=True) if one.rule}
    stored = Counter((key, rule) for key, some in left.fires.items() for rule, _, _ in some)
    sent = _sent(stage, names)
    wanted = set(expected.items())
    unexpected = sorted((set(stored) | set(sent)) - wanted)
    states = Counter(state for some in left.fires.values() for _, _, state in some)
    return {
        "messages": len(played.said),
        "fires_expected": len(expected),
        "fires_stored": left.stored,
        "fires_distinct": len(stored),
        "fires_delivered": states["delivered"],
        "reminders_in_the_groups": sum(sent.values()),
        "lost": len(wanted - set(stored)) + len(wanted - set(sent)) + stage.unheard(),
        "doubled": _more(stored) + _more(sent),
        "fires_doubled": _more(stored),
        "unexpected": len(unexpected),
        "still_owed": left.owed,
        "broken_chains": left.broken_chains,
        **stage.also(),
        "which": [str(one) for one in unexpected[:20]],
    }


def _sent(stage: Stage, names: Mapping[str, str]) -> Counter[tuple[Key, str]]:
    """Every message of the bot: what it answers, and the rule whose handle it names."""
    found: Counter[tuple[Key, str]] = Counter()
    for to, text in stage.posted():
        handles = {word.strip("().,·`") for word in text.split()} & names.keys()
        found[to, names[handles.pop()] if len(handles) == 1 else text] += 1
    return found


def _more(counted: Counter[Any]) -> int:
    return sum(value - 1 for value in counted.values())
