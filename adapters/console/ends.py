"""Keeping rules, cancelling all of a person, and leaving the workspace."""

from collections.abc import Callable

from adapters.console.talk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.services.cancel_all import CancelAll
from core.services.keep import KeepIntent
from core.standing.durations import show_moment
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question

Answer = Callable[[Choice], None]


def keep_command(desk: Desk, handle: str) -> None:
    """`/intent keep i-7k2m`: says the new end in full."""
    row = KeepIntent(desk.ctx)(handle, desk.world.actor(), desk.world.where)
    desk.private(line("rule.kept", Mood.GOOD, handle=row.handle, ends=show_moment(row.expires_at, desk.zone)))


def cancel_all_command(desk: Desk, person: str) -> tuple[Question, Answer] | None:
    """`/intent cancel --from @bob`: the question that names the person and how many, None when there are none."""
    world, cancel = desk.world, CancelAll(desk.ctx)
    who, name = world.find(person)
    count = cancel.count(who, world.actor(), world.where)
    if not count:
        desk.private(line("console.cancel.all.none", Mood.FAINT, name=name))
        return None

    def answer(choice: Choice) -> None:
        if choice is Choice.NO:
            desk.private(line("rule.not_cancelled", Mood.FAINT))
            return
        done = cancel(who, world.actor(), world.where)
        desk.private(line("console.cancel.all.done", Mood.GOOD, name=name, count=done))

    ask = line("console.cancel.all", Mood.HEAD, name=name, count=count)
    return Question((ask,), (Choice.CANCEL, Choice.NO)), answer


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
