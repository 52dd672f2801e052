"""What becomes of each row of an import: stored, here already, over, or refused with everything that is wrong."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from core.catalogue import say
from core.errors import InvalidInput, RemembrancerError
from core.ports import Tx
from core.services.context import Context
from core.services.elsewhere import Home, check_elsewhere
from core.services.rights import require_creator
from core.standing import drafts
from core.standing.intent import LIVE, Deliver, Draft, StandingIntent
from core.standing.lifecycle import effective_status
from core.standing.machines import least_cooldown
from core.standing.portable import Person, PortableIntent, SenderScope
from core.standing.portable_reading import Problem, Row
from core.standing.remap import Remap
from core.standing.triggers import Entry, compile_entry
from core.stored import IntentFilter
from core.turn import Actor, ActorType, Principal, Spot, Visibility, Where

PROBLEMS_SHOWN = 20
T = TypeVar("T")


class Fate(StrEnum):
    """What an import does with a row."""

    NEW = "new"
    HERE = "here"
    OVER = "over"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Planned:
    """One row with its fate. `handle` is the rule's here ("" until it is stored), `was` its handle in the file."""

    number: int
    was: str
    fate: Fate
    intent: PortableIntent | None = None
    draft: Draft | None = None
    problems: tuple[Problem, ...] = ()
    handle: str = ""


@dataclass(frozen=True, slots=True)
class Unmapped:
    """Places and people of an import that are not here and of which nothing was said, each once."""

    places: tuple[Where, ...]
    people: tuple[Person, ...]


def unmapped(tx: Tx, rows: Iterable[Row], remap: Remap) -> Unmapped:
    """What is still to be mapped. Rows that are over or unreadable do not count."""
    places: dict[tuple[str, ...], Where] = {}
    people: dict[Principal, Person] = {}
    for intent in (row.intent for row in rows if row.intent is not None and row.intent.status in LIVE):
        for where in intent.places():
            places.setdefault((where.provider, where.account, where.space, where.channel, where.conversation), where)
        for person in intent.people():
            people.setdefault(person.principal, person)
    return Unmapped(
        tuple(where for where in places.values() if remap.place(where) is None and not _known(tx, where)),
        tuple(
            one for one in people.values() if remap.person(one) is None and not tx.places.principal_key(one.principal)
        ),
    )


def _known(tx: Tx, where: Where) -> bool:
    """A channel is known with its first conversation, whichever that was."""
    spot = tx.places.find(where)
    return bool(spot.conversation or (spot.channel and where.conversation == where.channel))


def check(row: Row, remap: Remap, ctx: Context, now: datetime) -> Planned:
    """The checks of a row that need no store; NEW when they all hold."""
    if row.intent is None:
        return Planned(row.number, row.handle, Fate.REFUSED, problems=row.problems)
    intent = remap.apply(row.intent)
    if intent.status not in LIVE:
        return Planned(row.number, row.handle, Fate.OVER, intent)
    problems: list[Problem] = []
    entries = tuple(entry for entry in intent.entries if entry is not None)
    if intent.description is None or len(entries) < len(intent.entries):
        problems.append(Problem("", say("portable.why.erased")))
        return Planned(row.number, row.handle, Fate.REFUSED, intent, problems=tuple(problems))
    draft = draft_of(intent, "\n".join(entries), intent.description)
    text = _tried(problems, "description", lambda: drafts.check_description(draft.description, now, ctx.limits))
    found = _tried(problems, "entries", lambda: drafts.check_entries(draft, intent.options))
    if found is not None and len(found) != len(entries):
        problems.append(Problem("entries", say("portable.why.entry")))
    _tried(problems, "expires_at", lambda: drafts.check_expiry(draft, now, ctx.limits))
    _tried(problems, "scope", lambda: require_creator(_creator(intent), draft, intent.place))
    if problems or text is None or found is None:
        return Planned(row.number, row.handle, Fate.REFUSED, intent, problems=tuple(problems))
    least = least_cooldown(draft.sender, ctx.limits)
    intent = replace(intent, cooldown=max(intent.cooldown, least))
    intent = replace(intent, description=text, entries=tuple(entry.source for entry in found))
    return Planned(row.number, row.handle, Fate.NEW, intent, replace(draft, description=text))


