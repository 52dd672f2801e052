"""The intent object of goal memory (RFC-0013, section 2) and what belongs to it.

Confidence and salience are integers in millionths: what is hashed and compared has no floats in it.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.standing.intent import Priority
from core.timed.when import When
from core.turn import Principal

ONE = 1_000_000
"""A confidence or salience of 1, in millionths."""


class IntentType(StrEnum):
    """What kind of intention it is (RFC-0013, section 3)."""

    GOAL = "GOAL"
    COMMITMENT = "COMMITMENT"
    OPEN_QUESTION = "OPEN_QUESTION"
    DECISION_IN_PROGRESS = "DECISION_IN_PROGRESS"
    RISK = "RISK"
    FOLLOW_UP = "FOLLOW_UP"


class IntentState(StrEnum):
    """How far it is (RFC-0013, section 4; `core.goals.states` holds the table of moves)."""

    ACTIVE = "ACTIVE"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    ON_HOLD = "ON_HOLD"
    EXPIRED = "EXPIRED"
    SUPERSEDED = "SUPERSEDED"


OPEN = frozenset({IntentState.ACTIVE, IntentState.ON_HOLD})
"""What counts for the bounds of the graph."""
UNRESOLVED = OPEN | {IntentState.EXPIRED}
"""A risk in one of these is still a risk."""


class LifecycleState(StrEnum):
    """The state of the memory object, apart from how far its intention is (RFC-0001, section 8)."""

    ACTIVE = "ACTIVE"
    DEPRECATED = "DEPRECATED"
    SUPERSEDED = "SUPERSEDED"
    ARCHIVED = "ARCHIVED"


class EpistemicType(StrEnum):
    """How it is known: seen, said by a person, or concluded by a machine and not confirmed yet."""

    OBSERVED = "OBSERVED"
    ASSERTED = "ASSERTED"
    INFERRED = "INFERRED"


class SourceType(StrEnum):
    """Where it comes from."""

    USER_STATED = "USER_STATED"
    SYSTEM_INFERRED = "SYSTEM_INFERRED"


CONFIDENCE: dict[SourceType, int] = {SourceType.USER_STATED: 800_000, SourceType.SYSTEM_INFERRED: 550_000}
"""The baseline of each source, in millionths (RFC-0003, section 4; D6)."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, with the name they were last seen with. A bot or an assistant is one, too (`core.turn.machine`)."""

    who: Principal
    name: str


@dataclass(frozen=True, slots=True)
class IntentObject:
    """One row. Times are aware UTC; `key` is the store's integer key (0 before it is stored).

    `space`, `channel` and `conversation` are place ids of where it was made. `value` is what is intended, at most
    `goal_chars` characters, "" once erased; `criteria` and `note` may have line breaks; `structured` is canonical JSON
    or "". `salience` is that of `touched_at`: what it has faded to since is computed when it is read. `fades_at` is
    when it next falls below a threshold, None for what does not fade. `due` is the deadline as it was said, and
    `target_completion` its instant. `fold` is the key under which the same proposal is found again. `told_at` is when
    the owner was last told of an open risk. `version` grows by one a change and guards every update.
    """

    id: str
    handle: str
    namespace_id: str
    space: int
    channel: int
    conversation: int
    intent_type: IntentType
    value: str
    creator: Person
    owner: Person
    created_at: datetime
    last_modified_at: datetime
    touched_at: datetime
    intent_state: IntentState = IntentState.ACTIVE
    lifecycle_state: LifecycleState = LifecycleState.ACTIVE
    priority: Priority = Priority.MEDIUM
    epistemic_type: EpistemicType = EpistemicType.ASSERTED
    source_type: SourceType = SourceType.USER_STATED
    confidence: int = CONFIDENCE[SourceType.USER_STATED]
    salience: int = 500_000
    pinned: bool = False
    stakeholders: tuple[Person, ...] = ()
    due: When | None = None
    target_completion: datetime | None = None
    criteria: str = ""
    note: str = ""
    structured: str = ""
    evidence_ids: tuple[str, ...] = ()
    asserted_by: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    fades_at: datetime | None = None
    told_at: datetime | None = None
    fold: str = ""
    value_id: str = ""
    criteria_id: str | None = None
    note_id: str | None = None
    structured_id: str | None = None
    key: int = 0
    version: int = 1

    @property
    def is_risk(self) -> bool:
        """Risks surface always, never fade, and escalate once when their deadline passes (RFC-0013, section 8)."""
        return self.intent_type is IntentType.RISK

    @property
    def is_proposal(self) -> bool:
        """Concluded by a machine, and nobody has said yes to it."""
        return self.epistemic_type is EpistemicType.INFERRED


@dataclass(frozen=True, slots=True)
class GoalDraft:
    """What somebody wants remembered, before validation. `owner` None means whoever asks.

    `depends_on` and `blocks` are handles; `due` was read by the grammar of times.
    """

    intent_type: IntentType
    value: str
    priority: Priority = Priority.MEDIUM
    owner: Person | None = None
    stakeholders: tuple[Person, ...] = ()
    due: When | None = None
    criteria: str = ""
    note: str = ""
    structured: str = ""
    depends_on: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoalChange:
    """What is to be changed; None leaves a field as it is. `no_due` takes the deadline away."""

    value: str | None = None
    intent_type: IntentType | None = None
    priority: Priority | None = None
    owner: Person | None = None
    stakeholders: tuple[Person, ...] | None = None
    due: When | None = None
    no_due: bool = False
    criteria: str | None = None
    note: str | None = None
    structured: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """`dependent` waits for `prerequisite` (ids). `depends_on` and `blocks` are its two readings (D7)."""

    dependent: str
    prerequisite: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What is remembered of a completed intent: OBSERVED, with half its salience at completion (RFC-0013, section 9).

    `text` is "" once erased. `evidence_ids` are the events of the intent and of its completion.
    """

    id: str
    namespace_id: str
    intent_id: str
    intent_handle: str
    text: str
    created_at: datetime
    salience: int
    evidence_ids: tuple[str, ...]
    text_id: str = ""
    epistemic_type: EpistemicType = EpistemicType.OBSERVED
    confidence: int = ONE
    key: int = 0


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation until `goal_session` of silence (D11). `surfaced` are keys of risks that were really shown."""

    conversation: int
    started_at: datetime
    last_at: datetime
    surfaced: frozenset[int] = frozenset()
