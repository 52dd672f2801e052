"""What stands behind `/intent`: its sub-commands and their options. Pure; shared by every typed channel.

    /intent add launch checklist; "go live" => Confirm the rollback owner --anyone --cooldown 2h --max 3
    /intent list [text] [--all] [--status armed|quiet|paused|done|cancelled|expired] [--page 2]
    /intent edit i-7k2m [triggers =>] [new reminder text] [--expires 30d ...]
    /intent show|pause|resume|cancel|keep|confirm i-7k2m       /intent why [i-7k2m] [a message to try]
    /intent preview [i-7k2m | triggers [=> text] [--anyone ...]]       /intent test i-7k2m
    /intent history i-7k2m [--page 2]
    /intent mute [i-7k2m] [--thread | --space] [--for 2h]       /intent unmute [i-7k2m] [--thread | --space]
    /intent cancel --from @bob

Options stand at the end; before `=>` a known one is taken out, any other word with dashes is a trigger.
"""

from collections.abc import Iterable, Mapping
from datetime import tzinfo
from difflib import get_close_matches
from typing import Any, TypeVar

from core.catalogue import say
from core.errors import InvalidInput
from core.standing.durations import looks_like_moment, parse_duration, parse_moment
from core.standing.intent import Change, ChannelScope, CooldownPer, Deliver, Draft, Priority, Status
from core.standing.lifecycle import status_name
from core.standing.options import Given, check_length, number_of, options_of, page_of, split_options
from core.standing.phrases import outside_quotes
from core.standing.typed import Add, CancelAll, Edit, History, IntentCommand, Listing, Mute, One, Preview, Why
from core.turn import PlaceKind

SEPARATORS = ("=>", "->", "→", "::")
SHOWN = 40
_SCOPES = {
    "thread": ChannelScope.CONVERSATION,
    "here": ChannelScope.CHANNEL,
    "server": ChannelScope.SPACE,
    **{str(scope): scope for scope in ChannelScope},
}
_ADD = {
    "anyone": False,
    "me": False,
    "from": True,
    "scope": True,
    "cooldown": True,
    "max": True,
    "expires": True,
    "exact": False,
    "priority": True,
    "edits": False,
    "per": True,
    "except": True,
    "deliver": True,
}
_EDIT = {name: value for name, value in _ADD.items() if name not in {"from", "scope"}} | {
    "forms": False,
    "no-edits": False,
}
_LIST = {"all": False, "status": True, "page": True}
_HISTORY = {"page": True}
_MUTE = {"thread": False, "space": False, "for": True}
_UNMUTE = {"thread": False, "space": False}
_CANCEL = {"from": True}
OPTIONS = {
    "add": tuple(_ADD),
    "edit": tuple(_EDIT),
    "list": tuple(_LIST),
    "preview": tuple(_ADD),
    "history": tuple(_HISTORY),
    "mute": tuple(_MUTE),
    "unmute": tuple(_UNMUTE),
    "cancel": tuple(_CANCEL),
}
"""Names of the options of each sub-command that has some."""
STATUS_WORDS = {status_name(status): status for status in Status}
"""Every status by the word that lists show."""
_PER = {
    "rule": CooldownPer.INTENT,
    "thread": CooldownPer.CONVERSATION,
    "person": CooldownPer.SENDER,
    **{str(per): per for per in CooldownPer},
}
_DELIVER = {"dm": Deliver.DIRECT, "direct": Deliver.DIRECT, "here": Deliver.HERE}
NOBODY = "none"
"""What stands behind `--except` to take all exceptions away."""
VALUES = {
    "per": ("sender", "conversation", "rule"),
    "deliver": ("here", "dm"),
    "status": tuple(STATUS_WORDS),
    "scope": ("thread", "channel", "space"),
    "priority": tuple(level.name.casefold() for level in Priority),
}
"""What can stand behind an option, for completion."""
_STORED_WORDS = {str(status): status for status in Status}


T = TypeVar("T")
VERBS = (
    "add",
    "list",
    "show",
    "edit",
    "pause",
    "resume",
    "cancel",
    "why",
    "preview",
    "test",
    "history",
    "mute",
    "unmute",
    "keep",
    "confirm",
)


