"""`/intent confirm`: the rule in words first, then a yes."""

from adapters.console.talk import Desk
from core.services.confirm_intent import ConfirmIntent, ReadUnconfirmed
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question
from core.wording.shown import Clockface, view_lines


def confirm_question(desk: Desk, handle: str) -> Question:
    """What is to be confirmed. Raises what confirming it would raise."""
    view = ReadUnconfirmed(desk.ctx)(handle, desk.world.actor(), desk.world.where)
    shown = view_lines(view, Clockface(desk.now(), desk.zone))
    return Question((*shown, line("confirm.ask", Mood.HEAD)), (Choice.YES, Choice.NO))


def confirm_answered(desk: Desk, handle: str, choice: Choice) -> None:
    """Wake it, or leave it waiting."""
    actor, where = desk.world.actor(), desk.world.where
    if choice is Choice.NO:
        view = ReadUnconfirmed(desk.ctx)(handle, actor, where)
        desk.private(line("confirm.not", Mood.FAINT, handle=view.intent.handle))
        return
    row = ConfirmIntent(desk.ctx)(handle, actor, where)
    desk.private(line("confirm.done", Mood.GOOD, handle=row.handle))
