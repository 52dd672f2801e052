"""Settings of a space, declared in one place: type, default and bounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidInput


class Setting(StrEnum):
    """Names as stored in `space_settings` and typed by people."""

    LANGUAGE = "language"
    ZONE = "zone"
    FOLD_ACCENTS = "fold_accents"


@dataclass(frozen=True, slots=True)
class Declaration:
    """Type, default and upper bound (characters of a text) of one setting."""

    type: type
    default: object
    max_chars: int = 64


DECLARATIONS: dict[Setting, Declaration] = {
    Setting.LANGUAGE: Declaration(str, "en", 2),
    Setting.ZONE: Declaration(str, "UTC"),
    Setting.FOLD_ACCENTS: Declaration(bool, False),
}


def check(setting: Setting, value: object) -> object:
    """Return `value` if it is a legal value of `setting`; raises InvalidInput naming both."""
    declared = DECLARATIONS[setting]
    if type(value) is not declared.type or (isinstance(value, str) and not 0 < len(value) <= declared.max_chars):
        raise InvalidInput(
            f"{value!r} is no value of the setting {setting}.",
            f"It takes a {declared.type.__name__}, for example {declared.default!r}.",
            setting=str(setting),
        )
    return value


def resolve(stored: Mapping[str, object], defaults: Mapping[Setting, object]) -> dict[Setting, object]:
    """Every setting with its value in force."""
    return {
        setting: stored.get(str(setting), defaults.get(setting, declared.default))
        for setting, declared in DECLARATIONS.items()
    }