def parse_intent_command(text: str, zone: tzinfo) -> IntentCommand:
    """Read what follows `/intent`. Times without a zone are read in `zone`.

    Raises LimitExceeded beyond `command_chars`, InvalidInput with what is wrong and one example. Bounds of the
    values are checked by the services.
    """
    check_length(text)
    verb, _, rest = text.strip().partition(" ")
    verb, rest = verb.casefold(), rest.strip()
    if "\n" in verb:  # `add` and its first entry on lines of their own
        verb, _, more = verb.partition("\n")
        rest = f"{more} {rest}".strip()
    match verb:
        case "add":
            return _add(rest, zone)
        case "list" | "ls" | "":
            return _list(rest)
        case "edit":
            return _edit(rest, zone)
        case "why":
            return _why(rest)
        case "preview":
            return _preview(rest, zone)
        case "history":
            return _history(rest)
        case "mute" | "unmute":
            return _mute(rest, off=verb == "unmute")
        case "cancel" if rest.startswith(("--", "—")):
            return CancelAll(_only_option("cancel", rest, _CANCEL)["from"].value)
        case "show" | "pause" | "resume" | "cancel" | "keep" | "confirm" | "test":
            return One(verb, _handle(verb, rest))
    raise _unknown("command.intent.unknown", verb, VERBS)


def _unknown(key: str, name: str, known: tuple[str, ...]) -> InvalidInput:
    near = get_close_matches(name[:SHOWN], known, 1)
    hint = say("command.nearest", name=near[0]) if near else say("command.known", names=", ".join(known))
    return InvalidInput(say(key, name=name[:SHOWN]), hint, name=name[:SHOWN])


def _usage(verb: str) -> InvalidInput:
    return InvalidInput(say(f"command.{verb}.usage"), say(f"command.{verb}.usage.hint"))


def _handle(verb: str, rest: str) -> str:
    if not rest or len(rest.split()) != 1:
        raise InvalidInput(say("command.handle", verb=verb), say("command.handle.hint", verb=verb))
    return rest


def _parts(text: str) -> tuple[str, str] | None:
    """The text before and behind the first separator outside of quotes."""
    found = outside_quotes(text, SEPARATORS)
    if found is None:
        return None
    at, mark = found
    return text[:at].strip(), text[at + len(mark) :].strip()


def _add(rest: str, zone: tzinfo) -> Add:
    parts = _parts(rest)
    if parts is None:
        raise _usage("add")
    triggers, early = split_options(parts[0], _ADD, strict=False)
    description, late = split_options(parts[1], _ADD)
    return add_of(triggers, _unquoted(description), (*early, *late), zone)


def add_of(triggers: str, description: str, options: Iterable[Given], zone: tzinfo) -> Add:
    """A rule of parts that are apart already, as a form gives them; nothing in them is read as another part.

    Raises InvalidInput, as `parse_intent_command` does.
    """
    triggers, description = triggers.strip(), description.strip()
    if not triggers or not description:
        raise _usage("add")
    given = options_of(options)
    if len(_both(given, "anyone", "me", "from")) > 1:
        raise InvalidInput(say("command.who.both"), say("command.keep_one.hint"))
    fields = _fields(given, zone)
    if "scope" in given:
        fields["channel_scope"] = _choice(given["scope"], _SCOPES)
    fields.setdefault("anyone", False)
    draft = Draft(triggers, description, **fields)
    person = given["from"].value if "from" in given else ""
    return Add(draft, person, _places(given) or (), _deliver_to(given))


def _both(given: dict[str, Given], *names: str) -> list[str]:
    return [name for name in names if name in given]


def _fields(given: dict[str, Given], zone: tzinfo) -> dict[str, Any]:
    """Options that a draft and a change have in common, by the field they set."""
    fields: dict[str, Any] = {}
    if "anyone" in given or "me" in given:
        fields["anyone"] = "anyone" in given
    if "cooldown" in given:
        fields["cooldown"] = parse_duration(given["cooldown"].value)
    if "max" in given:
        fields["max_fires"] = number_of(given["max"])
    if "expires" in given:
        value = given["expires"].value
        if looks_like_moment(value):
            fields["expires_at"] = parse_moment(value, zone)
        else:
            fields["expires_in"] = parse_duration(value)
    if "priority" in given:
        fields["priority"] = _choice(given["priority"], {level.name.casefold(): level for level in Priority})
    if "exact" in given:
        fields["word_forms"] = False
    if "edits" in given:
        fields["on_edits"] = True
    if "per" in given:
        fields["cooldown_per"] = _choice(given["per"], _PER)
    if "deliver" in given:
        place = _deliver_to(given)
        fields["deliver"] = Deliver.PLACE if place else _choice(given["deliver"], _DELIVER)
    return fields


def _places(given: Mapping[str, Given]) -> tuple[str, ...] | None:
    """The channels named behind `--except`, without their `#`; None when there is no such option."""
    if "except" not in given:
        return None
    names = given["except"].value.replace(",", " ").split()
    return () if [name.casefold() for name in names] == [NOBODY] else tuple(dict.fromkeys(names))


