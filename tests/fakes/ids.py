"""Identity and randomness that are the same in every run."""

import random
import uuid

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


class SeededIds:
    """`core.ports.Ids` from a seed. Two instances with one seed give the same values in the same order."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._millis = 1_796_032_800_000

    def uuid(self) -> str:
        """A well-formed UUIDv7, later than the one before."""
        self._millis += 1
        low = 0b10 << 62 | self._random.getrandbits(62)
        return str(uuid.UUID(int=self._millis << 80 | 7 << 76 | self._random.getrandbits(12) << 64 | low))

    def salt(self) -> bytes:
        """16 bytes."""
        return self._random.randbytes(16)

    def handle(self, prefix: str, letters: int) -> str:
        """`prefix`, a dash and so many base-32 letters."""
        return f"{prefix}-{''.join(self._random.choice(LETTERS) for _ in range(letters))}"
