"""The terminal as a channel: one typed line in, what happens shown. Synchronous; the loop is in `loop.py`."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial

from adapters.base.asking import Asked
from adapters.base.aspirations import aspire_command
from adapters.base.desk import error_lines
from adapters.base.goals import Goals
from adapters.base.rules import Rules, Source
from adapters.base.space import settings_command
from adapters.base.timed import Reminders
from adapters.console.adapter import ConsoleAdapter
from adapters.console.answers import choice_of
from adapters.console.display import Screen
from adapters.console.ends import leave_command, owner_command
from adapters.console.goals import SHORT, FirstTurn, propose_command, spelt_out
from adapters.console.hours import Hours, MovableClock
from adapters.console.notices import deliver_due, post_owed
from adapters.console.talk import Desk, bot_command, edit_message, say_message
from adapters.console.timed import post_timed
from adapters.console.world import World, label
from core.catalogue import say
from core.errors import InvalidInput, RemembrancerError
from core.services.context import Context
from core.services.mute import MuteHere
from core.services.notices import NoticeKind
from core.services.read_goals import ListGoals
from core.services.read_intents import ListIntents
from core.services.timed import ListTimed
from core.standing.durations import show_duration, show_soon
from core.standing.sentences import Kind, parse_sentence
from core.standing.typed import Listing
from core.turn import Principal, Visibility, Where
from core.wording.lines import Line, Mood, line, lines
from core.wording.readback import Choice
from core.wording.words import here_words

HANDLES_OFFERED = 50
_KEEP_QUESTION = frozenset(["help", "people", "channels", "time"])


class ConsoleApp:
    """Takes one line at a time. `handle` answers False when the person leaves.

    `ctx.clock` must be `clock`. `file` is named when the chat ends; "" for one that is thrown away.
    """

    def __init__(
        self,
        ctx: Context,
        clock: MovableClock,
        screen: Screen,
        operators: Iterable[Principal] = (),
        file: str = "",
    ) -> None:
        self.world = World(ctx, operators)
        self.adapter = ConsoleAdapter(ctx, self.world, screen)
        self._desk = Desk(ctx, self.world, screen, self.adapter)
        self._hours = Hours(self._desk, clock, lambda: self.wake())
        self.file = file
        self._rules = Rules(self._desk)
        self.wake: Callable[[], object] = lambda: None
        """Called whenever another due time may count; who rings then calls `ring`."""
        self._reminders = Reminders(self._desk, lambda: self.wake())
        self._goals = Goals(self._desk, draws=True)
        self._first_turn = FirstTurn(self._desk)
        self._asked: Asked | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "as": self._as,
            "bot": partial(bot_command, self._desk),
            "in": self._in,
            "thread": self._thread,
            "dm": self._dm,
            "people": self._people,
            "channels": self._channels,
            "owner": self._owner,
            "leave": self._leave,
            "time": self._hours.command,
            "edit": self._edit,
            "settings": self._settings,
            "intent": self._intent,
            "aspire": partial(aspire_command, self._desk),
            "remind": self._remind,
            "goal": self._goal,
            **{name: partial(self._short_goal, kind) for name, kind in SHORT.items()},
            "propose": partial(propose_command, self._desk),
            "help": self._help,
        }
        self.handles: tuple[tuple[str, str], ...] = ()
        self.reminders: tuple[tuple[str, str], ...] = ()
        self.goals: tuple[tuple[str, str], ...] = ()
        self._rule_count = 0
        self._muted = False

    # the frame

    def open(self) -> None:
        """Show the four opening lines and post what is owed."""
        desk = self._desk
        ahead = self._hours.restore()
        self.world.begin()
        desk.private(
            self._who(),
            line("console.open.where", place=here_words(self.world.where)),
            line("console.open.paste"),
            line("console.open.help", Mood.FAINT),
            *ahead,
        )
        post_owed(desk)
        post_timed(desk)
        self._tell()
        self._look()

    def _who(self) -> Line:
        world = self.world
        if world.is_owner():
            return line("console.open.who", name=world.name)
        owners = world.owners()
        return line("console.open.who.member", name=world.name, owners=", ".join(owners), owner=owners[0])

    def close(self) -> None:
        """The last line; a question that is still open is said to have come to nothing."""
        self._drop_question("left")
        key = "console.bye" if self.file else "console.bye.nothing"
        self._desk.private(line(key, Mood.FAINT, file=self.file))

    def error(self, error: RemembrancerError) -> None:
        """Show a refusal."""
        self._desk.private(*error_lines(error))

    def handle(self, text: str) -> bool:
        """One typed line. Raises nothing that is a RemembrancerError."""
        text = text.strip()
        if text.partition(" ")[0].casefold() in {"/quit", "/exit"}:
            return False
        if text:
            self._attempt(self._first_turn.greet)
        self._attempt(partial(self._dispatch, text))
        self._attempt(self._deliver)
        self._look()
        return True

    def _attempt(self, step: Callable[[], None]) -> None:
        try:
            self.world.refresh()
            step()
        except RemembrancerError as error:
            self.error(error)

    def _deliver(self) -> None:
        """Post and tell what is due, unless a question waits for its answer."""
        if self._asked is None:
            post_timed(self._desk)
            self._tell()

    def _tell(self) -> None:
        """Post and tell what is due; risks that a notice tells of are not shown once more."""
        notice = deliver_due(self._desk)
        if notice is not None and any(news.kind is NoticeKind.RISKS for news in notice.news):
            self._first_turn.had()

    def ring(self) -> None:
        """Post the timed reminders that have come due, whether or not somebody types."""
        self._attempt(lambda: post_timed(self._desk))

    def _dispatch(self, text: str) -> None:
        if not text:
            return
        if text.startswith("/"):
            self._command(text)
            return
        asked = self._asked
        choice = choice_of(text, asked.question.choices) if asked is not None else None
        if asked is not None and choice is not None:
            self._asked = None
            self._asked = asked.answer(choice)
            return
        self._drop_question("talked")
        self._talk(text)

    def _look(self) -> None:
        """Read what the status line and the completion show."""
        world = self.world
        page = ListIntents(self._desk.ctx)(
            world.actor(), world.where, statuses=Listing().statuses, size=HANDLES_OFFERED
        )
        self._rule_count = page.total
        self._muted = MuteHere(self._desk.ctx)(world.where) is not None
        self.handles = tuple((row.handle, row.description) for row in page.rows)
        timed = ListTimed(self._desk.ctx)(world.actor(), world.where, size=HANDLES_OFFERED)
        self.reminders = tuple((row.handle, row.text) for row in timed.rows)
        goals = ListGoals(self._desk.ctx)(world.actor(), world.where, size=HANDLES_OFFERED)
        self.goals = tuple((row.handle, row.value) for row in goals.rows)

    def _drop_question(self, why: str) -> None:
        """`why`: `talked`, `left` or `unanswered`."""
        if self._asked is not None:
            what = "cancelled" if Choice.CANCEL in self._asked.question.choices else "saved"
            self._asked = None
            self._desk.private(line(f"console.dropped.{what}.{why}", Mood.FAINT))

    # talking

    def _talk(self, text: str) -> None:
        world = self.world
        found = parse_sentence(text)
        actor = world.actor()
        if found is not None and found.kind is Kind.RULE and (actor.is_owner or actor.is_operator):
            source = Source(self._desk.ctx.ids.uuid(), text)
            self._asked = self._rules.sentence(found, source)
            return
        said = say_message(self._desk, text)
        if found is None:
            return
        if found.kind in {Kind.CLOCK_TIME, Kind.FOR_OTHER}:
            self._asked = self._reminders.sentence(found, said.text, said.message_id)
        elif actor.is_owner or actor.is_operator:
            self._rules.sentence(found, Source(said.message_id, said.text))
        else:
            self._desk.private(line("console.rights.chat", Mood.FAINT))

    # commands

    def _command(self, text: str) -> None:
        name, _, rest = text[1:].partition(" ")
        name, rest = name.casefold(), rest.strip()
        command = self._commands.get(name)
        if command is None:
            near = get_close_matches(name[:20], self._commands, 1)
            hint = say("command.nearest", name=f"/{near[0]}") if near else say("console.unknown.hint")
            raise InvalidInput(say("console.unknown", name=name[:20]), hint)
        if name not in _KEEP_QUESTION or rest:
            self._drop_question("unanswered")
        command(rest)

    def _intent(self, rest: str) -> None:
        self._asked = self._rules.command(rest)

    def _remind(self, rest: str) -> None:
        self._asked = self._reminders.command(rest)

    def _goal(self, rest: str) -> None:
        self._asked = self._goals.command(rest)

    def _short_goal(self, kind: str, rest: str) -> None:
        self._goal(spelt_out(kind, rest))

    def _as(self, rest: str) -> None:
        if not rest:
            raise InvalidInput(say("console.as.usage"), say("console.as.usage.hint"))
        before = self.world.where
        self.world.become(rest)
        role = say("console.as.owner") if self.world.is_owner() else ""
        self._desk.private(line("console.as", name=self.world.name, role=role))
        if self.world.where != before:
            self._here()

    def _in(self, rest: str) -> None:
        words = rest.split()
        private = "--private" in words
        names = [word for word in words if word != "--private"]
        if len(names) != 1:
            raise InvalidInput(say("console.in.usage"), say("console.in.usage.hint"))
        self.world.enter(names[0], private)
        self._here()

    def _thread(self, rest: str) -> None:
        if not rest:
            hint = say("console.thread.usage.hint", channel=self.world.where.channel)
            raise InvalidInput(say("console.thread.usage"), hint)
        self.world.enter_thread(rest)
        self._here()

    def _dm(self, _rest: str) -> None:
        self.world.enter_direct()
        self._here()

    def _here(self) -> None:
        self._desk.private(line("console.in", place=here_words(self.world.where)))

    def _people(self, _rest: str) -> None:
        world = self.world
        names = [
            say("console.people.owner", name=name) if world.is_owner(name) else name for name in world.people().values()
        ]
        self._desk.private(line("console.people", names=", ".join(names)))

    def _channels(self, _rest: str) -> None:
        self._desk.private(line("console.channels", names=", ".join(map(_listed, self.world.places()))))

    def _owner(self, rest: str) -> None:
        owner_command(self._desk, rest)

    def _leave(self, _rest: str) -> None:
        leave_command(self._desk)

    def _edit(self, rest: str) -> None:
        old = self.world.newest(own=True)
        if old is None:
            raise InvalidInput(say("console.edit.none"), say("console.edit.none.hint"))
        if not rest:
            raise InvalidInput(say("console.edit.usage"), say("console.edit.usage.hint"))
        edit_message(self._desk, old, rest)

    def _settings(self, rest: str) -> None:
        settings_command(self._desk, rest)

    def _help(self, _rest: str) -> None:
        self._desk.private(*lines("console.help"))

    # what the prompt shows

    def place(self) -> str:
        """The place, short."""
        return label(self.world.where)

    def status(self) -> str:
        """Who, where, when, and how many rules are live here."""
        now = self._desk.now()
        parts = [self.place(), show_soon(now, now, self._desk.zone)]
        if self._hours.ahead:
            parts.append(say("console.status.ahead", offset=show_duration(self._hours.ahead)))
        if self.world.is_owner():
            one = self._rule_count == 1
            parts.append(say("console.status.rule" if one else "console.status.rules", count=self._rule_count))
        if self._muted:
            parts.append(say("console.status.muted"))
        role = say("console.status.owner") if self.world.is_owner() else ""
        return " · ".join([f"{self.world.name}{role}", *parts])

    def commands(self) -> tuple[str, ...]:
        """Names of all commands."""
        return (*self._commands, "quit")


def _listed(place: Where) -> str:
    if place.visibility is Visibility.PRIVATE:
        return say("console.channels.private", name=label(place))
    return place.channel_name if place.visibility is Visibility.DIRECT else label(place)
