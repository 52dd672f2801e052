"""Reading a document of exported intents: what is wrong is told by row and field. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

import regex

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import Limits
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority, Status
from core.standing.portable import FORMAT, VERSION, Person, PortableIntent, SenderScope, plain_name
from core.text.analyse import TextOptions
from core.turn import Principal, Visibility, Where

_DIGITS = 16
_SHOWN = 40
_LANGUAGE = regex.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")
_MOMENT = regex.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)")
_HANDLE = regex.compile(r"i-[0-9a-z]{1,10}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOWHERE = Where("", "", "", "", "")
_HEAD = ("format", "version", "exported_at", "intents")
_ROW = (
    "handle", "status", "created_at", "fires", "place", "creator", "description", "entries", "scope", "sender",
    "watches", "max_fires", "cooldown_seconds", "cooldown_per", "expires_at", "priority", "word_forms", "language",
    "fold_accents", "on_edits", "except", "deliver", "deliver_to",
)  # fmt: skip
_PLACE_IDS = ("provider", "account", "space", "channel", "conversation")
_PLACE_NAMES = ("space_name", "channel_name", "conversation_name")
_PLACE = (*_PLACE_IDS, "visibility", *_PLACE_NAMES)
_PERSON = ("provider", "account", "user", "name")
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one field of one row; `field` "" for the row as a whole."""

    field: str
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a document by its number, from 1: the intent, or what is wrong with it."""

    number: int
    intent: PortableIntent | None
    problems: tuple[Problem, ...] = ()
    handle: str = ""


def parse(data: bytes, limits: Limits) -> tuple[Row, ...]:
    """The rows of a document. Raises InvalidInput for what is no such document, LimitExceeded for its size."""
    head = _head(_json(data, limits))
    rows = head["intents"]
    if not isinstance(rows, list):
        _broken(say("portable.why.list"))
    if len(rows) > limits.import_rows:
        _exceeded("import_rows", len(rows), limits.import_rows)
    return tuple(_row(number, row, limits) for number, row in enumerate(rows, 1))


# -- the document as a whole --------------------------------------------------------------------------------


def _broken(why: str) -> NoReturn:
    raise InvalidInput(say("portable.broken", why=why), say("portable.broken.hint"))


def _exceeded(name: str, used: int, limit: int) -> NoReturn:
    hint = say(f"portable.{name}.hint")
    raise LimitExceeded(say(f"portable.{name}", used=used, limit=limit), hint, name=name, used=used, limit=limit)


def _json(data: bytes, limits: Limits) -> Any:
    if len(data) > limits.import_bytes:
        _exceeded("import_bytes", len(data), limits.import_bytes)
    if data.startswith(b"\xef\xbb\xbf"):
        _broken(say("portable.why.mark"))
    try:
        text = data.decode()
        if not text.strip():
            _broken(say("portable.why.empty"))
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer)
    except UnicodeDecodeError:
        _broken(say("try.not_text"))
    except json.JSONDecodeError as error:
        _broken(say("try.not_json", why=error.msg, position=error.pos + 1))
    except RecursionError:
        _broken(say("portable.why.deep"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            _broken(say("portable.why.twice", name=_quoted(name)))
        found[name] = value
    return found


def _constant(name: str) -> NoReturn:
    _broken(say("portable.why.constant", name=name))


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        _broken(say("portable.why.number", number=digits[:_SHOWN]))
    return int(digits)


def _quoted(text: str) -> str:
    """As much of a text as an error can show; a broken character becomes `?`."""
    return text[:_SHOWN].encode("utf-8", "replace").decode()


def _head(document: Any) -> Mapping[str, Any]:
    if not isinstance(document, dict):
        _broken(say("try.no_object"))
    if document.get("format") != FORMAT:
        _broken(say("portable.why.format", format=FORMAT))
    version = document.get("version")
    if type(version) is not int or version < 1:
        _broken(say("portable.why.version"))
    if version > VERSION:
        hint = say("portable.newer.hint")
        raise InvalidInput(say("portable.newer", version=version, known=VERSION), hint, version=version)
    reader = _Fields(document, _HEAD)
    reader.moment("exported_at")
    for problem in reader.problems:
        _broken(say("portable.field", field=problem.field, why=problem.why))
    return document


# -- fields -------------------------------------------------------------------------------------------------


class _Fields:
    """Reads the fields of one object and collects what is wrong with them; a wrong one reads as something harmless."""

    def __init__(self, data: Any, known: tuple[str, ...], path: str = "") -> None:
        self.problems: list[Problem] = []
        self._path = path
        self._data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self._wrong("", say("try.key.no_object"))
            return
        for name in known:
            if name not in data:
                self._wrong(name, say("try.key.missing"))
        for name in data:
            if name not in known:
                self._wrong(_quoted(name), say("portable.why.unknown"))

    def _wrong(self, name: str, why: str) -> None:
        self.problems.append(Problem(".".join(filter(None, (self._path, name))), why))

    def _check(self, name: str, fits: bool, key: str, **values: object) -> bool:
        if name in self._data and not fits:
            self._wrong(name, say(key, **values))
        return name in self._data and fits

    def text(self, name: str, room: int = 0, empty: bool = False, plain: bool = False) -> str:
        """A text that a database keeps; of at most `room` characters unless that is 0, `plain` to be shown as it is."""
        value = self._data.get(name)
        if not self._check(name, isinstance(value, str), "try.key.no_text"):
            return ""
        text = str(value)
        fits = self._check(name, storable(text), "portable.why.characters")
        fits = fits and self._check(name, not plain or plain_name(text) == text, "portable.why.plain")
        fits = fits and self._check(name, empty or bool(text), "portable.why.nothing")
        fits = fits and self._check(name, not room or len(text) <= room, "portable.why.long", limit=room)
        return text if fits else ""

    def optional(self, name: str) -> str | None:
        """A text, or None for erased words."""
        return None if self._data.get(name) is None else self.text(name)

    def choice(self, name: str, kind: type[E]) -> E:
        """One of the values of an enumeration."""
        values = [member.value for member in kind]
        value = self._data.get(name)
        fits = isinstance(value, str) and value in values
        self._check(name, fits, "try.key.format", names=", ".join(values))
        return kind(str(value) if fits else values[0])

    def priority(self, name: str) -> Priority:
        """A priority by its name in lower case."""
        names = [level.name.lower() for level in Priority]
        value = self._data.get(name)
        known = isinstance(value, str) and value in names
        fits = self._check(name, known, "try.key.format", names=", ".join(names))
        return Priority[str(value).upper()] if fits else Priority.MEDIUM

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._data.get(name)
        self._check(name, isinstance(value, bool), "portable.why.flag")
        return value is True

    def whole(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self._data.get(name)
        fits = type(value) is int and least <= value <= most
        self._check(name, fits, "portable.why.whole", least=least, most=most)
        return value if fits and isinstance(value, int) else least

    def moment(self, name: str) -> datetime:
        """A time with its offset, in UTC."""
        value = self._data.get(name)
        found = _moment(value) if isinstance(value, str) else None
        self._check(name, found is not None, "portable.why.moment")
        return found or _EPOCH

    def handle(self, name: str) -> str:
        """A handle as it is shown."""
        value = self._data.get(name)
        fits = isinstance(value, str) and _HANDLE.fullmatch(value) is not None
        return str(value) if self._check(name, fits, "portable.why.handle") else ""

    def language(self, name: str) -> str:
        """A tag of a language."""
        value = self._data.get(name)
        fits = isinstance(value, str) and len(value) <= _DIGITS and _LANGUAGE.fullmatch(value) is not None
        return str(value) if self._check(name, fits, "portable.why.language") else "en"

    def list(self, name: str, most: int, least: int = 0) -> tuple[Any, ...]:
        """A list of so many values."""
        value = self._data.get(name)
        fits = isinstance(value, list) and least <= len(value) <= most
        fits = self._check(name, fits, "portable.why.list.bounds", least=least, most=most)
        return tuple(value) if fits and isinstance(value, list) else ()

    def get(self, name: str) -> Any:
        """The value as it stands."""
        return self._data.get(name)

    def has(self, name: str) -> bool:
        """Does it stand there at all?"""
        return name in self._data

    def take(self, inner: "_Fields") -> None:
        """Collect what is wrong inside."""
        self.problems.extend(inner.problems)

    def refuse(self, name: str, why: str) -> None:
        """Collect a problem that only several fields together show."""
        if not self.problems:
            self._wrong(name, why)


def _moment(text: str) -> datetime | None:
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def storable(text: str) -> bool:
    """Whether a database can keep this text: no NUL, no half of a surrogate pair."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


