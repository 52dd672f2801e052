"""What people ask for in Discord: commands, the menu of a message, and sentences that make a rule."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import discord

from adapters.base.asking import Asked
from adapters.base.aspirations import aspire_command
from adapters.base.collected import CollectedDesk
from adapters.base.goals import Goals
from adapters.base.rules import Rules, Source
from adapters.base.runner import Runner
from adapters.base.space import settings_command
from adapters.base.timed import Reminders
from adapters.discord.acknowledging import CHOICES, Interaction
from adapters.discord.composing import Wanted
from adapters.discord.finding import Finder
from adapters.discord.menus import NOTHING, Below, below_list, below_one
from adapters.discord.normalise import turn_of
from adapters.discord.places import person_of, principal_of, shown_name, where_of
from adapters.discord.rights import Rights, manages
from adapters.discord.seen import Seen
from adapters.discord.voice import Voice
from core.catalogue import say
from core.errors import InvalidInput, NotAllowed
from core.goals.objects import OPEN
from core.goals.typed import GoalCommand, OneGoal
from core.services.answer_goal import OVER
from core.services.aspirations import ListAspirations
from core.services.context import Context
from core.services.privacy import ReadPrivacy
from core.services.read_goals import ListGoals, ShowGoal
from core.services.read_goals import Wanted as WantedGoals
from core.services.read_intents import ListIntents
from core.services.timed import ListTimed
from core.settings import Setting
from core.standing.intent import Draft
from core.standing.sentences import Kind, Sentence
from core.standing.typed import Add, Listing
from core.turn import Principal, Turn, Visibility, Where
from core.wording.lines import Line, Mood, line, lines
from core.wording.privacy import privacy_lines

BY_THE_CLOCK = frozenset({Kind.CLOCK_TIME, Kind.FOR_OTHER})
LOOKED_AT = 100
"""So many rules, the newest, are looked through for what is typed; beyond them by their reminders alone."""
OFFERED_FOR = {
    "show": WantedGoals(everything=True),
    "confirm": WantedGoals(proposals=True),
    "dismiss": WantedGoals(proposals=True),
    "o": WantedGoals(states=tuple(sorted(OVER))),
    "resume": WantedGoals(states=tuple(sorted(OPEN))),
}
"""Which goals are offered while somebody types; for other commands those that are open. `o` is no command."""
LOOKS_BACK = frozenset({"show", "history", "why"})
"""What can be asked of a rule that is over."""


class Talk(Finder):
    """Everything that is asked by words. `changed` is called whenever another due time may count."""

    def __init__(
        self,
        ctx: Context,
        hot: Runner,
        client: discord.Client,
        voice: Voice,
        rights: Rights,
        seen: Seen,
        changed: Callable[[], object],
    ) -> None:
        super().__init__(ctx, hot, client, voice, rights, seen)
        self.changed = changed
        self.review: Callable[[discord.Guild], Awaitable[None]] = _nothing
        """Looks anew at who decides in a server."""

    # commands

    async def command(self, interaction: Interaction, name: str, rest: str) -> None:
        """Carry out `/remind`, `/aspire` or `/remembrancer`. Raises what the services raise, and SendFailed."""
        desk = await self.desk(interaction)
        match name, rest.partition(" ")[0]:
            case "remind", _:
                await self._remind(interaction, desk, rest)
            case "aspire", _:
                await self.work(desk, lambda: aspire_command(desk, rest))
                await self.voice.answer(interaction, desk, None)
            case _, "settings":
                await self._settings(interaction, desk, rest.partition(" ")[2])
            case _, "privacy":
                who = principal_of(interaction.user.id, self.rights.account)
                watched = await self.hot(lambda: ReadPrivacy(self.ctx)(who, desk.where))
                await self.voice.tell(interaction, privacy_lines(watched))
            case _:
                owner = desk.who.is_owner or desk.who.is_operator
                members = "discord.start" if desk.where.visibility is Visibility.DIRECT else "discord.help.member"
                await self.voice.tell(interaction, lines("discord.help" if owner else members))

    async def _remind(self, interaction: Interaction, desk: CollectedDesk, rest: str) -> None:
        reminders = Reminders(desk, self.changed)
        asked = await self.work(desk, lambda: reminders.command(rest, str(interaction.id)))
        below = NOTHING if reminders.listed is None else below_list(*reminders.listed)
        await self.voice.answer(interaction, desk, asked, below)

    async def _settings(self, interaction: Interaction, desk: CollectedDesk, rest: str) -> None:
        """Settings; who else decides is not for those who decide by that themselves."""
        name, _, value = rest.partition(" ")
        if name.casefold() == Setting.OWNER_ROLE and value and not (manages(interaction) or desk.who.is_operator):
            raise NotAllowed(say("discord.owner_role"), say("discord.owner_role.hint"))
        if name.casefold() == Setting.OWNER_ROLE and value:
            _check_role(value, interaction.guild)
        await self.work(desk, lambda: settings_command(desk, rest))
        if name.casefold() == Setting.OWNER_ROLE and value and interaction.guild is not None:
            await self.review(interaction.guild)
        desk.lines = [_with_role(one, interaction.guild) for one in desk.lines]
        await self.voice.answer(interaction, desk, None)

    async def do(self, interaction: Interaction, wanted: Wanted, said: str) -> None:
        """Carry out `/intent`. Raises what the services raise, and SendFailed."""
        desk = await self.desk(interaction)
        rules = Rules(desk)
        asked = await self.work(desk, lambda: rules.do(wanted, said))
        below = NOTHING if rules.listed is None else below_list(*rules.listed)
        await self.voice.answer(interaction, desk, asked, below)

    async def goal(self, interaction: Interaction, wanted: GoalCommand, said: str) -> None:
        """Carry out `/goal`. Raises what the services raise, and SendFailed."""
        desk = await self.desk(interaction)
        goals = Goals(desk, self.changed)

        def act() -> tuple[Asked | None, Below]:
            asked = goals.do(wanted, said, str(interaction.id))
            if asked is None and isinstance(wanted, OneGoal) and wanted.verb == "show":
                return None, below_one(ShowGoal(self.ctx)(wanted.handle, desk.actor(), desk.where))
            return asked, NOTHING if goals.listed is None else below_list(*goals.listed)

        asked, below = await self.work(desk, act)
        await self.voice.answer(interaction, desk, asked, below)

    async def remember(self, interaction: Interaction, message: discord.Message, words: str, text: str) -> None:
        """A rule for anyone who says what this message says. Its words are not kept: they are somebody else's."""
        desk = await self.desk(interaction)
        said = f"/intent add {words} => {text} ({message.jump_url})"
        add = Add(Draft(words, text, anyone=True))
        asked = await self.work(desk, lambda: Rules(desk).do(lambda _: add, said))
        await self.voice.answer(interaction, desk, asked)

    async def handles(self, interaction: Interaction, kind: str, typed: str) -> Sequence[tuple[str, str]]:
        """What can be named here, as a label and a handle."""
        desk = await self.desk(interaction)
        wanted = typed.casefold().strip()
        command = interaction.command
        if kind in {"g", "o"}:
            verb = kind if kind == "o" else "" if command is None else command.name
            found = await self.hot(lambda: self._goals(desk, verb, wanted))
        else:
            ended = command is None or command.name in LOOKS_BACK
            found = await self.hot(lambda: self._handles(desk, kind, wanted, ended))
        return [(label, handle) for label, handle, words in found if wanted in words.casefold()][:CHOICES]

    def _handles(self, desk: CollectedDesk, kind: str, typed: str, ended: bool) -> list[tuple[str, str, str]]:
        """Label, handle, and in which words what is typed is looked for; with `ended` what is over, too."""
        ctx, who, where = self.ctx, desk.actor(), desk.where
        if kind == "b":
            return [(f"{name} · {who.user_id}", who.user_id, name) for who, name in self.seen.robots(where).items()]
        if kind == "r":
            timed = ListTimed(ctx)(who, where, size=ctx.limits.reminders_per_person)
            return [(label := f"{row.handle} {row.text}", row.handle, label) for row in timed.rows]
        if kind == "m":
            listed = ListAspirations(ctx)(who, where)
            return [(label := f"{item.handle} {item.text}", item.handle, label) for item in listed.rows if item.handle]
        statuses = () if ended else Listing().statuses
        rows = ListIntents(ctx)(who, where, statuses=statuses, size=LOOKED_AT).rows
        if typed:
            rows += ListIntents(ctx)(who, where, statuses=statuses, text=typed, size=CHOICES).rows
        named = ((f"{row.handle} {row.description}", row.handle, row.entries) for row in rows)
        return list(dict.fromkeys((label, handle, f"{label} {' '.join(words)}") for label, handle, words in named))

    def _goals(self, desk: CollectedDesk, verb: str, typed: str) -> list[tuple[str, str, str]]:
        """The same of goals: those that the command can be about."""
        who, where, wanted = desk.actor(), desk.where, OFFERED_FOR.get(verb, WantedGoals())
        rows = ListGoals(self.ctx)(who, where, wanted, size=LOOKED_AT).rows
        if typed:
            rows += ListGoals(self.ctx)(who, where, replace(wanted, text=typed), size=CHOICES).rows
        labels = ((f"{row.handle} {row.value}", row.handle) for row in rows)
        return list(dict.fromkeys((label, handle, label) for label, handle in labels))

    # sentences

    async def sentence(self, message: discord.Message, turn: Turn, found: Sentence) -> None:
        """A plain sentence that asks for a rule, or for a reminder by the clock."""

        async def act() -> None:
            desk = await self.desk_at(message, turn)
            text, message_id = turn.text.text, turn.message_id
            asked: Asked | None
            if found.kind in BY_THE_CLOCK:
                reminders = Reminders(desk, self.changed)
                asked = await self.work(desk, lambda: reminders.sentence(found, text, message_id))
            else:
                source = Source(message_id, text)
                asked = await self.work(desk, lambda: Rules(desk).sentence(found, source))
            await self.voice.reply_asked(message, desk, asked)

        await self.voice.guarded(message, self.rights.account, act)

    async def named(self, message: discord.Message, where: Where) -> None:
        """Somebody says the bot's name and nothing more."""

        async def act() -> None:
            await self.voice.reply(message, where, *lines("discord.named"))

        await self.voice.guarded(message, self.rights.account, act)

    async def greet(self, message: discord.Message, where: Where) -> None:
        """What can be asked for in a direct message."""

        async def act() -> None:
            await self.voice.reply(message, where, *lines("discord.start"))

        await self.voice.guarded(message, self.rights.account, act)

    async def nobody(self, message: discord.Message, where: Where) -> None:
        """A rule needs a person who made it."""

        async def act() -> None:
            await self.voice.reply(message, where, line("discord.anonymous", Mood.WARNING))

        await self.voice.guarded(message, self.rights.account, act)

    # one act

    def place(self, interaction: Interaction) -> Where:
        """Where somebody acts. Raises InvalidInput where Discord does not tell."""
        where = where_of(interaction.channel, self.rights.account)
        if where is None:
            raise InvalidInput(say("discord.no_place"), say("discord.no_place.hint"))
        return where

    async def desk(self, interaction: Interaction) -> CollectedDesk:
        """A desk for one act, with the rights that Discord tells of with it. Raises InvalidInput."""
        where = self.place(interaction)
        who = await self.rights.asking(interaction, where)
        reads = where.visibility is Visibility.DIRECT or interaction.permissions.read_message_history
        last = self.seen.newest(where.channel, where.conversation) if reads else None
        return CollectedDesk(
            self.ctx,
            where,
            who,
            last=last,
            places=lambda: self._places(where, interaction.user),
            forums=lambda: self._places(where, interaction.user, forums=True),
            silent=lambda there: self._silent(there, interaction.user),
            keeps_history=True,
        )

    async def desk_elsewhere(self, interaction: Interaction, where: Where) -> CollectedDesk:
        """A desk at a place other than where somebody pressed: their rights there are asked for."""
        if where.conversation == self.place(interaction).conversation:
            return await self.desk(interaction)
        who = await self.rights.actor(interaction.user, where)
        return CollectedDesk(self.ctx, where, who, keeps_history=True)

    async def desk_at(self, message: discord.Message, turn: Turn) -> CollectedDesk:
        """A desk for one sentence, with the people that it names."""
        where, who = turn.where, await self.rights.saying(message.author, turn.where)
        people: dict[str, tuple[Principal, str]] = {}
        for user in message.mentions:
            people[shown_name(user).casefold()] = person_of(user, self.rights.account), shown_name(user)
        last = self.seen.newest(where.channel, where.conversation)
        return CollectedDesk(
            self.ctx,
            where,
            who,
            people,
            last=self._answered(message) or last,
            asking=turn.message_id,
            places=lambda: self._places(where, message.author),
            forums=lambda: self._places(where, message.author, forums=True),
            silent=lambda there: self._silent(there, message.author),
            keeps_history=True,
        )

    def _answered(self, message: discord.Message) -> Turn | None:
        """The message that this one replies to."""
        quoted = message.reference.resolved if message.reference is not None else None
        if not isinstance(quoted, discord.Message):
            return None
        return turn_of(quoted, self.rights.account, self.ctx.clock.now())


def _check_role(value: str, guild: discord.Guild | None) -> None:
    """A role of this server that not everybody has. Raises InvalidInput."""
    id_ = "".join(filter(str.isdecimal, value)) if value.startswith("<") or value.isdecimal() else ""
    role = guild.get_role(int(id_)) if id_ and guild is not None else None
    if id_ and (role is None or role.is_default()):
        raise InvalidInput(say("setting.owner_role", value=value[:32]), say("setting.owner_role.hint"))


def _with_role(found: Line, guild: discord.Guild | None) -> Line:
    """The line with the name of a role in place of its id."""
    names = {str(role.id): f"@{role.name}" for role in guild.roles} if guild is not None else {}
    return replace(found, segments=tuple(replace(one, text=names.get(one.text, one.text)) for one in found.segments))


async def _nothing(_guild: discord.Guild) -> None:
    """Nobody looks."""
