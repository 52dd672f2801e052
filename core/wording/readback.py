"""The read-back of a proposal before it is saved. Pure; design 01, section 8.

It leads with what surprises, says who, what and where in words, and echoes every default with its full time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from enum import StrEnum

from core.catalogue import say
from core.services.create_intent import Proposal
from core.standing.durations import show_moment
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Draft, Priority
from core.standing.saidlimits import Unread
from core.standing.triggers import Entry, Term
from core.text.commonwords import STOP_WORDS, family, rank
from core.turn import MACHINES, Visibility, Where, machine_kind
from core.wording.lines import Line, Mood, line
from core.wording.words import (
    budget_line,
    channel_words,
    closed,
    entry_note,
    listed,
    per_words,
    place_words,
    scope_words,
)


class Choice(StrEnum):
    """What the owner can answer; adapters show `label` as a button or a number."""

    YES = "yes"
    ANYONE = "anyone"
    ONLY_ME = "only_me"
    EXACT = "exact"
    TOGETHER = "together"
    EITHER = "either"
    CANCEL = "cancel"
    CHANGE = "change"
    NO = "no"

    @property
    def label(self) -> str:
        """The words on the button."""
        return say(f"choice.{self.value}")


@dataclass(frozen=True, slots=True)
class Question:
    """Lines to show, and what can be answered, in order."""

    lines: tuple[Line, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What the read-back says of the sentence itself.

    `named_nobody`: anyone is an assumption ("when X comes up"). `for_all`: it said "remind us". `unread` are words
    that looked like limits and were not taken as such.
    """

    named_nobody: bool = False
    for_all: bool = False
    unread: tuple[tuple[Unread, str], ...] = ()


TYPED = Heard()


def read_back(proposal: Proposal, zone: tzinfo, heard: Heard = TYPED) -> Question:
    """The proposal in words, and what can be answered."""
    draft = proposal.draft
    forms = draft.word_forms and any(_has_forms(term) for entry in proposal.entries for term in entry.terms)
    lines = [
        _who(proposal, heard.named_nobody),
        *_what(proposal),
        *_where(proposal),
        line("readback.reminder", text=closed(proposal.description)),
        line("readback.for.all" if heard.for_all else "readback.for", name=_creator(proposal)),
        *([_forms(proposal)] if forms else []),
        _budget(proposal, zone),
        *_per(draft),
        *_extras(draft),
        *(line("readback.warning", Mood.WARNING, text=text) for text in _warnings(proposal, zone, heard)),
    ]
    return Question(tuple(lines), _choices(draft, forms))


def _creator(proposal: Proposal) -> str:
    return proposal.creator_name or proposal.creator.user_id


def _has_forms(term: Term) -> bool:
    """Does it make a difference whether word forms count?"""
    return any(reading.probes(True) != reading.probes(False) for reading in term.readings)


def _forms(proposal: Proposal) -> Line:
    also = listed(word for _, words in proposal.also for word in words)
    return line("readback.forms.known", words=also) if also else line("readback.forms")


def _warnings(proposal: Proposal, zone: tzinfo, heard: Heard) -> Iterator[str]:
    for entry in proposal.entries:
        word = _rarest_stop_word(entry)
        if word:
            yield say("readback.common", word=word)
    yield from _idle_exceptions(proposal)
    for kind, text in heard.unread:
        yield say(f"readback.unread.{kind}", text=text, limits=_budget(proposal, zone).text)
    yield from proposal.warnings


def _idle_exceptions(proposal: Proposal) -> Iterator[str]:
    """Exceptions that change nothing, and one that leaves nothing."""
    where, draft = proposal.where, proposal.draft
    if draft.channel_scope not in {ChannelScope.CHANNEL, ChannelScope.CONVERSATION}:
        return
    outside = [named for named in draft.except_in if named.channel != where.channel]
    if outside:
        yield say("readback.except.idle", places=_places(outside), scope=scope_words(draft.channel_scope, where))
    if any(named.conversation == where.channel == named.channel for named in draft.except_in):
        yield say("readback.except.all", place=channel_words(where))


def _places(named: Iterable[Where]) -> str:
    return listed(map(place_words, named))


def _rarest_stop_word(entry: Entry) -> str:
    """The rarest word of an entry when even that one stands in nearly every message; "" otherwise."""
    ranked = [(_rank(term, entry), term.text.strip('"')) for term in entry.terms]
    if not ranked:
        return ""
    place, word = max(ranked)
    return word if place <= STOP_WORDS else ""


