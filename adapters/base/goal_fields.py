"""What was said of an intent, with its names and times found: drafts and changes for the services."""

from adapters.base.desk import Desk
from core.goals.deadlines import read_deadline
from core.goals.objects import GoalChange, GoalDraft, IntentObject, IntentType, Person
from core.goals.said import is_none
from core.goals.typed import Fields
from core.services.space_settings import ReadSettings
from core.settings import Setting
from core.standing.intent import Priority
from core.timed.when import When

ME = frozenset({"me", "myself", "@me"})


def deadline_of(desk: Desk, text: str) -> When | None:
    """The time that was said; None for none. Raises InvalidInput."""
    if not text or is_none(text):
        return None
    ctx = desk.ctx
    settings = ReadSettings(ctx)(desk.where)
    zone, language = str(settings[Setting.ZONE]), str(settings[Setting.LANGUAGE])
    return read_deadline(text, desk.now(), zone, ctx.zone_of, ctx.reader, language)


def draft_of(desk: Desk, fields: Fields, due: When | None = None) -> GoalDraft:
    """A new intent with that deadline. Raises InvalidInput for somebody who is not known."""
    return GoalDraft(
        fields.intent_type or IntentType.GOAL,
        fields.text,
        priority=Priority.MEDIUM if fields.priority is None else fields.priority,
        owner=_owner(desk, fields),
        stakeholders=_people(desk, fields.stakeholders or ()),
        due=due,
        criteria=fields.criteria or "",
        note=fields.note or "",
        depends_on=fields.depends_on,
        blocks=fields.blocks,
    )


def successor_of(desk: Desk, fields: Fields, old: IntentObject) -> GoalDraft:
    """A successor: what is not said is as it was. Raises InvalidInput for somebody who is not known."""
    return GoalDraft(
        fields.intent_type or old.intent_type,
        fields.text,
        priority=old.priority if fields.priority is None else fields.priority,
        owner=_owner(desk, fields) or old.owner,
        stakeholders=old.stakeholders if fields.stakeholders is None else _people(desk, fields.stakeholders),
        due=old.due,
        criteria=old.criteria if fields.criteria is None else fields.criteria,
        note=old.note if fields.note is None else fields.note,
        structured=old.structured,
        depends_on=fields.depends_on,
        blocks=fields.blocks,
    )


def change_of(desk: Desk, fields: Fields) -> GoalChange:
    """What is to be changed, its deadline left out. Raises InvalidInput for somebody who is not known."""
    people = fields.stakeholders
    return GoalChange(
        value=fields.text or None,
        intent_type=fields.intent_type,
        priority=fields.priority,
        owner=_owner(desk, fields),
        stakeholders=None if people is None else _people(desk, people),
        no_due=is_none(fields.due),
        criteria=fields.criteria,
        note=fields.note,
    )


def _owner(desk: Desk, fields: Fields) -> Person | None:
    actor = desk.actor()
    if fields.owner.casefold() in ME and actor.principal is not None:
        return Person(actor.principal, actor.name)
    return Person(*desk.person(fields.owner)) if fields.owner else None


def _people(desk: Desk, names: tuple[str, ...]) -> tuple[Person, ...]:
    return tuple(Person(*desk.person(name)) for name in names)