def draft_of(intent: PortableIntent, triggers: str, description: str) -> Draft:
    """What its creator would ask for to make it again."""
    watched = intent.watches
    return Draft(
        triggers,
        description,
        channel_scope=intent.scope,
        anyone=intent.sender is SenderScope.ANYONE,
        sender=None if watched is None else watched.principal,
        sender_name="" if watched is None else watched.name,
        max_fires=intent.max_fires,
        cooldown=intent.cooldown,
        expires_in=None,
        expires_at=intent.expires_at,
        priority=intent.priority,
        word_forms=intent.options.word_forms,
        on_edits=intent.on_edits,
        cooldown_per=intent.cooldown_per,
        except_in=intent.except_in,
        deliver=intent.deliver,
        deliver_to=intent.deliver_to if intent.deliver is Deliver.PLACE else None,
    )


def _creator(intent: PortableIntent) -> Actor:
    """The creator with every right: which of them they have is looked at when they confirm."""
    who = intent.creator
    actor_type = ActorType.HUMAN_USER
    return Actor(actor_type, who.principal.user_id, who.name, who.principal, is_owner=True, is_operator=True)


def _tried(problems: list[Problem], field: str, act: Callable[[], T]) -> T | None:
    try:
        return act()
    except RemembrancerError as error:
        problems.append(Problem(field, error.sentence))
        return None


class Planner:
    """The checks of rows against the store, in order, as if each row before had been stored. Writes nothing."""

    def __init__(self, ctx: Context, tx: Tx, now: datetime) -> None:
        self._ctx = ctx
        self._tx = tx
        self._now = now
        self._here: dict[Principal, dict[Hashable, str]] = {}
        self._creators: Counter[Principal] = Counter()
        self._spaces: Counter[Hashable] = Counter()
        self._places: dict[int, int] = {}

    def plan(self, checked: Planned) -> Planned:
        """The row with its fate."""
        intent, draft = checked.intent, checked.draft
        if checked.fate is not Fate.NEW or intent is None or draft is None:
            return checked
        spot, draft = self._tx.places.find(as_stored(self._tx, intent.place)), self._named_as_stored(draft)
        here, key = self._live_of(intent.creator.principal), _key(intent, spot)
        if key in here:
            return replace(checked, fate=Fate.HERE, handle=here[key])
        problems: list[Problem] = []
        if not _may_move(intent.place.visibility, spot.visibility):
            problems.append(Problem("place", say("portable.why.open")))
        at = replace(intent.place, visibility=spot.visibility)
        _tried(problems, "scope", lambda: require_creator(_creator(intent), draft, at))
        plain = _tried(problems, "", lambda: check_elsewhere(self._ctx, self._tx, draft, Home(spot, at)))
        problems.extend(self._room(intent, spot))
        if problems or plain is None:
            return replace(checked, fate=Fate.REFUSED, problems=tuple(problems))
        here[key] = ""
        return replace(checked, draft=plain)

    def _named_as_stored(self, draft: Draft) -> Draft:
        to = draft.deliver_to and as_stored(self._tx, draft.deliver_to)
        return replace(draft, except_in=tuple(as_stored(self._tx, place) for place in draft.except_in), deliver_to=to)

    def _live_of(self, creator: Principal) -> dict[Hashable, str]:
        """What a person has here that is live: what makes it the same rule, and its handle."""
        if creator not in self._here:
            count = self._tx.intents.live_of_creator(creator)
            wanted = IntentFilter(creator=creator, statuses=tuple(sorted(LIVE)))
            rows = self._tx.intents.list(wanted, count, 0) if count else ()
            live = (row for row in rows if effective_status(row, self._now) in LIVE)
            self._here[creator] = {self._key_of(row): row.handle for row in live}
        return self._here[creator]

    def _key_of(self, row: StandingIntent) -> Hashable:
        place = tuple(self._place(key) for key in (row.space, row.channel, row.conversation))
        entries = (compile_entry(source, row.options) for source in row.entries)
        return place, row.channel_scope, row.watches, _folded(entries), row.description

    def _place(self, key: int) -> int:
        """The place that an id stands for, its alias followed."""
        if key not in self._places:
            self._places[key] = self._tx.places.get(key).id
        return self._places[key]

    def _room(self, intent: PortableIntent, spot: Spot) -> Iterable[Problem]:
        limits, creator, place = self._ctx.limits, intent.creator.principal, intent.place
        space: Hashable = spot.space or (place.provider, place.account, place.space)
        if creator not in self._creators:
            self._creators[creator] = self._tx.intents.live_of_creator(creator)
        if space not in self._spaces:
            self._spaces[space] = self._tx.intents.live_of_space(spot.space) if spot.space else 0
        self._creators[creator] += 1
        self._spaces[space] += 1
        used, limit = self._creators[creator], limits.live_intents_per_creator
        if used > limit:
            yield Problem("creator", say("portable.why.creator", name=creator.user_id, used=used, limit=limit))
        used, limit = self._spaces[space], limits.live_intents_per_space
        if used > limit:
            yield Problem("place", say("portable.why.space", name=place.space, used=used, limit=limit))


