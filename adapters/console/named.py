"""Names of places in the terminal."""

import unicodedata

from adapters.console.world import World, label, person_id
from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
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
