"""What a store hands out and takes beside the objects of the domain."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from core.standing.intent import Candidate, Status
from core.turn import PlaceKind, Principal, Spot, Visibility


@dataclass(frozen=True, slots=True)
class Place:
    """One row of `places`, with its alias followed."""

    id: int
    provider: str
    account: str
    kind: PlaceKind
    external_id: str
    parent_id: int | None
    name: str
    visibility: Visibility
    namespace_id: str


class Scope(NamedTuple):
    """A scope of the trigger index that holds rows: how many, and how often that changed."""

    key: int
    rows: int
    generation: int


@dataclass(frozen=True, slots=True)
class Look:
    """What a turn needs to know of its place: where it stands, the space's stored settings, the scopes it can hit."""

    spot: Spot
    settings: Mapping[str, object]
    scopes: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """Outcome of an index probe: rows in no particular order, of `probed` that were read.

    `cut` when the row limit ended it.
    """

    rows: tuple[Candidate, ...]
    probed: int
    cut: bool


@dataclass(frozen=True, slots=True)
class IntentFilter:
    """What a list shows. None, empty or 0 means no restriction; `text` is part of the description, case-folded.

    With `anywhere_of`, rules that listen everywhere are shown only where that person made them.
    """

    namespace_ids: tuple[str, ...] = ()
    creator: Principal | None = None
    statuses: tuple[Status, ...] = ()
    text: str = ""
    space: int = 0
    anywhere_of: Principal | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Evidence: a turn that created or changed something. The words lie in `content`."""

    id: str
    ts: datetime
    stream: str
    actor_id: str
    actor_type: str
    role: str
    content_id: str
    content_hash: str
    namespace_id: str
    metadata: Mapping[str, object]
