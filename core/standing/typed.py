"""What a typed `/intent` command asks for. `core.standing.commands` reads them; adapters act on them."""

from dataclasses import dataclass
from datetime import timedelta

from core.standing.intent import LIVE, Change, Draft, Status
from core.turn import PlaceKind


@dataclass(frozen=True, slots=True)
class Add:
    """A draft as typed. What is named in it is still to be found by the adapter.

    `person`: whose words count; `except_in`: channels in which it stays quiet; `deliver_to`: a channel.
    """

    draft: Draft
    person: str = ""
    except_in: tuple[str, ...] = ()
    deliver_to: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """What to list: the live ones unless said otherwise."""

    text: str = ""
    statuses: tuple[Status, ...] = tuple(sorted(LIVE))
    page: int = 1


@dataclass(frozen=True, slots=True)
class Edit:
    """What to change of one intent. `except_in` None leaves the exceptions as they are, () takes them away."""

    handle: str
    change: Change
    except_in: tuple[str, ...] | None = None
    deliver_to: str = ""


@dataclass(frozen=True, slots=True)
class One:
    """A sub-command about one intent: show, test, pause, resume, cancel, keep or confirm."""

    verb: str
    handle: str


@dataclass(frozen=True, slots=True)
class Why:
    """Explain the newest message here, or `text`, for one intent (`handle`) or all."""

    handle: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a rule would have done here: one that exists (`handle`) or one as typed, without keeping it."""

    handle: str = ""
    add: Add | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A page of the fires of one intent."""

    handle: str
    page: int = 1


@dataclass(frozen=True, slots=True)
class Mute:
    """Quieten all rules, or one (`handle`), in a place; `off` ends it. `span` None: until somebody ends it."""

    kind: PlaceKind = PlaceKind.CHANNEL
    handle: str = ""
    span: timedelta | None = None
    off: bool = False


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Cancel every live rule that a person made here; `person` is still to be found."""

    person: str


IntentCommand = Add | Listing | Edit | One | Why | Preview | History | Mute | CancelAll
