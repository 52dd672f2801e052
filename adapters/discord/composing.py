"""What the options of a slash command ask for. Pure.

For `/intent` the parts go on as they are, never through a text in which one could become another: whatever a person
puts into an option stays in it. The other commands are composed as text, in which what could be read as another part
is quoted or refused.
"""

from collections.abc import Callable, Mapping
from datetime import tzinfo

from core.catalogue import say
from core.errors import InvalidInput
from core.standing.commands import SEPARATORS, STATUS_WORDS, add_of, edit_of
from core.standing.durations import parse_duration
from core.standing.options import SHOWN, Given
from core.standing.phrases import words_of
from core.standing.typed import Add, CancelAll, History, IntentCommand, Listing, Mute, One, Preview, Why
from core.text.commonwords import STOP_WORDS
from core.timed.reading import read_said
from core.timed.said import tokens_of
from core.turn import PlaceKind

Wanted = Callable[[tzinfo], IntentCommand]
"""What is asked for, once the zone is known in which times are read. Raises InvalidInput; may be called again."""
Chosen = Mapping[str, str | int | bool | None]
"""Options by name; None where nothing was chosen."""
PLACES = {"thread": PlaceKind.CONVERSATION, "channel": PlaceKind.CHANNEL, "space": PlaceKind.SPACE}
_VALUES = {
    "only_from": "from",
    "bot": "from",
    "scope": "scope",
    "cooldown": "cooldown",
    "max": "max",
    "expires": "expires",
    "priority": "priority",
    "per": "per",
    "except": "except",
    "deliver": "deliver",
}
_QUOTES = (('"', '"'), ("“", "”"), ("«", "»"), ("「", "」"), ("‘", "’"), ("'", "'"))
_PHRASE_MARKS = str.maketrans(dict.fromkeys('"“”„«»「」', " "))
_UNLISTED = 1_000_000


# rules


def add(words: str, text: str, chosen: Chosen) -> Wanted:
    """A new rule."""
    given = options(chosen)
    return lambda zone: add_of(words, text, given, zone)


def edit(handle: str, words: str, text: str, chosen: Chosen) -> Wanted:
    """A change; what is "" or None stays as it is, and False takes `exact` and `edits` back."""
    given = (*options(chosen), *(Given(off) for name, off in _OFF.items() if chosen.get(name) is False))
    return lambda zone: edit_of(bare(handle), words, text, given, zone)


_OFF = {"exact": "forms", "edits": "no-edits"}


def options(chosen: Chosen) -> tuple[Given, ...]:
    """The options of a rule as the typed command has them. Raises InvalidInput for two that exclude each other."""
    if chosen.get("only_from") and chosen.get("bot"):
        raise _exclude("only_from", "bot")
    flags = [Given(str(who))] if (who := chosen.get("who")) else []
    flags += [Given(name) for name in _OFF if chosen.get(name) is True]
    values = ((typed, chosen.get(name)) for name, typed in _VALUES.items())
    return (*flags, *(Given(typed, str(value).strip()) for typed, value in values if value is not None))


def one(verb: str, handle: str) -> Wanted:
    """Something about one rule."""
    return lambda _: One(verb, bare(handle))


def cancel(handle: str, person: str) -> Wanted:
    """The end of one rule, or of every rule of a person; just one of the two is to be given."""

    def wanted(_: tzinfo) -> IntentCommand:
        if handle and person:
            raise _exclude("handle", "person")
        if not (handle or person):
            raise InvalidInput(say("command.handle", verb="cancel"), say("command.handle.hint", verb="cancel"))
        return One("cancel", bare(handle)) if handle else CancelAll(person)

    return wanted


def listing(words: str, status: str, everything: bool, page: int) -> Wanted:
    """A list; `status` is a word of `STATUS_WORDS`, "" for the live ones."""
    statuses = (STATUS_WORDS[status],) if status else () if everything else Listing().statuses
    return lambda _: Listing(words.strip(), statuses, page)


def why(handle: str, message: str) -> Wanted:
    """An explanation."""
    return lambda _: Why(bare(handle), message.strip())


def history(handle: str, page: int) -> Wanted:
    """A page of fires."""
    return lambda _: History(bare(handle), page)


def preview(handle: str, words: str, text: str, chosen: Chosen) -> Wanted:
    """What a rule would have done: one that exists, or one as given."""

    def wanted(zone: tzinfo) -> IntentCommand:
        if handle and words:
            raise _exclude("handle", "words")
        if handle or not words:
            return Preview(bare(handle))
        return Preview(add=_tried(words, text, chosen, zone))

    return wanted


