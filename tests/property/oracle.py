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
    per: str = "intent"
    quiet_in: frozenset[tuple[str, str]] = frozenset()
    state: str = "armed"
    fires: list[dict] = field(default_factory=list)

    def count(self) -> int:
        return sum(not fire["refunded"] for fire in self.fires)

    def last(self) -> datetime | None:
        kept = [fire["at"] for fire in self.fires if not fire["refunded"]]
        return kept[-1] if kept else None

    def ready(self, now: datetime) -> bool:
        """Is the quiet time of the rule as a whole over? One counted otherwise never makes the whole rule quiet."""
        return self.per != "intent" or self.last() is None or now >= self.last() + self.cooldown

    def ready_for(self, said: "Said", now: datetime) -> bool:
        """Is it over for this conversation or person, where it is counted so?"""
        for fire in self.fires:
            same = {"intent": False, "conversation": fire["message"][0] == said.place()}
            same["sender"] = fire["person"] == said.person
            if same[self.per] and not fire["refunded"] and now < fire["at"] + self.cooldown:
                return False
        return True

    def twin_of(self, other: "Rule", now: datetime) -> bool:
        """Would `other` be this rule once more?"""
        listens = (self.home(), self.watches, self.creator)
        same = {frozenset(entry) for entry in self.entries} == {frozenset(entry) for entry in other.entries}
        awake = self.view(now) in {"armed", "fired"}
        return awake and same and listens == (other.home(), other.watches, other.creator)

    def rested(self, now: datetime) -> bool:
        """A rule for a robot waits a minute after its last reminder, wherever that was."""
        robot = self.watches is not None and ":" in self.watches
        return not robot or self.last() is None or now >= self.last() + timedelta(minutes=1)

    def heeds(self, said: "Said") -> bool:
        """A robot is heard by who names it, and not when it copies a reminder or answers one."""
        if said.robot:
            return self.watches == said.person and not said.copied
        return self.watches in (None, said.person)

    def home(self) -> tuple[str, ...]:
        """The place that it listens to."""
        if self.scope == "anywhere":
            return ()
        if self.scope == "space" and not self.private:
            return (self.space,)
        return (self.space, self.channel, *([self.conversation] if self.scope == "conversation" else []))

    def view(self, now: datetime) -> str:
        if self.state in LIVE and now >= self.expires_at:
            return "expired"
        if self.state == "fired" and self.ready(now):
            return "armed"
        return self.state

    def freeze(self, now: datetime) -> None:
        """Take the row to where it is now, for good."""
        self.state = self.view(now)

    def is_quiet_in(self, said: "Said") -> bool:
        """Is it an exception? `quiet_in` holds channels and threads of the rule's own space."""
        return self.space == said.space and any(
            channel == said.channel and conversation in {channel, said.conversation}
            for channel, conversation in self.quiet_in
        )

    def hears(self, said: "Said") -> bool:
        if self.scope == "anywhere":
            return True
        if self.space != said.space:
            return False
        if (self.private or said.private) and self.channel != said.channel:
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
    robot: str = ""
    copied: bool = False

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
            message = (said.place(), said.message)
            rule.fires.append({"at": now, "message": message, "person": said.person, "refunded": False})
            quiet = "fired" if rule.per == "intent" else "armed"
            rule.state = "done" if rule.count() >= rule.max_fires else quiet
        if hits and said.private:
            self.close(said.space, said.channel)
        return [rule.handle for rule in hits[:per_turn]]

    def close(self, space: str, channel: str) -> None:
        """The program knows by now that this channel is private: rules made there hear nothing else."""
        for rule in self.rules:
            rule.private = rule.private or (rule.space, rule.channel) == (space, channel)

    def _fires(self, rule: Rule, said: Said, now: datetime) -> bool:
        return (
            rule.view(now) == "armed"
            and rule.count() < rule.max_fires
            and rule.hears(said)
            and not rule.is_quiet_in(said)
            and rule.ready_for(said, now)
            and rule.heeds(said)
            and rule.rested(now)
            and any(entry <= said.words for entry in rule.entries)
            and (rule.on_edits or not said.edited)
            and said.at >= rule.armed_at
            and (rule.made_by, rule.conversation) != (said.message, said.conversation)
            and all(fire["message"] != (said.place(), said.message) for fire in rule.fires)
        )
