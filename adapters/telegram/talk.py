"""What people ask for in Telegram: commands, sentences that make a rule, and words that they were asked for."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from telegram import Message

from adapters.base.asking import Asked
from adapters.base.aspirations import aspire_command
from adapters.base.collected import CollectedDesk, work
from adapters.base.contract import Button, SendFailed
from adapters.base.goals import Goals
from adapters.base.rules import Rules, Source
from adapters.base.runner import Runner
from adapters.base.space import settings_command
from adapters.base.timed import Reminders
from adapters.telegram.dialogs import Dialogs
from adapters.telegram.goals import below_answer, is_private
from adapters.telegram.listing import page_buttons
from adapters.telegram.normalise import turn_of
from adapters.telegram.places import PROVIDER, author, chat_id, principal, where_of
from adapters.telegram.rights import Rights, unanswered
from adapters.telegram.seen import Seen
from adapters.telegram.voice import Buttons, Said, Voice, rows_of
from core.catalogue import say
from core.goals.commands import parse_goal_command
from core.services.context import Context
from core.services.privacy import ReadPrivacy
from core.services.rights import require_creator
from core.standing.intent import Draft
from core.standing.sentences import Kind, Sentence
from core.turn import Principal, Turn, TurnKind, Visibility, Where
from core.wording.lines import Mood, line, lines
from core.wording.privacy import privacy_lines

PRIVATE_VERBS = frozenset({"list", "ls", "show", "why", "history", "preview"})
"""What is answered to the asker alone, wherever it was asked."""
MENU = "rmenu"
"""What the data of the menu's buttons begins with; applications of other people like `menu`."""
CHOICES = ("new", "list", "settings", "help")
BY_THE_CLOCK = frozenset({Kind.CLOCK_TIME, Kind.FOR_OTHER})
T = TypeVar("T")
Take = Callable[[str], str | tuple[str, Callable[[str], str]]]


