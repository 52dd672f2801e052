"""A brute-force model of standing intents, written without a line of the program's own rules.

Words are plain lower-case ASCII and matched exactly, so that analysis is not at issue here.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

LIVE = {"pending", "armed", "fired"}


@dataclass
class Rule:
    handle: str
    entries: list[set[str]]
    space: str
    channel: str
    conversation: str
    private: bool
    scope: str
    watches: str | None
    creator: str
    born: datetime
    armed_at: datetime
    expires_at: datetime
    cooldown: timedelta
    max_fires: int
    priority: int
    on_edits: bool
    made_by: str
    state: str = "armed"
    fires: list[dict] = field(default_factory=list)

    def count(self) -> int:
        return sum(not fire["refunded"] for fire in self.fires)

    def last(self) -> datetime | None:
        kept = [fire["at"] for fire in self.fires if not fire["refunded"]]
        return kept[-1] if kept else None

    def ready(self, now: datetime) -> bool:
        return self.last() is None or now >= self.last() + self.cooldown

    def view(self, now: datetime) -> str:
        if self.state in LIVE and now >= self.expires_at:
            return "expired"
        if self.state == "fired" and self.ready(now):
            return "armed"
        return self.state

    def freeze(self, now: datetime) -> None:
        """Take the row to where it is now, for good."""
        self.state = self.view(now)

    def hears(self, said: "Said") -> bool:
        if self.scope == "anywhere":
            return True
        if self.space != said.space or self.private != said.private:
            return False
        if self.private and self.channel != said.channel:
            return False
        if self.scope == "space":
            return True
        if self.scope == "channel":
            return self.channel == said.channel
        return (self.channel, self.conversation) == (said.channel, said.conversation)


@dataclass
class Said:
    message: str
    words: set[str]
    person: str
    space: str
    channel: str
    conversation: str
    private: bool
    at: datetime
    edited: bool = False

    def place(self) -> tuple[str, str, str]:
        return (self.space, self.channel, self.conversation)


@dataclass
class Oracle:
    rules: list[Rule] = field(default_factory=list)

    def hear(self, said: Said, now: datetime, per_turn: int = 3) -> list[str]:
        """Handles that fire, in order; the model's state moves with them."""
        if now - said.at > timedelta(minutes=10):
            return []
        hits = [rule for rule in self.rules if self._fires(rule, said, now)]
        hits.sort(key=lambda rule: (-rule.priority, rule.born, self.rules.index(rule)))
        for rule in hits[:per_turn]:
            rule.fires.append({"at": now, "message": (said.place(), said.message), "refunded": False})
            rule.state = "done" if rule.count() >= rule.max_fires else "fired"
        return [rule.handle for rule in hits[:per_turn]]

    def _fires(self, rule: Rule, said: Said, now: datetime) -> bool:
        return (
            rule.view(now) == "armed"
            and rule.count() < rule.max_fires
            and rule.hears(said)
            and rule.watches in (None, said.person)
            and any(entry <= said.words for entry in rule.entries)
            and (rule.on_edits or not said.edited)
            and said.at >= rule.armed_at
            and (rule.made_by, rule.conversation) != (said.message, said.conversation)
            and all(fire["message"] != (said.place(), said.message) for fire in rule.fires)
        )