# -- one row ------------------------------------------------------------------------------------------------


def _row(number: int, data: Any, limits: Limits) -> Row:
    fields = _Fields(data, _ROW)
    intent = _intent(fields, limits)
    _agree(fields, intent)
    handle = intent.handle
    return Row(number, None, tuple(fields.problems), handle) if fields.problems else Row(number, intent, (), handle)


def _intent(fields: _Fields, limits: Limits) -> PortableIntent:
    return PortableIntent(
        place=_place(fields, "place", limits),
        creator=_person(fields, "creator", limits),
        description=fields.optional("description"),
        entries=_entries(fields, limits),
        scope=fields.choice("scope", ChannelScope),
        sender=fields.choice("sender", SenderScope),
        watches=None if fields.get("watches") is None else _person(fields, "watches", limits),
        max_fires=fields.whole("max_fires", 1, limits.max_fires),
        cooldown=timedelta(seconds=fields.whole("cooldown_seconds", 0, int(limits.cooldown.total_seconds()))),
        cooldown_per=fields.choice("cooldown_per", CooldownPer),
        expires_at=fields.moment("expires_at"),
        priority=fields.priority("priority"),
        options=TextOptions(fields.language("language"), fields.flag("word_forms"), fields.flag("fold_accents")),
        on_edits=fields.flag("on_edits"),
        except_in=_places(fields, "except", limits),
        deliver=fields.choice("deliver", Deliver),
        deliver_to=None if fields.get("deliver_to") is None else _place(fields, "deliver_to", limits),
        status=fields.choice("status", Status),
        fires=fields.whole("fires", 0, limits.max_fires),
        created_at=fields.moment("created_at"),
        handle=fields.handle("handle"),
    )


