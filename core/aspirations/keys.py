"""Which file holds the aspirations of a space: a name for people and a code that never changes. Pure."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

SLUG_CHARS = 40
CODE = r"[0-9]{1,18}-[0-9a-f]{8}"
_NO_SLUG = re.compile("[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class FileKey:
    """`code` finds the file, `slug` is what a new one begins with, for people.

    The code is the id of the place that the namespace belongs to and eight hexadecimal digits of the namespace:
    files of two databases in one folder are never mixed up.
    """

    code: str
    slug: str

    @property
    def file_name(self) -> str:
        """What a new file is called: letters, digits and dashes, safe on every system."""
        return f"{self.slug}-{self.code}.md"


def key_of(place_id: int, namespace_id: str, name: str) -> FileKey:
    """The key of a namespace; `name` is what people call the place now."""
    tag = hashlib.sha256(namespace_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return FileKey(f"{place_id}-{tag}", _slug(name))


def place_of(code: str) -> int:
    """The id of the place in a code."""
    return int(code.partition("-")[0])


def _slug(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name[: 4 * SLUG_CHARS]).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _NO_SLUG.sub("-", plain).strip("-")[:SLUG_CHARS].strip("-") or "space"