class Talk:
    """Everything that is asked by words. `changed` is called whenever another due time may count."""

    def __init__(
        self,
        ctx: Context,
        hot: Runner,
        voice: Voice,
        rights: Rights,
        dialogs: Dialogs,
        seen: Seen,
        changed: Callable[[], object],
    ) -> None:
        self.ctx = ctx
        self.hot = hot
        self.voice = voice
        self.rights = rights
        self.dialogs = dialogs
        self.seen = seen
        self.changed = changed
        self._commands: dict[str, Callable[[Said], Awaitable[None]]] = {
            "start": self._start,
            "help": self._help,
            "privacy": self._privacy,
            "cancel": self._cancel,
            "intent": self._intent,
            "goal": self._goal,
            "settings": self._settings,
            "remind": self._remind,
            "aspire": self._aspire,
        }

    def knows(self, name: str) -> bool:
        """Is it one of the commands?"""
        return name in self._commands

    @property
    def commands(self) -> tuple[str, ...]:
        """Names of the commands, the most useful first."""
        return ("intent", "goal", "remind", "aspire", "settings", "help", "privacy", "cancel", "start")

    # what comes in

    async def command(self, message: Message, name: str, rest: str) -> None:
        """A command to this bot; one that it does not have is left alone: another bot may have it."""
        act = self._commands.get(name)
        if act is None:
            return
        user = author(message)
        if user is None:
            await self.voice.say(message, line("telegram.anonymous", Mood.WARNING))
            return
        if name != "cancel":
            self.dialogs.leave(message.chat_id, user.id)
        said = Said(message, user, rest)
        await self.voice.guarded(message, lambda: act(said))

    async def sentence(self, message: Message, found: Sentence) -> None:
        """A plain sentence that asks for a rule, or for a reminder by the clock."""
        user = author(message)
        if user is None:
            await self.voice.guarded(message, lambda: self.voice.say(message, line("telegram.anonymous", Mood.WARNING)))
            return

        async def act() -> None:
            desk = await self.desk(said)
            text, message_id = message.text or message.caption or "", str(message.message_id)
            if found.kind in BY_THE_CLOCK:
                reminders = Reminders(desk, self.changed)
                asked = await self.work(desk, lambda: reminders.sentence(found, text, message_id))
            else:
                source = Source(message_id, text)
                asked = await self.work(desk, lambda: Rules(desk).sentence(found, source))
            await self.voice.answer(said, desk, asked)

        said = Said(message, user)
        await self.voice.guarded(message, act)

    async def prompted(self, message: Message) -> None:
        """Words that somebody was asked for."""
        user = author(message)
        prompt = self.dialogs.prompted(message.chat_id, user.id) if user is not None else None
        if user is None or prompt is None:
            return
        asked_for = prompt.take(message.text or message.caption or "")
        if isinstance(asked_for, str):
            said = Said(message, user, asked_for)
            await self.voice.guarded(message, lambda: self._intent(said))
        else:
            key, take = asked_for
            await self.voice.guarded(message, lambda: self.ask_for(Said(message, user), key, take))

    # commands

    async def _start(self, said: Said) -> None:
        if self.place(said).visibility is not Visibility.DIRECT:
            await self.voice.say(said.message, *lines("telegram.start.group"))
            return
        owed = self.voice.mailbox.collect(said.user.id)
        if owed is None:
            await self.voice.say(said.message, *lines("telegram.start"))
        else:
            await self.voice.sender.send(owed)

    async def _help(self, said: Said) -> None:
        await self.voice.say(said.message, *lines("telegram.help"))

    async def _privacy(self, said: Said) -> None:
        where, who = self.place(said), principal(said.user, self.rights.account)
        watched = await self.hot(lambda: ReadPrivacy(self.ctx)(who, where))
        await self.voice.say(said.message, *privacy_lines(watched))

    async def _cancel(self, said: Said) -> None:
        waited = self.dialogs.waits(said.chat, said.user.id)
        left = self.dialogs.leave(said.chat, said.user.id)
        for question in left:
            await self.voice.sender.unbutton(question.desk.where, str(question.message_id))
        await self.voice.say(
            said.message, line("telegram.left" if left or waited else "telegram.left.nothing", Mood.FAINT)
        )

    async def _settings(self, said: Said) -> None:
        desk = await self.desk(said)
        await self.work(desk, lambda: settings_command(desk, said.rest))
        await self.voice.answer(said, desk, None)

    async def _remind(self, said: Said) -> None:
        desk = await self.desk(said)
        message_id = str(said.message.message_id)
        reminders = Reminders(desk, self.changed)
        asked = await self.work(desk, lambda: reminders.command(said.rest, message_id, reply=True))
        private = not said.rest or said.rest.split()[0].casefold() in PRIVATE_VERBS
        buttons = () if reminders.listed is None else page_buttons(desk.where, *reminders.listed)
        await self.voice.answer(said, desk, asked, private, buttons)

    async def _aspire(self, said: Said) -> None:
        desk = await self.desk(said)
        await self.work(desk, lambda: aspire_command(desk, said.rest))
        await self.voice.answer(said, desk, None, private=said.rest.casefold().split()[:1] in ([], ["list"], ["ls"]))

    async def _intent(self, said: Said) -> None:
        if not said.rest:
            await self.menu(said)
            return
        desk = await self.desk(said)
        rules = Rules(desk)
        asked = await self.work(desk, lambda: rules.command(said.rest))
        private = said.rest.split()[0].casefold() in PRIVATE_VERBS
        buttons = () if rules.listed is None else page_buttons(desk.where, *rules.listed)
        await self.voice.answer(said, desk, asked, private, buttons)

    async def _goal(self, said: Said) -> None:
        wanted, typed = parse_goal_command(said.rest), f"/goal {said.rest}".strip()
        desk = await self.desk(said)
        goals = Goals(desk, self.changed)

        def act() -> tuple[Asked | None, Buttons]:
            asked = goals.do(wanted, typed, str(said.message.message_id))
            return asked, () if asked is not None else below_answer(desk, goals, wanted)

        asked, buttons = await self.work(desk, act)
        await self.voice.answer(said, desk, asked, is_private(wanted), buttons)

    async def menu(self, said: Said) -> None:
        """What a bare `/intent` opens."""
        row = [Button(say(f"telegram.menu.{choice}"), f"{MENU}:{choice}") for choice in CHOICES]
        await self.voice.say(said.message, line("telegram.menu"), buttons=rows_of(row))

    async def chosen(self, said: Said, choice: str) -> None:
        """What a button of the menu does; `said` holds the menu and who pressed it."""
        match choice:
            case "new":
                desk = await self.desk(said)
                require_creator(desk.who, Draft("", ""), desk.where)
                await self.ask_for(said, "words", _ask_for_text)
            case "list":
                await self._intent(replace(said, rest="list"))
            case "settings":
                await self._settings(said)
            case "help":
                await self._help(said)

    async def ask_for(self, said: Said, what: str, take: Take) -> None:
        """Ask somebody to type something next."""
        self.dialogs.prompt(said.chat, said.user.id, take)
        await self.voice.prompt(said, what)

    # one act

    def place(self, said: Said) -> Where:
        """Where it was said."""
        return where_of(said.message, self.rights.account)

    async def desk(self, said: Said, where: Where | None = None) -> CollectedDesk:
        """A desk for one act of a person, with the rights of now. Raises StorageError where Telegram is silent."""
        place = where or self.place(said)
        try:
            who = await self.rights.actor(said.user, place)
        except SendFailed:
            raise unanswered() from None
        desk = CollectedDesk(self.ctx, place, who, self.seen.people(chat_id(place)), last=self._about(said, place))
        for named in turn_of(said.message, self.rights.account, self.ctx.clock.now()).mentions:
            shown = self.seen.shown(said.message, named)
            desk.people[shown.casefold()] = named, shown
        return desk

    def _about(self, said: Said, where: Where) -> Turn | None:
        """The message of a person that this one replies to, else the newest that was seen there."""
        quoted = said.message.reply_to_message
        if quoted is not None and author(quoted) is not None and not quoted.forum_topic_created:
            turn = turn_of(quoted, self.rights.account, self.ctx.clock.now())
            if turn.kind is TurnKind.USER:
                return turn
        return self.seen.newest(where.channel, where.conversation)

    async def work(self, desk: CollectedDesk, act: Callable[[], T]) -> T:
        """Do it on the database thread; what Telegram has to be asked for is asked first, and it is begun again."""
        return await work(desk, act, self.hot, self)

    async def look_up(self, desk: CollectedDesk, name: str) -> None:
        """Somebody whom the store knows by that name, if they alone have it and are in this chat now."""
        stored = await self.hot(lambda: self._stored(name))
        here = [(who, shown) for who, shown in stored if await self.rights.is_member(who, desk.where)]
        if len(here) == 1:
            desk.people[name] = here[0]

    async def reaches(self, desk: CollectedDesk) -> bool:
        """Did the person open a private chat with the bot?"""
        assert desk.who.principal is not None, "a person asks"  # noqa: S101
        return await self.voice.sender.reaches(desk.who.principal)

    async def read_back(self, desk: CollectedDesk) -> None:
        """Telegram gives bots no history."""

    def _stored(self, name: str) -> tuple[tuple[Principal, str], ...]:
        with self.ctx.store.read() as tx:
            return tx.places.people_named(PROVIDER, self.rights.account, name, self.ctx.limits.people_named)


def _ask_for_text(words: str) -> tuple[str, Callable[[str], str]]:
    return "text", lambda text: f"add {words} => {text}"
