"""Making and keeping rules by chat: plain sentences, `/intent`, and the questions in between."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import tzinfo

from adapters.base.asking import Asked
from adapters.base.confirming import confirm_command
from adapters.base.desk import Desk
from adapters.base.ends import cancel_all_command, keep_command
from adapters.base.looking import history_command, preview_below, preview_command, trial_command
from adapters.base.naming import change_of, draft_of, said_places, watching
from adapters.base.quiet import mute_command, muted_here
from core.catalogue import say
from core.errors import InvalidInput, NotFound
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.create_intent import CreateIntent, Proposal, ProposeIntent
from core.services.explain_turn import ExplainTurn, Explanation
from core.services.read_intents import ListIntents, Page, ShowIntent
from core.standing import commands, typed
from core.standing.durations import parse_moment
from core.standing.events import Who
from core.standing.intent import LIVE, ChannelScope, Deliver, Draft, Fire
from core.standing.saidlimits import Unread
from core.standing.sentences import Kind, Sentence
from core.turn import Turn
from core.wording.lines import Line, Mood, line
from core.wording.readback import TYPED, Choice, Heard, Question, changed, comma_question, read_back
from core.wording.shown import (
    Clockface,
    explanation_lines,
    has_fired,
    hidden_line,
    page_lines,
    status_words,
    view_lines,
)
from core.wording.words import channel_words, closed

SHOWN = 80


@dataclass(frozen=True, slots=True)
class Source:
    """The message that asks for a rule: kept as its evidence once the rule is made."""

    message_id: str
    text: str


class Rules:
    """Everything about standing intents that a person types."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.listed: tuple[typed.Listing, Page] | None = None
        """What was listed last, for the buttons that turn its pages."""

    def _face(self) -> Clockface:
        return Clockface(self._desk.now(), self._desk.zone)

    def _ask(self, question: Question, answer: Callable[[Choice], Asked | None]) -> Asked:
        self._desk.ask(question)
        return Asked(question, answer)

    # making

    def sentence(self, found: Sentence, said: Source) -> Asked | None:
        """A plain sentence that was understood as a rule: read it back."""
        if found.kind is not Kind.RULE:
            raise InvalidInput(say(f"sentence.{found.kind}", name=found.name), say(f"sentence.{found.kind}.hint"))
        self._check_place(found)
        draft = self._draft(found, found.triggers)
        if found.either:
            return self._ask(
                comma_question(found.triggers, found.either),
                lambda choice: self._commas(found, choice, said),
            )
        return self._propose(draft, said, _heard(found))

    def _check_place(self, found: Sentence) -> None:
        where = self._desk.where
        if found.place and found.place.casefold() not in {where.channel, where.channel_name.casefold()}:
            raise InvalidInput(
                say("sentence.place", here=channel_words(where)), say("sentence.place.hint", name=found.place)
            )

    def _draft(self, found: Sentence, triggers: tuple[str, ...]) -> Draft:
        draft = Draft(
            "\n".join(triggers),
            found.description,
            channel_scope=found.scope or ChannelScope.CHANNEL,
            anyone=found.who is Who.ANYONE,
        )
        if found.limits.times:
            draft = replace(draft, max_fires=found.limits.times)
        if found.limits.until:
            draft = replace(draft, expires_at=parse_moment(found.limits.until, self._desk.zone))
        if found.limits.cooldown is not None:
            per = found.limits.per or draft.cooldown_per
            draft = replace(draft, cooldown=found.limits.cooldown, cooldown_per=per)
        draft = said_places(self._desk, draft, found.except_in, found.delivery)
        return watching(self._desk, draft, found.name) if found.who is Who.NAMED else draft

    def _commas(self, found: Sentence, choice: Choice, said: Source) -> Asked | None:
        if choice is Choice.NO:
            return self._not_saved()
        triggers = found.either if choice is Choice.EITHER else found.triggers
        return self._propose(self._draft(found, triggers), said, _heard(found))

    def _propose(self, draft: Draft, said: Source, heard: Heard = TYPED) -> Asked:
        desk = self._desk
        proposal = ProposeIntent(desk.ctx)(draft, desk.actor(), desk.where)
        question = read_back(proposal, desk.zone, heard)
        question = replace(question, lines=(*question.lines, *preview_below(desk, draft), *self._unreached(proposal)))
        return self._ask(question, lambda choice: self._proposed(draft, choice, said, heard))

    def _unreached(self, proposal: Proposal) -> list[Line]:
        """A warning where reminders are to come by direct message and cannot."""
        told = proposal.draft.deliver is Deliver.DIRECT and self._desk.unreached()
        return [line("reach.no_chat", Mood.WARNING)] if told else []

    def _proposed(self, draft: Draft, choice: Choice, said: Source, heard: Heard) -> Asked | None:
        if choice is Choice.NO:
            return self._not_saved()
        if choice is not Choice.YES:
            return self._propose(changed(draft, choice), said, replace(heard, named_nobody=False))
        desk = self._desk
        words = said.text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
        made = CreateIntent(desk.ctx)(draft, desk.actor(), desk.where, said.message_id, words)
        desk.private(line("rule.saved", Mood.GOOD, handle=made.handle))
        return None

    def _not_saved(self) -> Asked | None:
        self._desk.private(line("rule.not_saved", Mood.FAINT))
        return None

    # `/intent`

    def command(self, text: str) -> Asked | None:
        """What stands behind `/intent`. Whoever may not see a rule reads the same as when there is none."""
        return self.do(lambda zone: commands.parse_intent_command(text, zone), f"/intent {text}")

    def do(self, wanted: Callable[[tzinfo], typed.IntentCommand], said: str) -> Asked | None:
        """The same for a command whose parts were given apart; `said` is how it would have been typed."""
        actor = self._desk.actor()
        try:
            return self._do(wanted(self._desk.zone), said)
        except NotFound as error:
            if actor.is_owner or actor.is_operator:
                raise
            raise NotFound(error.sentence, say("intent.unknown.member.hint"), **error.details) from None

    def _do(self, wanted: typed.IntentCommand, said: str) -> Asked | None:
        desk = self._desk
        match wanted:
            case typed.Add() as add:
                return self._propose(draft_of(desk, add), Source(desk.ctx.ids.uuid(), said))
            case typed.Listing() as wanted:
                self.show_list(wanted)
            case typed.Edit(handle) as edit:
                return self._theirs(handle, "edit", lambda: self._edit(handle, edit))
            case typed.One("pause", handle):
                return self._theirs(handle, "pause", lambda: self._one("pause", handle))
            case typed.One("cancel", handle):
                return self._cancel(handle)
            case typed.One("confirm", handle):
                return self._ask(*confirm_command(desk, handle))
            case typed.CancelAll(person):
                return self._cancel_all(person)
            case typed.One("keep", handle):
                keep_command(desk, handle)
            case typed.One("test", handle):
                trial_command(desk, handle)
            case typed.One(verb, handle):
                self._one(verb, handle)
            case typed.Why(handle, words):
                self._why(handle, words)
            case typed.Preview(handle, None):
                preview_command(desk, handle)
            case typed.Preview(_, typed.Add() as add):
                preview_command(desk, draft_of(desk, add))
            case typed.History() as wanted:
                history_command(desk, wanted)
            case typed.Mute() as wanted:
                mute_command(desk, wanted)
        return None

    def show_list(self, wanted: typed.Listing) -> None:
        """A page of what the asker may see here."""
        desk = self._desk
        page = ListIntents(self._desk.ctx)(desk.actor(), desk.where, wanted.page, wanted.statuses, wanted.text)
        self.listed = wanted, page
        self._desk.private(*page_lines(page, self._face()))
        if wanted.statuses:
            hidden = ListIntents(self._desk.ctx)(desk.actor(), desk.where, text=wanted.text).total - page.total
            if hidden > 0:
                self._desk.private(hidden_line(hidden, wanted.text))
        self._desk.private(*muted_here(self._desk))
        self._tell_members(page.total)

    def _tell_members(self, count: int) -> None:
        """Nothing to see, for somebody who may not see much."""
        actor = self._desk.actor()
        if not count and not (actor.is_owner or actor.is_operator):
            self._desk.private(line("intent.unknown.member.hint", Mood.FAINT))

    def _show(self, handle: str, *before: Line) -> None:
        desk = self._desk
        view = ShowIntent(self._desk.ctx)(handle, desk.actor(), desk.where)
        self._desk.private(*before, *view_lines(view, self._face()))

    def _one(self, verb: str, handle: str) -> None:
        desk, actor, where = self._desk, self._desk.actor(), self._desk.where
        if verb == "show":
            self._show(handle)
        elif verb == "pause":
            row = PauseIntent(desk.ctx)(handle, actor, where)
            desk.private(line("rule.paused", Mood.GOOD, handle=row.handle))
        else:
            row = ResumeIntent(desk.ctx)(handle, actor, where)
            desk.private(line("rule.resumed", Mood.GOOD, handle=row.handle, status=status_words(row)))

    def _edit(self, handle: str, edit: typed.Edit) -> None:
        desk = self._desk
        EditIntent(desk.ctx)(handle, change_of(desk, edit), desk.actor(), desk.where)
        self._show(handle, line("rule.changed", Mood.GOOD, handle=handle))

    def _theirs(self, handle: str, verb: str, act: Callable[[], None]) -> Asked | None:
        """Do it to one's own rule; ask first, naming owner and text, where it is somebody else's."""
        desk = self._desk
        row = ShowIntent(self._desk.ctx)(handle, desk.actor(), desk.where).intent
        if row.creator == desk.actor().principal or row.status not in LIVE:
            act()
            return None
        text = closed(row.description)
        ask = line(f"console.{verb}.theirs", Mood.HEAD, handle=row.handle, name=row.creator_name, text=text)

        def answer(choice: Choice) -> Asked | None:
            if choice is Choice.NO:
                self._desk.private(line("rule.not_changed", Mood.FAINT))
            else:
                act()
            return None

        return self._ask(Question((ask,), (Choice.CHANGE, Choice.NO)), answer)

    def _cancel(self, handle: str) -> Asked | None:
        desk = self._desk
        row = ShowIntent(self._desk.ctx)(handle, desk.actor(), desk.where).intent
        if row.creator == desk.actor().principal:
            return self._cancelled(handle, Choice.YES)
        text = closed(row.description)
        ask = line("console.cancel.theirs", Mood.HEAD, handle=row.handle, name=row.creator_name, text=text)
        question = Question((ask,), (Choice.CANCEL, Choice.NO))
        return self._ask(question, lambda choice: self._cancelled(handle, choice))

    def _cancelled(self, handle: str, choice: Choice) -> Asked | None:
        desk = self._desk
        if choice is Choice.NO:
            desk.private(line("rule.not_cancelled", Mood.FAINT))
            return None
        row = CancelIntent(desk.ctx)(handle, desk.actor(), desk.where)
        desk.private(line("rule.cancelled", Mood.GOOD, handle=row.handle))
        return None

    def _cancel_all(self, person: str) -> Asked | None:
        found = cancel_all_command(self._desk, person)
        return None if found is None else self._ask(*found)

    def _why(self, handle: str, words: str) -> None:
        desk = self._desk
        turn = desk.turn(words) if words else desk.newest()
        if turn is None:
            raise InvalidInput(say("why.no_message"), say("why.no_message.hint"))
        found = ExplainTurn(desk.ctx)(turn, desk.actor(), desk.where, handle or None)
        about = line("why.about", Mood.HEAD, text=_shown(turn.text.text), name=turn.sender_name)
        link = [line("history.row.link", Mood.FAINT, link=turn.link)] if turn.link else []
        fired = {one.intent.handle: fire for one in found.intents if has_fired(one) and (fire := self._fire(one, turn))}
        desk.private(about, *link, *explanation_lines(found, self._face(), fired))
        self._tell_members(len(found.intents))

    def _fire(self, one: Explanation, turn: Turn) -> Fire | None:
        """What this message fired, among the newest reminders of the rule."""
        desk = self._desk
        view = ShowIntent(self._desk.ctx)(one.intent.handle, desk.actor(), desk.where)
        return next((fire for fire in view.fires if fire.message_id == turn.message_id), None)


def _shown(said: str) -> str:
    """The beginning of a message, on one line."""
    words = " ".join(said.split())
    return words if len(words) <= SHOWN else f"{words[: SHOWN - 1]}…"


def _heard(found: Sentence) -> Heard:
    unread = found.limits.unread
    if found.limits.times:
        unread = tuple(pair for pair in unread if pair[0] is not Unread.EVERY_TIME)
    return Heard(found.named_nobody, found.for_all, unread)
