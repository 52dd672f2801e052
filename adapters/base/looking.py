"""Looking back: what a rule would have done here, and what it did."""

from adapters.base.desk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.services.history import ReadHistory
from core.services.preview_intent import Previewed, PreviewIntent
from core.standing import typed
from core.standing.intent import Deliver, Draft
from core.wording.lines import Line, Mood, line
from core.wording.preview import history_lines, preview_lines, preview_short, trial_lines
from core.wording.shown import Clockface


def preview_command(desk: Desk, what: Draft | str) -> None:
    """`/intent preview`: a draft or the rule behind a handle, run over what was said here. Nothing is stored."""
    if not what:
        raise InvalidInput(say("preview.usage"), say("preview.usage.hint"))
    found = _preview(desk, what)
    if found is None:
        desk.private(line("preview.blind", Mood.FAINT))
    else:
        desk.private(*preview_lines(found, _face(desk), LIMITS))
    if not isinstance(what, str):
        desk.private(line("preview.unsaved", Mood.FAINT))


def trial_command(desk: Desk, handle: str) -> None:
    """`/intent test`: one reminder as it would look, for who asks alone. Nothing is charged, stored or posted."""
    found = PreviewIntent(desk.ctx)(handle, desk.actor(), desk.where, ())
    direct = found.intent.deliver is Deliver.DIRECT and found.intent.creator == desk.actor().principal
    warned = [line("reach.no_chat", Mood.WARNING)] if direct and desk.unreached() else []
    desk.private(*trial_lines(found, _face(desk)), *warned)


def preview_below(desk: Desk, draft: Draft) -> list[Line]:
    """One or two lines for the read-back of a proposal."""
    found = _preview(desk, draft)
    return [line("preview.blind", Mood.FAINT)] if found is None else preview_short(found, _face(desk), LIMITS)


def history_command(desk: Desk, wanted: typed.History) -> None:
    """`/intent history`: a page of what fired, where and at whose words."""
    found = ReadHistory(desk.ctx)(wanted.handle, desk.actor(), desk.where, wanted.page)
    desk.private(*history_lines(found, _face(desk)))


def _preview(desk: Desk, what: Draft | str) -> Previewed | None:
    """What it would have done; None where nothing can be looked at. Raises what the service raises."""
    turns = desk.history()
    if turns is None:
        return None
    return PreviewIntent(desk.ctx)(what, desk.actor(), desk.where, turns)


def _face(desk: Desk) -> Clockface:
    return Clockface(desk.now(), desk.zone)
