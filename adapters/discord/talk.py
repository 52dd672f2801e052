"""What people ask for in Discord: commands, the menu of a message, and sentences that make a rule."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import discord

from adapters.base.asking import Asked
from adapters.base.aspirations import aspire_command
from adapters.base.collected import CollectedDesk, work
from adapters.base.rules import Rules, Source
from adapters.base.runner import Runner
from adapters.base.space import settings_command
from adapters.base.timed import Reminders
from adapters.discord.acknowledging import CHOICES, Interaction
from adapters.discord.composing import Wanted
from adapters.discord.history import said_in
from adapters.discord.menus import NOTHING, below_list
from adapters.discord.normalise import turn_of
from adapters.discord.places import PROVIDER, person_of, principal_of, shown_name, where_of
from adapters.discord.rights import Rights, manages
from adapters.discord.seen import Seen
from adapters.discord.voice import Voice
from core.catalogue import say
from core.errors import InvalidInput, NotAllowed
from core.services.aspirations import ListAspirations
from core.services.context import Context
from core.services.privacy import ReadPrivacy
from core.services.read_intents import ListIntents
from core.services.timed import ListTimed
from core.settings import Setting
from core.standing.intent import Draft
from core.standing.preview import Past
from core.standing.sentences import Kind, Sentence
from core.standing.typed import Add
from core.turn import Principal, Turn, Visibility, Where
from core.wording.lines import Line, Mood, line, lines
from core.wording.privacy import privacy_lines

BY_THE_CLOCK = frozenset({Kind.CLOCK_TIME, Kind.FOR_OTHER})
_PERSON = re.compile(r"<@!?([0-9]{1,20})>")
NAMED = 5
Named = discord.Thread | discord.TextChannel | discord.VoiceChannel | discord.ForumChannel
T = TypeVar("T")


class Talk:
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
        self.ctx = ctx
        self.hot = hot
        self.client = client
        self.voice = voice
        self.rights = rights
        self.seen = seen
        self.changed = changed

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
                direct = desk.where.visibility is Visibility.DIRECT
                await self.voice.tell(interaction, lines("discord.start" if direct else "discord.help"))

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
        await self.work(desk, lambda: settings_command(desk, rest))
        desk.lines = [_with_role(one, interaction.guild) for one in desk.lines]
        await self.voice.answer(interaction, desk, None)

    async def do(self, interaction: Interaction, wanted: Wanted, said: str) -> None:
        """Carry out `/intent`. Raises what the services raise, and SendFailed."""
        desk = await self.desk(interaction)
        rules = Rules(desk)
        asked = await self.work(desk, lambda: rules.do(wanted, said))
        below = NOTHING if rules.listed is None else below_list(*rules.listed)
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
        found = await self.hot(lambda: self._handles(desk, kind, wanted))
        return [pair for pair in found if wanted in pair[0].casefold()][:CHOICES]

    def _handles(self, desk: CollectedDesk, kind: str, typed: str) -> list[tuple[str, str]]:
        ctx, who, where = self.ctx, desk.actor(), desk.where
        if kind == "b":
            return [(name, name) for _, name in self.seen.robots(where).values()]
        if kind == "r":
            timed = ListTimed(ctx)(who, where, size=ctx.limits.reminders_per_person)
            return [(f"{row.handle} {row.text}", row.handle) for row in timed.rows]
        if kind == "m":
            listed = ListAspirations(ctx)(who, where)
            return [(f"{item.handle} {item.text}", item.handle) for item in listed.rows if item.handle]
        rows = ListIntents(ctx)(who, where, size=CHOICES).rows
        if typed:
            rows += ListIntents(ctx)(who, where, text=typed, size=CHOICES).rows
        return list(dict.fromkeys((f"{row.handle} {row.description}", row.handle) for row in rows))

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
        last = self.seen.newest(where.channel, where.conversation)
        return CollectedDesk(
            self.ctx,
            where,
            who,
            self._robots(where),
            last=last,
            places=lambda: self._places(where, interaction.user),
            forums=lambda: self._places(where, interaction.user, forums=True),
            keeps_history=True,
        )

    async def desk_elsewhere(self, interaction: Interaction, where: Where) -> CollectedDesk:
        """A desk at a place other than where somebody pressed: their rights there are asked for."""
        if where.conversation == self.place(interaction).conversation:
            return await self.desk(interaction)
        who = await self.rights.actor(interaction.user, where)
        return CollectedDesk(self.ctx, where, who, self._robots(where), keeps_history=True)

    async def desk_at(self, message: discord.Message, turn: Turn) -> CollectedDesk:
        """A desk for one sentence, with the people that it names."""
        where, who = turn.where, await self.rights.saying(message.author, turn.where)
        people = self._robots(where)
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
            keeps_history=True,
        )

    def _answered(self, message: discord.Message) -> Turn | None:
        """The message that this one replies to."""
        quoted = message.reference.resolved if message.reference is not None else None
        if not isinstance(quoted, discord.Message):
            return None
        return turn_of(quoted, self.rights.account, self.ctx.clock.now())

    def _robots(self, where: Where) -> dict[str, tuple[Principal, str]]:
        return dict(self.seen.robots(where))

    def _places(self, where: Where, user: discord.abc.User, *, forums: bool = False) -> Mapping[str, Where]:
        """The channels, or the `forums`, that both the person and the bot can see, by lower-case name and by id."""
        guild = self.client.get_guild(int(where.space)) if where.visibility is not Visibility.DIRECT else None
        if guild is None:
            return {}
        member = user if isinstance(user, discord.Member) else guild.get_member(user.id)
        channels: list[Named] = [*guild.threads, *guild.text_channels, *guild.voice_channels]
        if forums:
            channels = [*guild.forums]
        found = {}
        for channel in channels:
            there = where_of(channel, self.rights.account)
            if there is None or not channel.permissions_for(guild.me).view_channel:
                continue
            public = there.visibility is Visibility.PUBLIC
            if not (public if member is None else channel.permissions_for(member).view_channel):
                continue
            found[channel.name.casefold()] = found[f"<#{channel.id}>"] = there
        return found

    async def work(self, desk: CollectedDesk, act: Callable[[], T]) -> T:
        """Do it on the database thread; what Discord has to be asked for is asked first, and it is begun again."""
        return await work(desk, act, self.hot, self)

    async def look_up(self, desk: CollectedDesk, name: str) -> None:
        """Somebody of the server: by the mention that Discord put in, by name, or by the name that the store knows."""
        guild = self.client.get_guild(int(desk.where.space)) if desk.where.visibility is not Visibility.DIRECT else None
        mentioned = _PERSON.fullmatch(name)
        if mentioned is not None:
            await self._look_up_id(desk, name, int(mentioned[1]), guild)
            return
        found = [] if guild is None else await _named(guild, name)
        same = [one for one in found if name in {one.name.casefold(), one.display_name.casefold()}]
        if len(same) == 1:
            desk.people[name] = person_of(same[0], self.rights.account), shown_name(same[0])
            return
        stored = await self.hot(lambda: self._stored(name))
        here = [(who, shown) for who, shown in stored if await self.rights.is_member(who, desk.where)]
        if len(here) == 1 and not same:
            desk.people[name] = here[0]

    async def _look_up_id(self, desk: CollectedDesk, name: str, id_: int, guild: discord.Guild | None) -> None:
        if guild is None:
            return
        try:
            member = guild.get_member(id_) or await guild.fetch_member(id_)
        except discord.HTTPException:
            return
        desk.people[name] = person_of(member, self.rights.account), shown_name(member)

    def _stored(self, name: str) -> tuple[tuple[Principal, str], ...]:
        with self.ctx.store.read() as tx:
            return tx.places.people_named(PROVIDER, self.rights.account, name, self.ctx.limits.people_named)

    async def reaches(self, desk: CollectedDesk) -> bool:
        """Can the person be written to?"""
        assert desk.who.principal is not None, "a person asks"  # noqa: S101
        return await self.voice.sender.reaches(desk.who.principal)

    async def read_back(self, desk: CollectedDesk) -> Sequence[Turn] | None:
        """What was said at the desk's place; None where the person may not read it."""
        assert desk.who.principal is not None, "a person asks"  # noqa: S101
        if not await self.rights.may_read(desk.who.principal, desk.where):
            return None
        limit, now = self.ctx.limits.preview_messages, self.ctx.clock.now()
        found = await said_in(self.client, desk.where, limit, self.rights.account, now)
        if found is None:
            return None
        return Past((turn for turn in found if turn.message_id != desk.asking), more=found.more)


def _with_role(found: Line, guild: discord.Guild | None) -> Line:
    """The line with the name of a role in place of its id."""
    names = {str(role.id): f"@{role.name}" for role in guild.roles} if guild is not None else {}
    return replace(found, segments=tuple(replace(one, text=names.get(one.text, one.text)) for one in found.segments))


async def _named(guild: discord.Guild, name: str) -> list[discord.Member]:
    """Members whose names begin like that, as far as Discord tells."""
    try:
        return await guild.query_members(name, limit=NAMED)
    except (TimeoutError, discord.DiscordException, ValueError):
        return []