def _deliver_to(given: Mapping[str, Given]) -> str:
    """The channel named behind `--deliver`, also as Discord writes it (`<#123>`); "" for `here` and `dm`."""
    value = given["deliver"].value if "deliver" in given else ""
    return value if value.startswith(("#", "<#")) else ""


def _choice(option: Given, known: Mapping[str, T]) -> T:
    name = option.value.casefold()
    if name not in known:
        near = get_close_matches(name[:SHOWN], known, 1)
        hint = say("command.nearest", name=near[0]) if near else say("command.known", names=", ".join(known))
        sentence = say("command.value", name=option.name, value=option.value[:SHOWN])
        raise InvalidInput(sentence, hint, name=option.name)
    return known[name]


def _unquoted(description: str) -> str:
    """A description that is one quoted phrase loses its quotes: so options can stand inside."""
    if len(description) > 2 and description[0] == description[-1] == '"' and '"' not in description[1:-1]:
        return description[1:-1]
    return description


def _edit(rest: str, zone: tzinfo) -> Edit:
    handle, _, rest = rest.partition(" ")
    if not handle or handle.startswith("-"):
        raise _usage("edit")
    parts = _parts(rest)
    triggers, early = split_options(parts[0], _EDIT, strict=False) if parts else ("", ())
    description, late = split_options(parts[1] if parts else rest, _EDIT)
    return edit_of(handle, triggers, _unquoted(description), (*early, *late), zone)


def edit_of(handle: str, triggers: str, text: str, options: Iterable[Given], zone: tzinfo) -> Edit:
    """A change of parts that are apart already; "" leaves triggers or text as they are. Raises InvalidInput."""
    given = options_of(options)
    for one, other in (("anyone", "me"), ("exact", "forms"), ("edits", "no-edits")):
        if len(_both(given, one, other)) > 1:
            raise InvalidInput(say("command.both", one=one, other=other), say("command.keep_one.hint"))
    fields = _fields(given, zone)
    if "forms" in given:
        fields["word_forms"] = True
    if "no-edits" in given:
        fields["on_edits"] = False
    change = Change(triggers=triggers.strip() or None, description=text.strip() or None, **fields)
    return Edit(handle, change, _places(given), _deliver_to(given))


def _list(rest: str) -> Listing:
    text, options = split_options(rest, _LIST)
    given = options_of(options)
    statuses: tuple[Status, ...] = () if "all" in given else Listing().statuses
    if "status" in given:
        names = given["status"].value.casefold().replace(",", " ").split()
        found = (_STORED_WORDS.get(name) or _choice(Given("status", name), STATUS_WORDS) for name in names)
        statuses = tuple(dict.fromkeys(found))
    page = page_of(given)
    return Listing(text, statuses, page)


def _preview(rest: str, zone: tzinfo) -> Preview:
    if not rest or (len(rest.split()) == 1 and rest.casefold().startswith("i-")):
        return Preview(rest)
    return Preview(add=_add(rest if _parts(rest) else _with_text(rest), zone))


def _with_text(rest: str) -> str:
    """Triggers without a reminder text, as a rule to try: the options follow the text."""
    triggers, options = split_options(rest, _ADD, strict=False)
    spelt = (f"--{one.name} {one.value}".rstrip() for one in options)
    return f"{triggers} {SEPARATORS[0]} {say('preview.text')} {' '.join(spelt)}".rstrip()


def _history(rest: str) -> History:
    handle, options = split_options(rest, _HISTORY)
    given = options_of(options)
    return History(_handle("history", handle), page_of(given))


def _mute(rest: str, off: bool) -> Mute:
    handle, options = split_options(rest, _UNMUTE if off else _MUTE)
    given = options_of(options)
    if len(_both(given, "thread", "space")) > 1:
        raise InvalidInput(say("command.both", one="thread", other="space"), say("command.keep_one.hint"))
    if handle and (given or len(handle.split()) > 1):
        raise InvalidInput(say("command.mute.usage"), say("command.mute.usage.hint"))
    kind = PlaceKind.CONVERSATION if "thread" in given else PlaceKind.SPACE if "space" in given else PlaceKind.CHANNEL
    return Mute(kind, handle, parse_duration(given["for"].value) if "for" in given else None, off)


def _only_option(verb: str, rest: str, known: Mapping[str, bool]) -> dict[str, Given]:
    """Options with nothing before them."""
    left, options = split_options(rest, known)
    if left or not options:
        raise InvalidInput(say("command.handle", verb=verb), say("command.handle.hint", verb=verb))
    return options_of(options)


def _why(rest: str) -> Why:
    first, _, more = rest.partition(" ")
    if first.casefold().startswith("i-"):
        return Why(first, more.strip())
    return Why("", rest)
