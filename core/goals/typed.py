"""What a typed `/goal` command asks for. `core.goals.commands` reads them; adapters act on them."""

from dataclasses import dataclass

from core.goals.objects import IntentState, IntentType
from core.standing.intent import Priority

NONE = "none"
"""What stands behind an option of `edit` to take away what was there."""


@dataclass(frozen=True, slots=True)
class Fields:
    """What was said of an intent; None and "" where nothing was. Names, times and handles are still to be found.

    `due` is `none` where the deadline is to go; `stakeholders` (), `criteria` and `note` "" where they are to go.
    """

    text: str = ""
    intent_type: IntentType | None = None
    priority: Priority | None = None
    due: str = ""
    owner: str = ""
    stakeholders: tuple[str, ...] | None = None
    criteria: str | None = None
    note: str | None = None
    depends_on: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adding:
    """Remember something new."""

    fields: Fields


@dataclass(frozen=True, slots=True)
class Editing:
    """Change what was said of one intent."""

    handle: str
    fields: Fields


@dataclass(frozen=True, slots=True)
class Superseding:
    """Put a new intent in the place of an old one; what is not said is as it was."""

    handle: str
    fields: Fields


@dataclass(frozen=True, slots=True)
class GoalListing:
    """What to list: what is open, unless said otherwise. `review` lists the proposals that wait for a yes."""

    types: tuple[IntentType, ...] = ()
    states: tuple[IntentState, ...] = ()
    everything: bool = False
    text: str = ""
    review: bool = False
    page: int = 1


@dataclass(frozen=True, slots=True)
class OneGoal:
    """A sub-command about one intent: show, done, hold, resume, cancel, pin, unpin, confirm or dismiss."""

    verb: str
    handle: str


@dataclass(frozen=True, slots=True)
class Depending:
    """Let `handle` wait for `handles`; with `blocks` these wait for it; `off` ends it."""

    handle: str
    handles: tuple[str, ...]
    blocks: bool = False
    off: bool = False


@dataclass(frozen=True, slots=True)
class Searching:
    """Look for words in intents of any state and in summaries."""

    text: str
    page: int = 1


@dataclass(frozen=True, slots=True)
class Answering:
    """What to do with an intent whose prerequisite is over: `keep`, `replace`, `hold` or `cancel`.

    `prerequisite` tells which one is meant, `replacement` what takes its place.
    """

    handle: str
    answer: str
    prerequisite: str = ""
    replacement: str = ""


@dataclass(frozen=True, slots=True)
class Linking:
    """Link a rule to a goal, or free it (`goal` "")."""

    rule: str
    goal: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What waits for what, as a tree: of everything that is open, or of one intent."""

    handle: str = ""


GoalCommand = (
    Adding | Editing | Superseding | GoalListing | OneGoal | Depending | Searching | Answering | Linking | Drawing
)