def _agree(fields: _Fields, intent: PortableIntent) -> None:
    """What only several fields together show."""
    if (intent.watches is not None) is not (intent.sender is SenderScope.NAMED):
        fields.refuse("watches", say("portable.why.watches"))
    if (intent.deliver_to is not None) is not (intent.deliver is Deliver.PLACE):
        fields.refuse("deliver_to", say("portable.why.deliver_to"))


def _entries(fields: _Fields, limits: Limits) -> tuple[str | None, ...]:
    values = fields.list("entries", limits.entries, 1)
    names = [str(number) for number in range(1, len(values) + 1)]
    inner = _Fields(dict(zip(names, values, strict=True)), tuple(names), "entries")
    found = tuple(inner.optional(name) for name in names)
    fields.take(inner)
    return found


def _places(fields: _Fields, name: str, limits: Limits) -> tuple[Where, ...]:
    values = fields.list(name, limits.except_places)
    return tuple(_read_place(fields, f"{name}.{number}", value, limits) for number, value in enumerate(values, 1))


def _place(fields: _Fields, name: str, limits: Limits) -> Where:
    return _read_place(fields, name, fields.get(name), limits) if fields.has(name) else _NOWHERE


def _read_place(fields: _Fields, name: str, value: Any, limits: Limits) -> Where:
    inner, room = _Fields(value, _PLACE, name), limits.import_id_chars
    ids = [inner.text(one, room, plain=True) for one in _PLACE_IDS]
    visibility = inner.choice("visibility", Visibility)
    names = [inner.text(one, limits.description_chars, empty=True, plain=True) for one in _PLACE_NAMES]
    if visibility is Visibility.DIRECT and len(set(ids[2:])) > 1:
        inner.refuse("", say("portable.why.direct"))
    fields.take(inner)
    (provider, account, space, channel, conversation), (of_space, of_channel, of_conversation) = ids, names
    return Where(provider, account, space, channel, conversation, visibility, of_space, of_channel, of_conversation)


def _person(fields: _Fields, name: str, limits: Limits) -> Person:
    if not fields.has(name):
        return Person(Principal("", "", ""))
    inner, room = _Fields(fields.get(name), _PERSON, name), limits.import_id_chars
    ids = [inner.text(one, room, plain=True) for one in _PERSON[:3]]
    shown = inner.text("name", limits.description_chars, empty=True, plain=True)
    fields.take(inner)
    return Person(Principal(*ids), shown)
