"""How domain values are spelt in columns: times, lengths of time, text, options and lists."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from sqlalchemy import BigInteger, Integer, Text
from sqlalchemy.types import TypeEngine

from core.catalogue import say
from core.errors import InvalidInput
from core.text.analyse import TextOptions

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

KEY: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")
"""A surrogate key: the rowid on SQLite, an identity on PostgreSQL."""

EXACT: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
"""Text compared and ordered byte by byte on both databases."""


def micros(moment: datetime) -> int:
    """Microseconds since the epoch of an aware time; TypeError for a naive one."""
    return (moment - EPOCH) // MICROSECOND


def micros_or_none(moment: datetime | None) -> int | None:
    """As `micros`, with None kept."""
    return None if moment is None else (moment - EPOCH) // MICROSECOND


def moment(stored: int) -> datetime:
    """The aware UTC time of stored microseconds."""
    return EPOCH + timedelta(microseconds=stored)


def moment_or_none(stored: int | None) -> datetime | None:
    """As `moment`, with None kept."""
    return None if stored is None else EPOCH + timedelta(microseconds=stored)


def length(span: timedelta) -> int:
    """A length of time in microseconds."""
    return span // MICROSECOND


@lru_cache(maxsize=1024)
def pack_options(options: TextOptions) -> str:
    """Options in a few characters: the language, `+` word forms, `~` accents folded."""
    return options.language + "+" * options.word_forms + "~" * options.fold_accents


@lru_cache(maxsize=1024)
def unpack_options(packed: str) -> TextOptions:
    """The options that `pack_options` wrote."""
    return TextOptions(packed.rstrip("+~"), "+" in packed, "~" in packed)


def words(text: str) -> str:
    """Words of a person, unchanged; InvalidInput for what no database keeps (NUL, lone surrogates)."""
    if not storable(text):
        raise InvalidInput(say("storage.text"), say("storage.text.hint"))
    return text


def shown(name: str) -> str:
    """A name for display, with what no database keeps replaced by U+FFFD."""
    if not storable(name):
        name = name.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\0", "\ufffd")
    return name


def storable(text: str) -> bool:
    """Whether both databases can keep this text: no NUL, no lone surrogate."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False
