"""How tables are spelt: columns, references, constraints and partial indexes."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Any, ClassVar

from sqlalchemy import BigInteger, CheckConstraint, Index, MetaData, SmallInteger, Text
from sqlalchemy import text as clause
from sqlmodel import Field, SQLModel

from storage.types import KEY

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


def one_of(column: str, values: Iterable[StrEnum | IntEnum]) -> CheckConstraint:
    """Only these values."""
    spelt = ",".join(str(int(v)) if isinstance(v, IntEnum) else f"'{v}'" for v in values)
    return CheckConstraint(f"{column} IN ({spelt})", name=column)


def partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index over the rows for which `where` holds."""
    return Index(name, *columns, unique=unique, sqlite_where=clause(where), postgresql_where=clause(where))


def key_column() -> Any:
    """A surrogate key, given by the database."""
    return Field(default=None, primary_key=True, sa_type=KEY)


def text_reference(column: str, **more: Any) -> Any:
    """A reference by text (a UUID, a handle)."""
    return Field(foreign_key=column, sa_type=Text, **more)


def key_reference(column: str, **more: Any) -> Any:
    """A reference by surrogate key."""
    return Field(foreign_key=column, sa_type=KEY, **more)


def text_column(**more: Any) -> Any:
    """Text of any length."""
    return Field(sa_type=Text, **more)


def defaulted(value: str) -> dict[str, Any]:
    """What rows get that were stored before the column was."""
    return {"sa_column_kwargs": {"server_default": value}}


def big_column(**more: Any) -> Any:
    """A 64-bit integer: a time, a length of time, a counter."""
    return Field(sa_type=BigInteger, **more)


def small_column(**more: Any) -> Any:
    """A 16-bit integer."""
    return Field(sa_type=SmallInteger, **more)


class Base(SQLModel):
    """Base of all tables: one MetaData of our own, with names for every constraint."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)