def as_stored(tx: Tx, place: Where) -> Where:
    """A place of a file with the visibility that the store has of it: no file tells that a channel became private."""
    spot = tx.places.find(replace(place, visibility=Visibility.PUBLIC))
    return replace(place, visibility=spot.visibility) if spot.channel else place


def _may_move(was: Visibility, now: Visibility) -> bool:
    """What was made where few could read it does not come to where more can."""
    return was is now or (was is Visibility.PUBLIC and now is Visibility.PRIVATE)


def _key(intent: PortableIntent, spot: Spot) -> Hashable:
    """What makes it the same rule as another; the same as `Planner._key_of` of a stored one."""
    where = intent.place
    ids: tuple[Hashable, ...] = (spot.space, spot.channel, spot.conversation)
    if not spot.conversation:
        ids = (where.provider, where.account, where.space, where.channel, where.conversation)
    entries = (compile_entry(source, intent.options) for source in intent.entries if source is not None)
    return ids, intent.scope, watched_by(intent), _folded(entries), intent.description


def _folded(entries: Iterable[Entry]) -> frozenset[str]:
    return frozenset(entry.dedup_key for entry in entries)


def watched_by(intent: PortableIntent) -> Principal | None:
    """Whose words count, as a row has it."""
    if intent.sender is SenderScope.ANYONE:
        return None
    return intent.creator.principal if intent.watches is None else intent.watches.principal


def refuse(planned: Sequence[Planned]) -> None:
    """Raise InvalidInput that lists the bad rows, when there are any."""
    bad = [row for row in planned if row.fate is Fate.REFUSED]
    if bad:
        lines = [say("portable.refused", bad=len(bad), rows=len(planned)), *problem_lines(bad)]
        raise InvalidInput("\n".join(lines), say("portable.refused.hint"), rows=len(bad))


def problem_lines(bad: Sequence[Planned]) -> list[str]:
    """A line a problem; of at most `PROBLEMS_SHOWN` rows."""
    lines = [
        say("portable.problem", number=row.number, handle=row.was or "-", what=problem_words(problem))
        for row in bad[:PROBLEMS_SHOWN]
        for problem in row.problems
    ]
    more = len(bad) - PROBLEMS_SHOWN
    return [*lines, say("portable.more", count=more)] if more > 0 else lines


def problem_words(problem: Problem) -> str:
    """`field: what is wrong with it`."""
    why = " ".join(problem.why.split("\n"))
    return say("portable.field", field=problem.field, why=why) if problem.field else why
