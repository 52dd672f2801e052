"""How entries, people, places and figures of a standing intent are put into words. Pure."""

from collections.abc import Iterable
from datetime import timedelta

from core.catalogue import say
from core.services.read_intents import NamedPlace
from core.standing.durations import Moment, show_duration
from core.standing.grammar import RawTerm, read_entries
from core.standing.intent import ChannelScope, CooldownPer
from core.standing.phrases import words_of
from core.text.scripts import PLAIN_SIGNS, look_alike_scripts
from core.turn import MACHINES, TurnKind, Visibility, Where
from core.wording.lines import Line, line

_PLAIN = "".join(PLAIN_SIGNS) + "–—"
_ENDS = frozenset(".!?…。！？؟।:;)]}\"'”»")


def entry_note(entry: str) -> str:
    """What an entry asks for, in words: `both words, in any order`; "" for a single word."""
    read = next(read_entries(entry), None)
    terms = () if read is None else read.terms
    included = [term for term in terms if not term.excluded and _says(term)]
    excluded = [term.typed for term in terms if term.excluded]
    notes = []
    if len(included) == 1 and included[0].quoted:
        notes.append(say("entry.phrase"))
    elif len(included) == 2:
        notes.append(say("entry.both"))
    elif len(included) > 2:
        notes.append(say("entry.all", count=len(included)))
    if excluded:
        notes.append(say("entry.unless", words=", ".join(excluded)))
    return ", ".join(notes)


def _says(term: RawTerm) -> bool:
    """Whether there is anything to match in it: a dash alone is no word."""
    return bool(term.text.strip(_PLAIN))


def entry_words(entry: str) -> str:
    """The entry as typed, with its note in brackets."""
    note = entry_note(entry)
    return f"{entry} ({note})" if note else entry


def look_alike_warnings(entries: Iterable[str]) -> list[str]:
    """One warning for each word of these entries that mixes letters which look alike."""
    words = (word for entry in entries for term in words_of(entry) for word in term.inner.lstrip("-–—").split())
    found = {word: scripts for word in words if (scripts := look_alike_scripts(word))}
    return [say("trigger.warning.look_alike", word=word, scripts=listed(scripts)) for word, scripts in found.items()]


def named_words(place: NamedPlace) -> str:
    """Another place that a rule names: `#ops`, `the thread rollout in #ops`."""
    channel = say("place.channel", name=place.channel)
    return say("place.thread", name=place.thread, channel=channel) if place.thread else channel


def machine_words(kind: TurnKind, name: str) -> str:
    """A bot or a webhook by its name, or by the platform's id of it: `the webhook CI`."""
    return say(f"show.{kind}", name=name.removeprefix(MACHINES[kind]))


def per_words(per: CooldownPer) -> str:
    """What the quiet time is counted by; "" where it is the rule as a whole."""
    return "" if per is CooldownPer.INTENT else say(f"per.{per}")


def channel_words(where: Where) -> str:
    """`#ops`, `the private channel #secret`, `this direct message`."""
    if where.visibility is Visibility.DIRECT:
        return say("place.direct")
    key = "place.private" if where.visibility is Visibility.PRIVATE else "place.channel"
    return say(key, name=where.channel_name or where.channel)


def place_words(where: Where) -> str:
    """The conversation: a thread with its channel, or the channel itself."""
    if where.conversation in {where.channel, ""} or where.visibility is Visibility.DIRECT:
        return channel_words(where)
    return say("place.thread", name=where.conversation_name or where.conversation, channel=channel_words(where))


def scope_words(scope: ChannelScope, where: Where) -> str:
    """Where an intent listens, as seen from where it is made."""
    if where.visibility is Visibility.DIRECT and scope is not ChannelScope.ANYWHERE:
        return say("scope.direct")
    if scope is ChannelScope.CHANNEL or (scope is ChannelScope.SPACE and where.visibility is not Visibility.PUBLIC):
        return say("scope.channel", place=channel_words(where))
    if scope is ChannelScope.CONVERSATION:
        return say("scope.conversation", place=place_words(where))
    return say(f"scope.{scope}")


def budget_line(max_fires: int, cooldown: timedelta, until: Moment) -> Line:
    """`3 reminders at most, quiet for 24 h after each, until Mon 1 Mar 2027 10:00 UTC.`"""
    if max_fires == 1:
        return line("budget.once", until=until)
    if not cooldown:
        return line("budget.loud", count=max_fires, until=until)
    return line("budget.many", count=max_fires, quiet=show_duration(cooldown), until=until)


def here_words(where: Where) -> str:
    """Where somebody is now, said to them."""
    return say("place.where.direct") if where.visibility is Visibility.DIRECT else place_words(where)


def closed(text: str) -> str:
    """As a sentence: a capital letter, and a full stop unless it ends in a mark or a sign of its own."""
    text = capital(text)
    return text if not text or text[-1] in _ENDS or not text[-1].isalnum() else f"{text}."


def capital(text: str) -> str:
    """With a capital letter, unless the first word has one already or is no plain word (`iOS`, `v2`)."""
    first = text.split(" ", 1)[0].rstrip(",;:.!?…")
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() else text


def listed(words: Iterable[str]) -> str:
    """Joined by commas."""
    return ", ".join(words)
