"""`/intent confirm`: the rule in words first, then a yes."""

from collections.abc import Callable

from adapters.base.desk import Desk
from core.services.confirm_intent import ConfirmIntent, ReadUnconfirmed
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question
from core.wording.shown import Clockface, view_lines

Answer = Callable[[Choice], None]


def confirm_command(desk: Desk, handle: str) -> tuple[Question, Answer]:
    """What is to be confirmed, and what an answer does: wake what was read back, or leave it waiting.

    Raises what confirming it would raise.
    """
    view = ReadUnconfirmed(desk.ctx)(handle, desk.actor(), desk.where)
    shown = view_lines(view, Clockface(desk.now(), desk.zone))

    def answer(choice: Choice) -> None:
        actor, where = desk.actor(), desk.where
        if choice is Choice.NO:
            row = ReadUnconfirmed(desk.ctx)(handle, actor, where).intent
            desk.private(line("confirm.not", Mood.FAINT, handle=row.handle))
            return
        row = ConfirmIntent(desk.ctx)(handle, actor, where, view.intent.version)
        desk.private(line("confirm.done", Mood.GOOD, handle=row.handle))

    return Question((*shown, line("confirm.ask", Mood.HEAD)), (Choice.YES, Choice.NO)), answer
