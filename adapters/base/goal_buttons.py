"""What buttons do with an intent of goal memory: below one that is shown, below a proposal, below a question.

What they are about travels in them, so that they work after a restart; who may, is asked when they are pressed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from adapters.base.asking import Asked
from adapters.base.contract import Button
from adapters.base.desk import Desk
from adapters.base.goals import Goals
from core.catalogue import say
from core.goals.objects import OPEN, UNRESOLVED, IntentObject, IntentState, LifecycleState
from core.goals.states import is_faded
from core.goals.typed import Answering, GoalCommand, OneGoal
from core.services.answer_goal import OVER, Answer
from core.services.notices import News, NoticeKind
from core.services.read_goals import GoalView, ListGoals, ShowGoal
from core.wording.lines import Mood, line
from core.wording.readback import Choice, Question

SHOWN, ASKED = "goal", "goalask"
"""What the data of a button begins with: below an intent that is shown anew afterwards, and below anything else."""
_ONE = ("done", "hold", "resume", "cancel", "confirm", "dismiss")
_ANSWERS = tuple(map(str, Answer))
_HANDLE = r"g-[0-9a-z]{4,10}"
_DATA = re.compile(rf"({SHOWN}|{ASKED}):([a-z]+):({_HANDLE})(?::({_HANDLE}))?(?::({_HANDLE}))?")


@dataclass(frozen=True, slots=True)
class GoalPress:
    """A button that was pressed. With `prerequisite` it answers the question what to do without that one.

    `replacement` is what the intent is to wait for instead; without it, the answer `replace` asks which one.
    """

    verb: str
    handle: str
    prerequisite: str = ""
    replacement: str = ""
    shown: bool = False

    @property
    def data(self) -> str:
        """What the button carries, less than 64 bytes."""
        kind = SHOWN if self.shown else ASKED
        return ":".join(filter(None, (kind, self.verb, self.handle, self.prerequisite, self.replacement)))

    @property
    def asks_on(self) -> bool:
        """Is to be asked first what takes the place?"""
        return self.verb == Answer.REPLACE and not self.replacement

    @property
    def wanted(self) -> GoalCommand:
        """The command that it stands for."""
        if self.prerequisite:
            return Answering(self.handle, self.verb, self.prerequisite, self.replacement)
        return OneGoal(self.verb, self.handle)

    @property
    def said(self) -> str:
        """How that would have been typed."""
        if self.prerequisite:
            words = (self.handle, self.verb, self.replacement, "--of", self.prerequisite)
            return " ".join(("/goal answer", *filter(None, words)))
        return f"/goal {self.verb} {self.handle}"


def goal_press_of(data: str) -> GoalPress | None:
    """What one of these buttons carries; None for data that nobody made."""
    found = _DATA.fullmatch(data)
    if found is None:
        return None
    kind, verb, handle, prerequisite, replacement = (part or "" for part in found.groups())
    known = verb in (_ANSWERS if prerequisite else _ONE)
    if not known or (replacement and verb != Answer.REPLACE):
        return None
    return GoalPress(verb, handle, prerequisite, replacement, kind == SHOWN)


def below_goal(view: GoalView) -> tuple[Button, ...]:
    """What can be done with an intent as it is; whether its reader may, is asked when they press it."""
    row = view.intent
    answers: tuple[Button, ...] = ()
    if view.questions and row.lifecycle_state is LifecycleState.ACTIVE:
        answers = _answers(row.handle, view.questions[0].handle, shown=True)
    verbs = [verb for verb in _verbs(row) if not answers or verb not in _ANSWERS]
    own = (_button(GoalPress(verb, row.handle, shown=True), _key(verb)) for verb in verbs)
    return (*own, *answers)


def _key(verb: str) -> str:
    """The words of its button."""
    return "button.done" if verb == "done" else f"button.goal.{verb}"


def _verbs(row: IntentObject) -> tuple[str, ...]:
    if row.is_proposal:
        return ("confirm", "dismiss") if row.intent_state is IntentState.ACTIVE or _is_missed(row) else ()
    if is_faded(row):
        return ("resume",)
    if row.intent_state is IntentState.ON_HOLD:
        return ("resume", "cancel")
    if row.intent_state is IntentState.ACTIVE:
        return ("done", "hold", "cancel")
    return ("done", "cancel") if _is_missed(row) else ()


def _is_missed(row: IntentObject) -> bool:
    """Is it a risk whose deadline passed? It is still one."""
    return row.is_risk and row.intent_state is IntentState.EXPIRED


def below_news(news: News) -> tuple[Button, ...]:
    """What can be answered to a notice that asks."""
    if news.kind is NoticeKind.GOAL_PROPOSED:
        return tuple(button for row in news.goals for button in below_proposal(row))
    if news.kind is not NoticeKind.GOAL_DEPENDENCY or news.other is None or news.state not in set(map(str, OVER)):
        return ()
    return tuple(button for row in news.goals for button in _answers(row.handle, news.other.handle))


def below_proposal(row: IntentObject) -> tuple[Button, ...]:
    """Yes or no, with its handle, since several may stand there."""
    if not row.is_proposal:
        return ()
    presses = (GoalPress(verb, row.handle) for verb in ("confirm", "dismiss"))
    return tuple(_button(press, f"button.goal.{press.verb}.one") for press in presses)


def _answers(handle: str, prerequisite: str, *, shown: bool = False) -> tuple[Button, ...]:
    presses = (GoalPress(answer, handle, prerequisite, shown=shown) for answer in _ANSWERS)
    return tuple(_button(press, f"button.goal.answer.{press.verb}") for press in presses)


def _button(press: GoalPress, key: str) -> Button:
    return Button(say(key, handle=press.handle, other=press.prerequisite), press.data)


def is_about(data: str, press: GoalPress) -> bool:
    """Does a button ask the same question as the one that was pressed, so that it is answered, too?"""
    found = goal_press_of(data)
    return found is not None and (found.handle, found.prerequisite) == (press.handle, press.prerequisite)


def candidates(desk: Desk, press: GoalPress, most: int) -> tuple[IntentObject, ...]:
    """What an intent could wait for instead: what is open here, and the asker may see. A circle is refused later."""
    found = ListGoals(desk.ctx)(desk.actor(), desk.where, size=most + 2).rows
    others = [row for row in found if row.handle not in {press.handle, press.prerequisite}]
    return tuple(row for row in others if row.intent_state in OPEN)[:most]


def carry_out(desk: Desk, press: GoalPress, changed: Callable[[], object]) -> Asked | None:
    """Do what a button stands for. What it would end for good is asked about first: a button is pressed by mistake.

    Raises what the command raises.
    """

    def act() -> Asked | None:
        return Goals(desk, changed).do(press.wanted, press.said)

    if press.verb != Answer.CANCEL:
        return act()
    row = ShowGoal(desk.ctx)(press.handle, desk.actor(), desk.where).intent
    if row.owner.who != desk.actor().principal or row.intent_state not in UNRESOLVED:
        return act()  # it asks, naming the owner, or refuses

    def answer(choice: Choice) -> Asked | None:
        if choice is Choice.CANCEL:
            return act()
        desk.private(line("goal.not_changed", Mood.FAINT))
        return None

    question = Question((line("button.goal.sure", Mood.HEAD, handle=row.handle),), (Choice.CANCEL, Choice.NO))
    desk.ask(question)
    return Asked(question, answer)
