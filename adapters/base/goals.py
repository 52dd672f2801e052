"""Goal memory by chat: `/goal`."""

from collections.abc import Callable
from dataclasses import replace

from adapters.base.asking import Asked
from adapters.base.desk import Desk
from adapters.base.goal_fields import change_of, deadline_of, draft_of, successor_of
from core.catalogue import say
from core.errors import InvalidInput
from core.goals.commands import parse_goal_command
from core.goals.objects import UNRESOLVED, IntentObject
from core.goals.typed import (
    Adding,
    Answering,
    Depending,
    Drawing,
    Editing,
    GoalCommand,
    GoalListing,
    Linking,
    OneGoal,
    Searching,
    Superseding,
)
from core.services.add_goal import AddGoal
from core.services.answer_goal import Answer, AnswerDependency
from core.services.change_goal import EditGoal, PinGoal
from core.services.goal_edges import DependGoal, FreeGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.link_goal import LinkGoal
from core.services.read_goals import CheckChange, GoalPage, GraphGoals, ListGoals, SearchGoals, ShowGoal, Wanted
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.services.rights import normal_handle
from core.services.supersede_goal import SupersedeGoal
from core.timed.when import Note, When
from core.wording.goal_acts import (
    answered_lines,
    cancelled_lines,
    done_lines,
    linked_lines,
    moved_line,
    superseded_lines,
    theirs_line,
    waits_line,
)
from core.wording.goal_graph import graph_lines
from core.wording.goals import (
    goal_page_lines,
    goal_view_lines,
    made_goal_lines,
    needs_lines,
    search_lines,
    waiting_line,
)
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question
from core.wording.shown import Clockface
from core.wording.timed import guess_lines

Act = Callable[[], Asked | None]


