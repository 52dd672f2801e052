"""Telling owners that an aspiration is to be looked at again: one notice for each of its days (0041)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from core.aspirations.dates import morning
from core.aspirations.item import Item
from core.aspirations.keys import place_of
from core.errors import StorageError
from core.operations.log import OpType, canonical
from core.ports import Tx
from core.services import notices
from core.services.aspiration_sheets import Sheet, home_of, key_for, record, sheet_of, zone_for
from core.services.context import Context
from core.services.notices import NoticeKind
from core.services.record import micros
from core.stored import Place
from core.turn import SYSTEM

FACT = "aspirations."
NEVER = 0


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of a file: how it looked, the zone its days were read in, when the next one comes (0: never).

    `told` has, by short name, the day that the owner was told of last; the newest come last.
    """

    stamp: str = ""
    zone: str = ""
    next: int = NEVER
    told: Mapping[str, str] = field(default_factory=dict)

    def is_quiet(self, stamp: str, zone: str, now: datetime) -> bool:
        """Is there nothing to do for a file that looks like this?"""
        return (self.stamp, self.zone) == (stamp, zone) and not NEVER < self.next <= micros(now)


@dataclass(frozen=True, slots=True)
class TellReviews:
    """Owe every owner a notice of each open aspiration whose day has come, at 09:00 in the zone of the space.

    A file is read when it looks different or its next day has come; else the tick reads one fact. Each file is a
    transaction, of `chunk` notices at most. What was told is kept with the notices: whoever tells the same day again
    finds it there. A file that cannot be read is left until it changes; who lists it is told why.
    """

    ctx: Context
    rest: Callable[[], object] = lambda: None

    def __call__(self) -> int:
        """Answers how many notices were added."""
        files = self.ctx.aspirations
        try:
            stamps = {} if files is None else files.stamps()
        except StorageError:
            return 0
        with self.ctx.store.read() as tx:
            due = [code for code in sorted(stamps) if self._is_due(tx, code, stamps[code])]
        told = 0
        for number, code in enumerate(due):
            if number:
                self.rest()
            with self.ctx.store.write() as tx:
                told += self._tell(tx, code, stamps[code])
                tx.commit()
        return told

    def _is_due(self, tx: Tx, code: str, stamp: str) -> bool:
        home = self._home(tx, code)
        if home is None:
            return False
        return not _watch(tx, code).is_quiet(stamp, zone_for(self.ctx, tx, home), self.ctx.clock.now())

    def _home(self, tx: Tx, code: str) -> Place | None:
        """The place of a file of this store; None for one of another store, or of a place that is gone."""
        home = home_of(tx, place_of(code))
        return home if home is not None and key_for(home).code == code else None

    def _tell(self, tx: Tx, code: str, stamp: str) -> int:
        ctx, now = self.ctx, self.ctx.clock.now()
        home = self._home(tx, code)
        assert home is not None, "places stay"  # noqa: S101
        tx.operations.lock([home.namespace_id])
        watch, zone = _watch(tx, code), zone_for(ctx, tx, home)
        if watch.is_quiet(stamp, zone, now):  # another heartbeat was here
            return 0
        try:
            sheet = sheet_of(ctx, tx, home)
        except StorageError:
            tx.records.put_fact(FACT + code, _text(Watch(stamp, zone, NEVER, watch.told)))
            return 0
        coming = sorted(((morning(day, sheet.zone), item) for item, day in _untold(sheet, watch)), key=_order)
        due = [item for at, item in coming if at <= now][: ctx.limits.chunk]
        for item in due:
            self._owe(tx, sheet, item)
        left = max(micros(coming[len(due)][0]), 1) if len(due) < len(coming) else NEVER
        told = _kept(sheet, watch.told, due, 2 * ctx.limits.aspirations_per_space)
        tx.records.put_fact(FACT + code, _text(Watch(stamp, zone, left, told)))
        return len(due)

    def _owe(self, tx: Tx, sheet: Sheet, item: Item) -> None:
        ctx, owner, day = self.ctx, sheet.owner_of(item), str(item.review)
        assert owner is not None, "what nobody took is not due"  # noqa: S101
        notices.add(ctx, tx, NoticeKind.REVIEW, owner, sheet.home.id, {"handle": item.handle, "review": day})
        record(ctx, tx, sheet, SYSTEM, OpType.ASPIRATION_DUE, item.handle, {"review": day})


def _order(coming: tuple[datetime, Item]) -> tuple[datetime, int]:
    return coming[0], coming[1].line


def _untold(sheet: Sheet, watch: Watch) -> list[tuple[Item, date]]:
    """Open items with an owner, of whose day nobody was told, and that day."""
    return [
        (item, item.review)
        for item in sheet.document.open_items
        if item.handle and sheet.owner_of(item) and item.review and watch.told.get(item.handle) != str(item.review)
    ]


def _kept(sheet: Sheet, told: Mapping[str, str], due: list[Item], most: int) -> dict[str, str]:
    """What is remembered as told: all that stands in the file, and the newest of what is not there (now)."""
    new = {item.handle: str(item.review) for item in due}
    whole = {handle: day for handle, day in told.items() if handle not in new} | new
    there = {item.handle for item in sheet.document.items}
    gone = [handle for handle in whole if handle not in there]
    for handle in gone[: max(0, len(whole) - most)]:
        del whole[handle]
    return whole


def _watch(tx: Tx, code: str) -> Watch:
    found = tx.records.fact(FACT + code)
    if found is None:
        return Watch()
    stored = json.loads(found)
    return Watch(stored["stamp"], stored["zone"], stored["next"], dict(stored["told"]))


def _text(watch: Watch) -> str:
    told = [[handle, day] for handle, day in watch.told.items()]
    return canonical({"stamp": watch.stamp, "zone": watch.zone, "next": watch.next, "told": told})
