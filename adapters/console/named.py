"""Names that a rule holds, in the terminal: the people and channels behind `--from`, `--except`, `--deliver`."""

import unicodedata
from dataclasses import replace

from adapters.console.world import World, label, person_id
from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.standing import typed
from core.standing.intent import Change, Deliver, Draft
from core.standing.saidplaces import SaidDelivery
from core.turn import Visibility, Where


def find_place(world: World, name: str) -> Where:
    """The channel (or `channel/thread`) of that name, with or without #, that a rule made here may name.

    Raises InvalidInput in the same words for a place that there is not and for one that may not be named.
    """
    wanted = name.strip().removeprefix("#")
    key = person_id(unicodedata.normalize("NFC", wanted))
    places = [place for place in world.places() if _may_name(place, world.where)]
    found = next((place for place in places if place.conversation == key), None)
    if found is None:
        names = ", ".join(label(place) for place in places if place.conversation == place.channel)
        hint = say("place.unknown.hint", names=names) if names else say("draft.elsewhere.hint")
        raise InvalidInput(say("place.unknown", name=wanted[: LIMITS.name_chars]), hint)
    return found


def _may_name(place: Where, here: Where) -> bool:
    """A public channel, or the private one that the person is in."""
    return place.visibility is Visibility.PUBLIC or (
        place.visibility is Visibility.PRIVATE and place.channel == here.channel
    )


def watching(world: World, draft: Draft, name: str) -> Draft:
    """The draft with the person of that name as the one whose words count."""
    person, shown = world.find(name)
    return replace(draft, anyone=False, sender=person, sender_name=shown)


def draft_of(world: World, add: typed.Add) -> Draft:
    """What `/intent add` asks for, with everybody and everything in it found."""
    draft = watching(world, add.draft, add.person) if add.person else add.draft
    draft = replace(draft, except_in=_each(world, add.except_in))
    return replace(draft, deliver_to=find_place(world, add.deliver_to)) if add.deliver_to else draft


def change_of(world: World, edit: typed.Edit) -> Change:
    """What `/intent edit` asks for, with every place in it found."""
    change = edit.change
    if edit.except_in is not None:
        change = replace(change, except_in=_each(world, edit.except_in))
    return replace(change, deliver_to=find_place(world, edit.deliver_to)) if edit.deliver_to else change


def said_places(world: World, draft: Draft, except_in: tuple[str, ...], delivery: SaidDelivery | None) -> Draft:
    """The draft with the places that a sentence names."""
    draft = replace(draft, except_in=_each(world, except_in))
    if delivery is None:
        return draft
    to = find_place(world, delivery.place) if delivery.deliver is Deliver.PLACE else None
    return replace(draft, deliver=delivery.deliver, deliver_to=to)


def _each(world: World, names: tuple[str, ...]) -> tuple[Where, ...]:
    return tuple(find_place(world, name) for name in names)
