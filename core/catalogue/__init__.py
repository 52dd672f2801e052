"""Every word shown to people comes from here. One module a language; English is complete by definition."""

from core.catalogue.en import MESSAGES


def say(key: str, /, **values: object) -> str:
    """The text of `key` with `values` filled in. An unknown key is a programming error (KeyError)."""
    return MESSAGES[key].format(**values)


def template(key: str, /) -> str:
    """The text of `key` as it stands in the catalogue, with its fields."""
    return MESSAGES[key]
