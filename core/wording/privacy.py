"""`/privacy` in words. Pure."""

from core.services.privacy import Watched
from core.wording.lines import Line, Mood, line, lines


def privacy_lines(watched: Watched) -> list[Line]:
    """How many rules watch here, what is kept of a message, and for how long."""
    key = "privacy.rules.none" if not watched.rules else "privacy.rules.one" if watched.rules == 1 else "privacy.rules"
    found = [line(key, Mood.HEAD, count=watched.rules, anyone=watched.anyone, you=watched.you)]
    return [*found, *lines("privacy.kept")]
