"""Keeping rules, and cancelling all of a person."""

from collections.abc import Callable

from adapters.base.desk import Desk
from core.services.cancel_all import CancelAll
from core.services.keep import KeepIntent
from core.standing.durations import show_moment
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question

Answer = Callable[[Choice], None]


def keep_command(desk: Desk, handle: str) -> None:
    """`/intent keep i-7k2m`: says the new end in full."""
    row = KeepIntent(desk.ctx)(handle, desk.actor(), desk.where)
    desk.private(line("rule.kept", Mood.GOOD, handle=row.handle, ends=show_moment(row.expires_at, desk.zone)))


def cancel_all_command(desk: Desk, person: str) -> tuple[Question, Answer] | None:
    """`/intent cancel --from @bob`: the question that names the person and how many, None when there are none."""
    cancel = CancelAll(desk.ctx)
    who, name = desk.person(person)
    count = cancel.count(who, desk.actor(), desk.where)
    if not count:
        desk.private(line("console.cancel.all.none", Mood.FAINT, name=name))
        return None

    def answer(choice: Choice) -> None:
        if choice is Choice.NO:
            desk.private(line("rule.not_cancelled", Mood.FAINT))
            return
        done = cancel(who, desk.actor(), desk.where)
        desk.private(line("console.cancel.all.done", Mood.GOOD, name=name, count=done))

    ask = line("console.cancel.all", Mood.HEAD, name=name, count=count)
    return Question((ask,), (Choice.CANCEL, Choice.NO)), answer