def _rank(term: Term, entry: Entry) -> int:
    """How common a term is, its word forms included: a small number is a common one."""
    forms, places = entry.options.word_forms, [STOP_WORDS + 1]
    for probes in (reading.probes(forms) for reading in term.readings):
        if len(probes) == 1:  # a phrase of common words is not common itself
            [probe] = probes
            mates = family(probe.key, entry.language)[:1] if probe.key != probe.word else ()
            found = (rank(word, entry.language) for word in (probe.word, *mates))
            places.extend(place for place in found if place is not None)
    return min(places)


def _who(proposal: Proposal, assumed: bool) -> Line:
    draft = proposal.draft
    if draft.anyone:
        return line("readback.who.assumed" if assumed else "readback.who.anyone", Mood.HEAD)
    if draft.sender is None or draft.sender == proposal.creator:
        return line("readback.who.me", Mood.HEAD)
    kind, name = machine_kind(draft.sender), draft.sender_name or draft.sender.user_id
    if kind is not None:
        return line(f"readback.who.{kind}", Mood.HEAD, name=name.removeprefix(MACHINES[kind]))
    return line("readback.who.named", Mood.HEAD, name=name)


def _what(proposal: Proposal) -> list[Line]:
    entries = [entry.source for entry in proposal.entries]
    if len(entries) == 1:
        return [line("readback.entry", text=entries[0], note=_note(entries[0]))]
    return [
        line("readback.entries"),
        *(line("readback.entries.one", text=entry, note=_note(entry)) for entry in entries),
    ]


def _note(entry: str) -> str:
    note = entry_note(entry)
    return f" ({note})" if note else ""


def _where(proposal: Proposal) -> list[Line]:
    draft = proposal.draft
    lines = [line("readback.where", place=scope_words(draft.channel_scope, proposal.where))]
    if draft.except_in:
        lines.append(line("readback.except", places=_places(draft.except_in)))
    return [*lines, _posting(draft, proposal.where)]


def _posting(draft: Draft, where: Where) -> Line:
    """Where the reminder goes, and who will see it."""
    if where.visibility is Visibility.DIRECT:
        return line("readback.post.direct")
    if draft.deliver is Deliver.DIRECT:
        return line("readback.post.dm")
    if draft.deliver_to is not None and draft.deliver_to.visibility is Visibility.PUBLIC:
        return line("readback.post.elsewhere", place=place_words(draft.deliver_to))
    if where.visibility is Visibility.PRIVATE:
        return line("readback.post.private", place=channel_words(where))
    if draft.channel_scope in {ChannelScope.SPACE, ChannelScope.ANYWHERE}:
        return line("readback.post.there")
    return line("readback.post.public", place=place_words(where))


def _per(draft: Draft) -> list[Line]:
    counted = draft.cooldown_per is not CooldownPer.INTENT and draft.cooldown and draft.max_fires > 1
    return [line("readback.per", per=per_words(draft.cooldown_per))] if counted else []


def _budget(proposal: Proposal, zone: tzinfo) -> Line:
    draft = proposal.draft
    return budget_line(draft.max_fires, draft.cooldown, show_moment(proposal.expires_at, zone))


def _extras(draft: Draft) -> list[Line]:
    lines = []
    if not draft.word_forms:
        lines.append(line("readback.exact"))
    if draft.on_edits:
        lines.append(line("readback.edits"))
    if draft.priority is not Priority.MEDIUM:
        lines.append(line("readback.priority", level=say(f"priority.{draft.priority.name.lower()}")))
    return lines


def _choices(draft: Draft, forms: bool) -> tuple[Choice, ...]:
    choices = [Choice.YES, Choice.ONLY_ME if draft.anyone else Choice.ANYONE]
    if forms:
        choices.append(Choice.EXACT)
    return (*choices, Choice.NO)


def changed(draft: Draft, choice: Choice) -> Draft:
    """The draft as a choice changes it."""
    match choice:
        case Choice.ANYONE:
            return replace(draft, anyone=True, sender=None, sender_name="")
        case Choice.ONLY_ME:
            return replace(draft, anyone=False, sender=None, sender_name="")
        case Choice.EXACT:
            return replace(draft, word_forms=False)
    return draft


def comma_question(together: tuple[str, ...], either: tuple[str, ...]) -> Question:
    """Commas in a trigger: all of it in one message, or any part?"""
    ask = line("readback.commas", Mood.HEAD)
    lines = (
        ask,
        line("readback.commas.together", text=listed(together)),
        line("readback.commas.either", text=" | ".join(either)),
    )
    return Question(lines, (Choice.TOGETHER, Choice.EITHER, Choice.NO))
