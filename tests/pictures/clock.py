"""The time of the story, which a file tells to both processes: it stands still until the story moves it."""

from datetime import UTC, datetime
from pathlib import Path


class StoryClock:
    """`core.ports.Clock`, read anew from its file each time."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def now(self) -> datetime:
        """The time of the story."""
        return datetime.fromisoformat(self._file.read_text(encoding="utf-8"))

    def set(self, now: datetime) -> None:
        """Move to a time; whoever reads meanwhile sees the old one or the new one."""
        made = self._file.with_suffix(".new")
        made.write_text(now.astimezone(UTC).isoformat(), encoding="utf-8")
        made.replace(self._file)
