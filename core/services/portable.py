"""Export and import of standing intents, for whoever runs the bots. An import arms nothing: its creators confirm."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput, NotFound
from core.ports import Tx
from core.services import notices
from core.services.context import Context
from core.services.elsewhere import Home, deliver_id, except_ids
from core.services.import_plan import Fate, Planned, Planner, Unmapped, as_stored, check, refuse, unmapped, watched_by
from core.services.new_row import add_row, log_new
from core.services.outgoing import where_of
from core.standing.intent import LIVE, Deliver, Draft, StandingIntent, Status
from core.standing.lifecycle import effective_status
from core.standing.portable import Person, PortableIntent, SenderScope
from core.standing.portable_reading import Row
from core.standing.remap import Path, Remap
from core.stored import IntentFilter
from core.turn import ADMIN, Principal, Spot, Where


@dataclass(frozen=True, slots=True)
class ExportIntents:
    """Every live intent, oldest first, in platform ids; with `everything` those that are over, too.

    `creator` and `space` (provider, account, space) narrow it. Raises NotFound for one that is not known here.
    """

    ctx: Context

    def __call__(
        self, everything: bool = False, creator: Principal | None = None, space: Path | None = None
    ) -> tuple[PortableIntent, ...]:
        with self.ctx.store.read() as tx:
            wanted = IntentFilter(
                creator=_known_person(tx, creator),
                statuses=() if everything else tuple(sorted(LIVE)),
                space=0 if space is None else _known_space(tx, space),
            )
            now = self.ctx.clock.now()
            rows = tx.intents.list(wanted, tx.intents.count(wanted), 0)
            shown = (replace(row, status=effective_status(row, now)) for row in reversed(rows))
            return tuple(_portable(tx, row) for row in shown if everything or row.status in LIVE)


def _known_person(tx: Tx, who: Principal | None) -> Principal | None:
    if who is not None and not tx.places.principal_key(who):
        raise NotFound(say("portable.no_person", name=who.user_id), say("portable.no_person.hint"))
    return who


def _known_space(tx: Tx, path: Path) -> int:
    provider, account, space = path
    found = tx.places.find(Where(provider, account, space, space, space)).space
    if not found:
        raise NotFound(say("portable.no_space", name=space), say("portable.no_space.hint"))
    return found


def _portable(tx: Tx, row: StandingIntent) -> PortableIntent:
    mine = row.watches == row.creator
    named = None if row.watches is None or mine else Person(row.watches, row.watches_name)
    return PortableIntent(
        place=where_of(tx, row.conversation),
        creator=Person(row.creator, row.creator_name),
        description=row.description or None,
        entries=tuple(entry or None for entry in row.entries),
        scope=row.channel_scope,
        sender=SenderScope.ME if mine else SenderScope.NAMED if named else SenderScope.ANYONE,
        watches=named,
        max_fires=row.max_fires,
        cooldown=row.cooldown,
        cooldown_per=row.cooldown_per,
        expires_at=row.expires_at,
        priority=row.priority,
        options=row.options,
        on_edits=row.on_edits,
        except_in=tuple(where_of(tx, key) for key in row.except_in),
        deliver=row.deliver,
        deliver_to=where_of(tx, row.deliver_to) if row.deliver_to else None,
        status=row.status,
        fires=row.fire_count,
        created_at=row.created_at,
        handle=row.handle,
    )


@dataclass(frozen=True, slots=True)
class FindUnmapped:
    """Which places and people of an import are not here and have nothing in their stead."""

    ctx: Context

    def __call__(self, rows: Sequence[Row], remap: Remap) -> Unmapped:
        with self.ctx.store.read() as tx:
            return unmapped(tx, rows, remap)


@dataclass(frozen=True, slots=True)
class PlanImport:
    """What `ImportIntents` would do with each row. Stores nothing."""

    ctx: Context

    def __call__(self, rows: Sequence[Row], remap: Remap) -> tuple[Planned, ...]:
        ctx, now = self.ctx, self.ctx.clock.now()
        checked = [check(row, remap, ctx, now) for row in rows]
        with ctx.store.read() as tx:
            _refuse_unmapped(tx, rows, remap)
            planner = Planner(ctx, tx, now)
            return tuple(planner.plan(row) for row in checked)


@dataclass(frozen=True, slots=True)
class ImportIntents:
    """Store the rows of a document as `pending`, each with its words and one ASSERT operation: all or none.

    They wait for their creators (`ConfirmIntent`), with a fresh budget, and are not in the index. A rule that is here
    already is left out, and so is one that is over. Raises InvalidInput that lists the bad rows, and for places and
    people that are not here and not mapped.
    """

    ctx: Context

    def __call__(self, rows: Sequence[Row], remap: Remap) -> tuple[Planned, ...]:
        ctx, now = self.ctx, self.ctx.clock.now()
        checked = [check(row, remap, ctx, now) for row in rows]
        refuse(checked)  # before anybody has to wait for this transaction
        with ctx.store.write() as tx:
            _refuse_unmapped(tx, rows, remap)
            tx.operations.lock({spot.namespace_id for spot in self._places(tx, checked)})
            planner = Planner(ctx, tx, now)
            planned = [planner.plan(row) for row in checked]
            refuse(planned)
            if not any(row.fate is Fate.NEW for row in planned):
                return tuple(planned)
            names = _new_names(tx, planned)
            made = [self._store(tx, row, names, now) for row in planned]
            self._tell(tx, [row for row in made if row is not None])
            tx.commit()
            return tuple(
                row if one is None else replace(row, handle=one.handle) for row, one in zip(planned, made, strict=True)
            )

    def _places(self, tx: Tx, checked: Sequence[Planned]) -> list[Spot]:
        """Every place of the rows, stored if new, in one order everywhere; names of known ones are left alone."""
        wanted = {row.intent.place for row in checked if row.fate is Fate.NEW and row.intent is not None}
        order = sorted(
            wanted, key=lambda place: (place.provider, place.account, place.space, place.channel, str(place))
        )
        return [tx.places.ensure(_unnamed(tx, place), self.ctx.ids.uuid()) for place in order]

    def _store(self, tx: Tx, row: Planned, names: Mapping[Principal, str], now: datetime) -> StandingIntent | None:
        intent, draft = row.intent, row.draft
        if row.fate is not Fate.NEW or intent is None or draft is None:
            return None
        spot = tx.places.find(as_stored(tx, intent.place))
        made = self._row(tx, intent, draft, spot, now)
        stored = add_row(self.ctx, tx, _named(made, names))
        log_new(self.ctx, tx, stored, ADMIN, {"imported": True})
        return stored

    def _tell(self, tx: Tx, made: Sequence[StandingIntent]) -> None:
        """One notice a creator: how many rules wait for their yes."""
        counts = Counter(row.creator for row in made)
        first = {row.creator: row for row in reversed(made)}
        for creator, count in counts.items():
            about, kind = first[creator], notices.NoticeKind.IMPORTED
            notices.add(self.ctx, tx, kind, creator, about.conversation, {"count": count})

    def _row(self, tx: Tx, intent: PortableIntent, draft: Draft, spot: Spot, now: datetime) -> StandingIntent:
        home = Home(spot, intent.place)
        quiet = tuple(_unnamed(tx, place) for place in draft.except_in)
        target = draft.deliver_to and _unnamed(tx, draft.deliver_to)
        return StandingIntent(
            id="",
            handle="",
            namespace_id=spot.namespace_id,
            space=spot.space,
            channel=spot.channel,
            conversation=spot.conversation,
            description=draft.description,
            entries=tuple(entry for entry in intent.entries if entry is not None),
            creator=intent.creator.principal,
            creator_name="",
            channel_scope=intent.scope,
            watches=watched_by(intent),
            watches_name="",
            status=Status.PENDING,
            created_at=now,
            armed_at=None,
            expires_at=intent.expires_at,
            max_fires=intent.max_fires,
            cooldown=intent.cooldown,
            priority=intent.priority,
            options=intent.options,
            on_edits=intent.on_edits,
            cooldown_per=intent.cooldown_per,
            except_in=except_ids(self.ctx, tx, quiet, home),
            deliver=draft.deliver,
            deliver_to=deliver_id(self.ctx, tx, target, home) if draft.deliver is Deliver.PLACE else 0,
            unconfirmed=True,
        )


def _new_names(tx: Tx, planned: Sequence[Planned]) -> dict[Principal, str]:
    """Names of those whom the store does not know yet. It keeps the names of the others."""
    names: dict[Principal, str] = {}
    for intent in (row.intent for row in planned if row.fate is Fate.NEW and row.intent is not None):
        for person in intent.people():
            if person.name and person.principal not in names and not tx.places.principal_key(person.principal):
                names[person.principal] = person.name
    return names


def _named(row: StandingIntent, names: Mapping[Principal, str]) -> StandingIntent:
    watched = "" if row.watches is None else names.get(row.watches, "")
    return replace(row, creator_name=names.get(row.creator, ""), watches_name=watched)


def _unnamed(tx: Tx, place: Where) -> Where:
    """The place without what the store knows better: names and visibility."""
    spot = tx.places.find(place)
    return replace(
        as_stored(tx, place),
        space_name="" if spot.space else place.space_name,
        channel_name="" if spot.channel else place.channel_name,
        conversation_name="" if spot.conversation else place.conversation_name,
    )


def _refuse_unmapped(tx: Tx, rows: Sequence[Row], remap: Remap) -> None:
    left = unmapped(tx, rows, remap)
    if left.places or left.people:
        raise InvalidInput(
            say("portable.unmapped", places=len(left.places), people=len(left.people)), say("portable.unmapped.hint")
        )
