"""Goal memory in the terminal: short forms, a stand-in for extraction, and the risks at the first turn."""

from adapters.base.goal_fields import deadline_of, draft_of
from adapters.console.talk import Desk
from adapters.console.world import principal
from core.catalogue import say
from core.errors import InvalidInput
from core.goals import risks
from core.goals.commands import read_fields
from core.goals.objects import IntentType, Person
from core.services.add_goal import ProposeGoal
from core.services.read_goals import ListGoals, Wanted
from core.turn import Actor, ActorType, Visibility
from core.wording.goal_news import risk_lines
from core.wording.goals import goal_text, kind_words
from core.wording.lines import Mood, line
from core.wording.shown import Clockface

SHORT = {
    "commit": "commitment",
    "decide": "decision",
    "followup": "followup",
    "question": "question",
    "risk": "risk",
}
"""Commands of their own: `/risk TEXT` is `/goal add type:risk TEXT`, `/risk` alone lists the risks."""


def spelt_out(kind: str, rest: str) -> str:
    """What would stand behind `/goal`."""
    return f"add type:{kind} {rest}" if rest else f"list --type {kind}"


def propose_command(desk: Desk, rest: str) -> None:
    """`/propose type:risk TEXT`: what a machine might conclude from the words of the person typing.

    It stands in for an extractor; the first owner of the workspace is asked. Raises InvalidInput.
    """
    if not rest:
        raise InvalidInput(say("goal.propose.usage"), say("goal.propose.usage.hint"))
    fields, world, actor = read_fields(rest), desk.world, desk.actor()
    draft = draft_of(desk, fields, deadline_of(desk, fields.due))
    assert actor.principal is not None, "somebody types"  # noqa: S101
    agent = Actor(ActorType.AI_AGENT, "extractor", say("goal.propose.agent"))
    owner = world.owners()[0]
    row = ProposeGoal(desk.ctx)(
        draft, Person(actor.principal, actor.name), agent, desk.where, said=rest, reviewer=principal(owner)
    )
    if row is None:
        desk.private(line("goal.proposed.before", Mood.FAINT))
        return
    desk.private(
        line("goal.proposed", Mood.GOOD, handle=row.handle, kind=kind_words(row), text=goal_text(row)),
        line("goal.proposed.asked", Mood.FAINT, name=owner),
    )


class FirstTurn:
    """At the first turn of a person in a namespace, once a session of this terminal, its open risks are shown (D19).

    Owners see all that are high or critical, others those in which they have a part.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._had: set[tuple[str, str]] = set()

    def had(self) -> None:
        """The person typing has just been told in another way."""
        self._had.add(self._key())

    def greet(self) -> None:
        """Show what there is, unless that was done before."""
        if self._key() in self._had:
            return
        self.had()
        desk = self._desk
        wanted = Wanted(types=(IntentType.RISK,))
        page = ListGoals(desk.ctx)(desk.actor(), desk.where, wanted, size=desk.ctx.limits.notices_at_once)
        rows = tuple(filter(risks.is_told, page.rows))
        desk.private(*risk_lines(rows, Clockface(desk.now(), desk.zone)))

    def _key(self) -> tuple[str, str]:
        where = self._desk.where
        return self._desk.world.name, where.space if where.visibility is Visibility.PUBLIC else where.channel
