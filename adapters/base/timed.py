"""Timed reminders by chat: `/remind`, and plain sentences with a time of the clock."""

from collections.abc import Callable

from adapters.base.asking import Asked
from adapters.base.desk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.services.remind import Remind, SnoozeTimed
from core.services.space_settings import ReadSettings
from core.services.timed import AcknowledgeTimed, CancelTimed, ListTimed, ShowTimed, TimedPage
from core.settings import Setting
from core.standing.sentences import Kind, Sentence
from core.timed.asked import Asked as Wanted
from core.timed.asked import parse_remind
from core.timed.commands import Make, OneTimed, PutOff, TimedListing, parse_remind_command
from core.timed.reminder import RemindDraft
from core.timed.when import Note
from core.turn import Visibility
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question
from core.wording.shown import Clockface
from core.wording.timed import guess_lines, made_lines, timed_page_lines, timed_view_lines
from core.wording.words import closed


class Reminders:
    """Everything about timed reminders that a person types. `changed` is called whenever another due time may count.

    `message_id` is the message that asks; where `reply` is set, the reminder is a reply to it.
    """

    def __init__(self, desk: Desk, changed: Callable[[], object] = lambda: None) -> None:
        self._desk = desk
        self._changed = changed
        self.listed: tuple[TimedListing, TimedPage] | None = None
        """What was listed last, for the buttons that turn its pages."""

    def _face(self) -> Clockface:
        return Clockface(self._desk.now(), self._desk.zone)

    def sentence(self, found: Sentence, text: str, message_id: str) -> Asked | None:
        """A plain sentence that names a time of the clock, or somebody else to be reminded.

        Raises InvalidInput: for somebody else without a time, what a rule says of it.
        """
        try:
            wanted = self._read(text)
        except InvalidInput:
            if found.kind is not Kind.FOR_OTHER:
                raise
            raise InvalidInput(
                say("sentence.for_other", name=found.name), say("sentence.for_other.hint"), name=found.name
            ) from None
        return self._propose(wanted, False, message_id, True)

    def command(self, text: str, message_id: str = "", reply: bool = False) -> Asked | None:
        """What stands behind `/remind`. Raises what the grammar and the services raise."""
        desk = self._desk
        match parse_remind_command(text):
            case Make(said, direct):
                return self._propose(self._read(said), direct, message_id, reply)
            case TimedListing() as wanted:
                self.show_list(wanted)
            case OneTimed("show", handle):
                row = ShowTimed(desk.ctx)(handle, desk.actor(), desk.where)
                desk.private(*timed_view_lines(row, self._face()))
            case OneTimed("done", handle):
                self._done(handle)
            case OneTimed(_, handle):
                return self._cancel(handle)
            case PutOff(handle, span):
                row = SnoozeTimed(desk.ctx)(handle, span, desk.actor(), desk.where)
                self._changed()
                assert row.due_at is not None, "it is to come"  # noqa: S101
                desk.private(line("timed.put_off", Mood.GOOD, handle=row.handle, time=self._face().full(row.due_at)))
        return None

    def show_list(self, wanted: TimedListing) -> None:
        """A page of what the asker may see here."""
        desk = self._desk
        page = ListTimed(desk.ctx)(desk.actor(), desk.where, wanted.page, wanted.everything)
        self.listed = wanted, page
        desk.private(*timed_page_lines(page, self._face()))

    def _read(self, text: str) -> Wanted:
        ctx = self._desk.ctx
        settings = ReadSettings(ctx)(self._desk.where)
        zone, language = str(settings[Setting.ZONE]), str(settings[Setting.LANGUAGE])
        return parse_remind(text, self._desk.now(), zone, ctx.zone_of, ctx.reader, language)

    def _propose(self, wanted: Wanted, direct: bool, message_id: str, reply: bool) -> Asked | None:
        """Store it and read it back; a time that was guessed is asked about first."""
        person, name = self._desk.person(wanted.person) if wanted.person else (None, "")
        draft = RemindDraft(wanted.when, wanted.text, person, name, for_all=wanted.for_all, direct=direct)
        if Note.GUESSED not in wanted.when.notes:
            self._make(draft, message_id, reply)
            return None

        def answer(choice: Choice) -> None:
            if choice is Choice.YES:
                self._make(draft, message_id, reply)
            else:
                self._desk.private(line("remind.not_made", Mood.FAINT))

        question = Question(
            tuple(guess_lines(wanted.when, self._face(), self._desk.ctx.zone_of)), (Choice.YES, Choice.NO)
        )
        self._desk.ask(question)
        return Asked(question, answer)

    def _make(self, draft: RemindDraft, message_id: str, reply: bool) -> None:
        desk = self._desk
        elsewhere = draft.direct and desk.where.visibility is not Visibility.DIRECT
        unreached = elsewhere and desk.unreached()
        row = Remind(desk.ctx)(draft, desk.actor(), desk.where, message_id, reply)
        self._changed()
        desk.private(*made_lines(row, self._face()))
        if unreached:
            desk.private(line("reach.no_chat", Mood.WARNING))

    def _done(self, handle: str) -> None:
        desk = self._desk
        row = AcknowledgeTimed(desk.ctx)(handle, desk.actor(), desk.where)
        if row.due_at is None:
            desk.private(line("timed.done", Mood.GOOD, handle=row.handle))
        else:
            desk.private(line("timed.done.next", Mood.GOOD, handle=row.handle, time=self._face().full(row.due_at)))

    def _cancel(self, handle: str) -> Asked | None:
        """One's own at once; somebody else's after a question that names its maker and its words."""
        desk = self._desk
        row = ShowTimed(desk.ctx)(handle, desk.actor(), desk.where)
        if desk.actor().principal in {row.creator, row.target}:
            self._cancelled(handle)
            return None

        def answer(choice: Choice) -> None:
            if choice is Choice.CANCEL:
                self._cancelled(handle)
            else:
                desk.private(line("timed.not_cancelled", Mood.FAINT))

        ask = line("timed.cancel.theirs", Mood.HEAD, handle=row.handle, name=row.creator_name, text=closed(row.text))
        question = Question((ask,), (Choice.CANCEL, Choice.NO))
        desk.ask(question)
        return Asked(question, answer)

    def _cancelled(self, handle: str) -> None:
        desk = self._desk
        row = CancelTimed(desk.ctx)(handle, desk.actor(), desk.where)
        self._changed()
        desk.private(line("timed.cancelled", Mood.GOOD, handle=row.handle))