def _tried(words: str, text: str, chosen: Chosen, zone: tzinfo) -> Add:
    return add_of(words, text or say("preview.text"), options(chosen), zone)


def mute(handle: str, place: str, span: str, off: bool) -> Wanted:
    """Quiet for one rule or in a place, or its end; `span` "" is until somebody ends it."""

    def wanted(_: tzinfo) -> IntentCommand:
        if handle and (place or span):
            raise InvalidInput(say("command.mute.usage"), say("command.mute.usage.hint"))
        length = parse_duration(span) if span else None
        return Mute(PLACES[place or "channel"], bare(handle), length, off)

    return wanted


def bare(handle: str) -> str:
    """A handle as one word."""
    return "".join(handle.replace("`", "").split())


def spelt(verb: str, *parts: str, chosen: Chosen | None = None) -> str:
    """The command as somebody would type it: what is kept of it as evidence, and nobody reads back."""
    options_spelt = (f"--{given.name} {given.value}".strip() for given in options(chosen or {}))
    return " ".join(filter(None, (f"/intent {verb}", *parts, *options_spelt)))


def rule_spelt(verb: str, words: str, text: str, chosen: Chosen, handle: str = "") -> str:
    """The same of a rule."""
    return spelt(verb, handle, words, SEPARATORS[0] if words else "", text, chosen=chosen)


def _exclude(first: str, second: str) -> InvalidInput:
    return InvalidInput(say("discord.exclude", one=first, other=second), say("command.keep_one.hint"))


# text of the other commands


def remind_me(time: str, text: str, person: str, direct: bool) -> str:
    """`/remind` for a time and a text that are apart. Raises InvalidInput for a time that is more than one."""
    when = " ".join(word.strip("'‘’") for word in time.translate(_PHRASE_MARKS).split())
    said = tokens_of(words_of(when))
    _, end = read_said(said)
    if not when or any(word.startswith(("--", "—")) for word in when.split()) or end < len(said):
        raise InvalidInput(say("discord.time", time=time[:SHOWN]), say("discord.time.hint"))
    whom = f"@{person}" if person else "me"
    return " ".join((whom, when, "to", _quoted(text), *(("--dm",) if direct else ())))


def _quoted(text: str) -> str:
    """As one phrase. Raises InvalidInput for a text that has every closing quote there is."""
    text = text.strip()
    for opening, closing in _QUOTES:
        if text and closing not in text:
            return f"{opening}{text}{closing}"
    raise InvalidInput(say("remind.no_text"), say("remind.no_text.hint"))


def remind_one(verb: str, handle: str, span: str = "") -> str:
    """`/remind show r-7k2m`; whatever the handle is, it is one."""
    name = bare(handle)
    name = name if name.casefold().startswith("r-") else f"r-{name}"
    return f"{verb} {name} {span}".strip()


def listed(everything: bool, page: int) -> str:
    """`list --all --page 2`, of reminders and of aspirations."""
    return " ".join(("list", *(("--all",) if everything else ()), *((f"--page {page}",) if page > 1 else ())))


def aspire_add(text: str, review: str) -> str:
    """`/aspire add` for a text and a day that are apart."""
    day = " ".join(review.replace("(", " ").replace(")", " ").split())
    return f"add {text.strip()} (review {day})" if day else f"add {text.strip()}"


def aspire_one(verb: str, handle: str, day: str = "") -> str:
    """`/aspire review a-7k2m 2027-03-31`."""
    return f"{verb} {bare(handle)} {day}".strip()


def setting(name: str, value: str) -> str:
    """`settings zone Europe/Berlin`. Raises InvalidInput for a value without a name."""
    if value.strip() and not name:
        raise InvalidInput(say("discord.setting"), say("discord.setting.hint"))
    return " ".join(filter(None, ("settings", name, value.strip())))


# words of a message


def key_words(text: str, rank: Callable[[str], int | None], count: int = 2) -> str:
    """The rarest words of a text in its order, for a first idea of what to listen for; "" when it has none.

    The commonest ones of all (`STOP_WORDS`) stand in it only where there are no others. `rank` tells how common a word
    is, None for a rare one. At most 100 characters.
    """
    found = [word.low for word in words_of(text) if not word.quoted and word.low.replace("-", "").isalnum()]
    found = [word for word in dict.fromkeys(found) if len(word) <= 24 and not word.startswith("-")]
    found = [word for word in found if (rank(word) or _UNLISTED) > STOP_WORDS] or found
    chosen = sorted(found, key=lambda word: (-(rank(word) or _UNLISTED), -len(word)))[:count]
    return " ".join(word for word in found if word in chosen)
