"""Rules in groups, and what is said there: seeded, and known beforehand which message fires which rule."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bots.bench.workload import DAY_MS, Chatter, Row, make_intents, sentence
from core.standing.sentences import parse_sentence

PEOPLE = 5
TRIES = 200
LENGTHS = (8, 60)
SCOPES = {"conversation": "conversation", "channel": "channel", "anywhere": "channel"}


@dataclass(frozen=True, slots=True)
class Said:
    """A message: who says it in which group (both counted from 0), and the id of the one rule that it fires."""

    group: int
    person: int
    text: str
    rule: str = ""


def make_rules(count: int, groups: int, seed: int, now_ms: int) -> list[list[Row]]:
    """`count` armed rules over so many groups with `PEOPLE` members each, as `bots.bench.workload` mixes them.

    Each listens in its group; `person` is the number of its creator. Made a day ago, for 90 days.
    """
    rng = random.Random(seed)
    rules: list[list[Row]] = [[] for _ in range(groups)]
    for number, row in enumerate(make_intents(count, seed)):
        times = {"created_at": now_ms - DAY_MS + number, "expires_at": now_ms + 90 * DAY_MS}
        person = rng.randrange(PEOPLE)
        rules[number % groups].append({**row, **times, "scope": SCOPES[row["scope"]], "person": person})
    return rules


def make_stream(rules: Sequence[Sequence[Row]], count: int, share: float, seed: int) -> list[Said]:
    """`count` messages of 8 to 60 words, `share` of which fire exactly one rule, no rule twice.

    The groups take turns, with those that fire as with the others, so that no group is owed more than another. What
    fires is told by an ideal matcher: all words of an entry, said by whom the rule listens to.
    """
    rng = random.Random(seed + 20)
    chatter, firing = Chatter(rng), round(count * share)
    fires = set(rng.sample(range(count), firing))
    planted = _turns(rng, [list(group) for group in rules])
    others = _turns(rng, [[None] * count for _ in rules])
    return [
        _planted(rng, chatter, rules, planted) if number in fires else _idle(rng, chatter, rules, next(others)[0])
        for number in range(count)
    ]


def _turns(rng: random.Random, groups: Sequence[list[Row] | list[None]]) -> Iterator[tuple[int, Row | None]]:
    """What is in the groups, each in an order of its own, a group after the other."""
    for group in groups:
        rng.shuffle(group)
    for rank in range(max(len(group) for group in groups)):
        order = [number for number, group in enumerate(groups) if rank < len(group)]
        for number in rng.sample(order, len(order)):
            yield number, groups[number][rank]


def _planted(
    rng: random.Random, chatter: Chatter, rules: Sequence[Sequence[Row]], planted: Iterator[tuple[int, Row | None]]
) -> Said:
    """A message that fires the next rule that can be fired alone."""
    for group, rule in planted:
        assert rule is not None
        person = rule["person"] if rule["sender_scope"] == "sender" else rng.randrange(PEOPLE)
        for _ in range(TRIES):
            said = chatter.words(rng.randint(*LENGTHS))
            said[2:2] = rng.choice(rule["trigger_keywords"]).split()
            if fired(rules[group], said, person) == [rule["id"]] and _is_talk(said):
                return Said(group, person, sentence(said), rule["id"])
    raise AssertionError("too few rules for so many messages that fire")


def _idle(rng: random.Random, chatter: Chatter, rules: Sequence[Sequence[Row]], group: int) -> Said:
    """A message that fires nothing."""
    person = rng.randrange(PEOPLE)
    while True:
        said = chatter.words(rng.randint(*LENGTHS))
        if not fired(rules[group], said, person) and _is_talk(said):
            return Said(group, person, sentence(said))


def fired(rules: Iterable[Row], said: Iterable[str], person: int) -> list[str]:
    """The ids of the rules of a group that words of a person fire, exact words, before anything has fired."""
    words = {word.lower() for word in said}
    return [
        rule["id"]
        for rule in rules
        if rule["sender_scope"] == "anyone" or rule["person"] == person
        if any(words.issuperset(entry.lower().split()) for entry in rule["trigger_keywords"])
    ]


def _is_talk(said: list[str]) -> bool:
    """Not by chance a sentence that asks for a rule or a reminder."""
    return parse_sentence(sentence(said)) is None
