"""Owners of the workspace, and leaving it."""

from adapters.console.talk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.wording.lines import Mood, line


def owner_command(desk: Desk, rest: str) -> None:
    """`/owner`, `/owner bob`, `/owner bob off`."""
    world = desk.world
    name, _, more = rest.partition(" ")
    if not name:
        desk.private(line("console.owners", names=", ".join(world.owners())))
    elif not more:
        desk.private(line("console.owner.done", Mood.GOOD, name=world.make_owner(name)))
    elif more.strip().casefold() == "off":
        shown, paused = world.drop_owner(name)
        desk.private(line("console.owner.off", Mood.GOOD, name=shown, count=paused))
    else:
        raise InvalidInput(say("console.owner.usage", text=more[:40]), say("console.owner.usage.hint"))


def leave_command(desk: Desk) -> None:
    """`/leave`: the person typing leaves; the first owner types from now on."""
    gone, paused = desk.world.leave()
    desk.private(line("console.left", Mood.GOOD, name=gone, count=paused, now=desk.world.name))