class Goals:
    """Everything about goal memory that a person types. `changed` is called whenever another due time may count.

    With `draws` the graph is shown as a tree, for which every character must be equally wide.
    """

    def __init__(self, desk: Desk, changed: Callable[[], object] = lambda: None, draws: bool = False) -> None:
        self._desk = desk
        self._changed = changed
        self._draws = draws
        self.listed: tuple[GoalListing, GoalPage] | None = None
        """What was listed last, for the buttons that turn its pages."""

    def _face(self) -> Clockface:
        return Clockface(self._desk.now(), self._desk.zone)

    def command(self, text: str, message_id: str = "") -> Asked | None:
        """What stands behind `/goal`; `message_id` is the message that asks. Raises what grammar and services raise."""
        return self.do(parse_goal_command(text), f"/goal {text}".strip(), message_id)

    def do(self, wanted: GoalCommand, said: str, message_id: str = "") -> Asked | None:
        """The same for a command whose parts were given apart; `said` is how it would have been typed."""
        said = said.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
        match wanted:
            case Adding():
                return self._add(wanted, said, message_id)
            case Editing():
                return self._edit(wanted)
            case Superseding():
                return self._supersede(wanted, said, message_id)
            case GoalListing():
                self.show_list(wanted)
            case OneGoal(verb, handle):
                return self._one(verb, handle, said, message_id)
            case Depending():
                return self._depend(wanted)
            case Searching():
                found = SearchGoals(self._desk.ctx)(wanted.text, self._desk.actor(), self._desk.where, wanted.page)
                self._desk.private(*search_lines(found, wanted.text, self._face()))
            case Answering():
                return self._answer(wanted)
            case Linking():
                rule = LinkGoal(self._desk.ctx)(wanted.rule, wanted.goal, self._desk.actor(), self._desk.where)
                self._desk.private(*linked_lines(rule, wanted.goal and normal_handle(wanted.goal, "g")))
            case Drawing():
                self._draw(wanted.handle)
        return None

    def show_list(self, wanted: GoalListing) -> None:
        """A page of what the asker may see here."""
        desk = self._desk
        actor, where = desk.actor(), desk.where
        what = Wanted(wanted.types, wanted.states, wanted.everything, wanted.review, wanted.text)
        page = ListGoals(desk.ctx)(actor, where, what, wanted.page)
        self.listed = wanted, page
        desk.private(*goal_page_lines(page, wanted, self._face()))
        plain = not (wanted.review or wanted.types or wanted.states or wanted.text or wanted.everything)
        if not (plain and (actor.is_owner or actor.is_operator)):
            return
        if waiting := ListGoals(desk.ctx)(actor, where, Wanted(proposals=True), size=1).total:
            desk.private(waiting_line(waiting))

    # making and changing

    def _add(self, wanted: Adding, said: str, message_id: str) -> Asked | None:
        desk = self._desk
        draft = draft_of(desk, wanted.fields)

        def make(due: When | None) -> None:
            row = AddGoal(desk.ctx)(replace(draft, due=due), desk.actor(), desk.where, message_id, said)
            self._changed()
            self._made(row, due)

        return self._with_due(deadline_of(desk, wanted.fields.due), make)

    def _made(self, row: IntentObject, due: When | None) -> None:
        desk = self._desk
        view = ShowGoal(desk.ctx)(row.handle, desk.actor(), desk.where)
        desk.private(*made_goal_lines(view, due, self._face()))

    def _edit(self, wanted: Editing) -> Asked | None:
        desk = self._desk
        change = change_of(desk, wanted.fields)

        def edit(due: When | None) -> None:
            EditGoal(desk.ctx)(wanted.handle, replace(change, due=due), desk.actor(), desk.where)
            self._changed()
            view = ShowGoal(desk.ctx)(wanted.handle, desk.actor(), desk.where)
            changed = line("goal.changed", Mood.GOOD, handle=view.intent.handle)
            desk.private(changed, *goal_view_lines(view, self._face(), due))

        due = deadline_of(desk, wanted.fields.due)
        return self._theirs(wanted.handle, "edit", lambda: self._with_due(due, edit))

    def _supersede(self, wanted: Superseding, said: str, message_id: str) -> Asked | None:
        desk = self._desk
        old = ShowGoal(desk.ctx)(wanted.handle, desk.actor(), desk.where).intent
        draft = successor_of(desk, wanted.fields, old)

        def supersede(due: When | None) -> None:
            new = replace(draft, due=due)
            found = SupersedeGoal(desk.ctx)(wanted.handle, new, desk.actor(), desk.where, message_id, said)
            self._changed()
            desk.private(*superseded_lines(found))
            self._made(found.new, due)

        due = deadline_of(desk, wanted.fields.due) if wanted.fields.due else draft.due
        return self._theirs(wanted.handle, "supersede", lambda: self._with_due(due, supersede))

    def _with_due(self, due: When | None, act: Callable[[When | None], None]) -> Asked | None:
        """Do it; a deadline that was guessed is asked about first."""
        desk = self._desk
        if due is None or Note.GUESSED not in due.notes:
            act(due)
            return None

        def answer(choice: Choice) -> None:
            if choice is Choice.YES:
                act(replace(due, notes=tuple(note for note in due.notes if note is not Note.GUESSED)))
            else:
                desk.private(line("goal.not_saved", Mood.FAINT))

        read, _ = guess_lines(due, self._face(), desk.ctx.zone_of)
        return self._ask(Question((read, line("goal.guess.ask", Mood.HEAD)), (Choice.YES, Choice.NO)), answer)

    def _ask(self, question: Question, answer: Callable[[Choice], Asked | None]) -> Asked:
        self._desk.ask(question)
        return Asked(question, answer)

    def _theirs(self, handle: str, verb: str, act: Act) -> Asked | None:
        """Do it to one's own; ask first, naming owner and words, where somebody else owns it. Raises NotAllowed."""
        desk = self._desk
        actor, row = desk.actor(), ShowGoal(desk.ctx)(handle, desk.actor(), desk.where).intent
        if actor.principal == row.owner.who or row.intent_state not in UNRESOLVED:
            return act()
        CheckChange(desk.ctx)(handle, actor, desk.where, complete=verb == "done", cancel=verb == "cancel")

        def answer(choice: Choice) -> Asked | None:
            if choice is not Choice.NO:
                return act()
            desk.private(line("goal.not_changed", Mood.FAINT))
            return None

        yes = Choice.CANCEL if verb == "cancel" else Choice.CHANGE
        return self._ask(Question((theirs_line(row, verb),), (yes, Choice.NO)), answer)

    # one of them

    def _one(self, verb: str, handle: str, said: str, message_id: str) -> Asked | None:
        match verb:
            case "show":
                view = ShowGoal(self._desk.ctx)(handle, self._desk.actor(), self._desk.where)
                self._desk.private(*goal_view_lines(view, self._face()))
            case "done":
                return self._theirs(handle, verb, lambda: self._done(handle, said, message_id))
            case "cancel":
                return self._theirs(handle, verb, lambda: self._cancel(handle))
            case "hold" | "resume":
                return self._theirs(handle, verb, lambda: self._move(verb, handle))
            case "pin" | "unpin":
                return self._theirs(handle, "edit", lambda: self._pin(handle, verb == "pin"))
            case _:
                self._review(verb, handle)
        return None

    def _done(self, handle: str, said: str, message_id: str) -> Asked | None:
        """Complete it; one that still waits for something only after a yes."""
        desk = self._desk

        def complete(early: bool) -> None:
            done = CompleteGoal(desk.ctx)(
                handle, desk.actor(), desk.where, early=early, said=said, message_id=message_id
            )
            self._changed()
            desk.private(*done_lines(done))

        try:
            complete(early=False)
        except InvalidInput as error:
            if not error.details.get("waits"):
                raise
            waits = waits_line(error.sentence)
        else:
            return None

        def answer(choice: Choice) -> None:
            if choice is Choice.NO:
                desk.private(line("goal.not_changed", Mood.FAINT))
            else:
                complete(early=True)

        ask = line("goal.done.early.ask", Mood.HEAD)
        return self._ask(Question((waits, ask), (Choice.CHANGE, Choice.NO)), answer)

    def _cancel(self, handle: str) -> None:
        desk = self._desk
        done = CancelGoal(desk.ctx)(handle, desk.actor(), desk.where)
        self._changed()
        desk.private(*cancelled_lines(done, desk.actor().principal))

    def _move(self, verb: str, handle: str) -> None:
        desk = self._desk
        act = HoldGoal if verb == "hold" else ResumeGoal
        row = act(desk.ctx)(handle, desk.actor(), desk.where)
        self._changed()
        desk.private(moved_line(row))

    def _pin(self, handle: str, pinned: bool) -> None:
        desk = self._desk
        row = PinGoal(desk.ctx)(handle, pinned, desk.actor(), desk.where)
        desk.private(line("goal.pinned" if pinned else "goal.unpinned", Mood.GOOD, handle=row.handle))

    def _review(self, verb: str, handle: str) -> None:
        desk = self._desk
        if verb == "confirm":
            row = ConfirmGoal(desk.ctx)(handle, desk.actor(), desk.where)
            self._changed()
            desk.private(line("goal.confirmed", Mood.GOOD, handle=row.handle))
            self._made(row, None)
        else:
            row = DismissGoal(desk.ctx)(handle, desk.actor(), desk.where)
            desk.private(line("goal.dismissed", Mood.GOOD, handle=row.handle))

    # what waits for what

    def _depend(self, wanted: Depending) -> Asked | None:
        desk = self._desk

        def act() -> None:
            actor, where = desk.actor(), desk.where
            if not wanted.off:
                DependGoal(desk.ctx)(wanted.handle, wanted.handles, actor, where, blocks=wanted.blocks)
            else:
                FreeGoal(desk.ctx)(wanted.handle, wanted.handles, actor, where, blocks=wanted.blocks)
            changed = wanted.handles if wanted.blocks else (wanted.handle,)
            for one in changed:
                desk.private(*needs_lines(ShowGoal(desk.ctx)(one, actor, where)))

        return self._theirs(wanted.handle, "edit", act)

    def _answer(self, wanted: Answering) -> Asked | None:
        desk = self._desk
        answer = Answer(wanted.answer)

        def act() -> None:
            row = AnswerDependency(desk.ctx)(
                wanted.handle,
                answer,
                desk.actor(),
                desk.where,
                prerequisite=wanted.prerequisite,
                replacement=wanted.replacement,
            )
            self._changed()
            view = ShowGoal(desk.ctx)(row.handle, desk.actor(), desk.where)
            desk.private(*answered_lines(view, answer))

        return self._theirs(wanted.handle, "cancel" if answer is Answer.CANCEL else "edit", act)

    def _draw(self, handle: str) -> None:
        desk = self._desk
        if not self._draws:
            raise InvalidInput(say("goal.graph.elsewhere"), say("goal.graph.elsewhere.hint"))
        found = GraphGoals(desk.ctx)(desk.actor(), desk.where, handle)
        desk.private(*graph_lines(found, desk.ctx.limits))
