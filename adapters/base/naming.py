"""Names that a rule holds: the people and channels behind `--from`, `--except`, `--deliver`, or in a sentence."""

from dataclasses import replace

from adapters.base.desk import Desk
from core.standing import typed
from core.standing.intent import Change, Deliver, Draft
from core.standing.saidplaces import SaidDelivery
from core.turn import Where


def watching(desk: Desk, draft: Draft, name: str) -> Draft:
    """The draft with the person of that name as the one whose words count."""
    person, shown = desk.person(name)
    return replace(draft, anyone=False, sender=person, sender_name=shown)


def draft_of(desk: Desk, add: typed.Add) -> Draft:
    """What `/intent add` asks for, with everybody and everything in it found."""
    draft = watching(desk, add.draft, add.person) if add.person else add.draft
    draft = replace(draft, except_in=_each(desk, add.except_in))
    return replace(draft, deliver_to=desk.place(add.deliver_to)) if add.deliver_to else draft


def change_of(desk: Desk, edit: typed.Edit) -> Change:
    """What `/intent edit` asks for, with every place in it found."""
    change = edit.change
    if edit.except_in is not None:
        change = replace(change, except_in=_each(desk, edit.except_in))
    return replace(change, deliver_to=desk.place(edit.deliver_to)) if edit.deliver_to else change


def said_places(desk: Desk, draft: Draft, except_in: tuple[str, ...], delivery: SaidDelivery | None) -> Draft:
    """The draft with the places that a sentence names."""
    draft = replace(draft, except_in=_each(desk, except_in))
    if delivery is None:
        return draft
    to = desk.place(delivery.place) if delivery.deliver is Deliver.PLACE else None
    return replace(draft, deliver=delivery.deliver, deliver_to=to)


def _each(desk: Desk, names: tuple[str, ...]) -> tuple[Where, ...]:
    return tuple(desk.place(name, posting=False) for name in names)
