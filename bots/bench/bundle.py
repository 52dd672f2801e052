"""What `remembrancer bench bundle` measures: bundles of a namespace full of intents, beside an indexed point read."""

import random
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from bots.bench.figures import Sample, Versus, pair, timed
from bots.bench.replay import Replay, ReplayClock, moment
from bots.bench.workload import START_MS, Chatter, sentence
from core.goals.objects import GoalDraft, IntentType
from core.services.add_goal import AddGoal
from core.services.build_bundle import BuildBundle, Bundle, about
from core.services.bundle_sent import BundleSent
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Priority
from core.text.zones import MarkedText
from core.turn import Actor, ActorType, Principal, Turn, Where
from storage import floors
from storage.unit_of_work import SqlStore

BATCH = 20
WARM_UP = 5
WORDS = 40
COLD = 20
SHARES = {Priority.CRITICAL: 2, Priority.HIGH: 8, Priority.MEDIUM: 60, Priority.LOW: 30}
NAMES = (
    "Acme", "Apollo", "Grafana", "Kestrel", "Lisbon", "Marseille", "Nakamura", "Okonkwo", "Postgres", "Quokka",
    "Redis", "Siobhan", "Terraform", "Uppsala", "Vasquez", "Wojciech", "Xerxes", "Yokohama", "Zephyr", "PROJ-42",
    "PROJ-77", "v2.1", "Q3", "#launch", "#billing",
)  # fmt: skip
HOME = Where("discord", "bench", "bench", "general", "general")
OWNER = Principal("discord", "bench", "owner")
SPEAKER = Principal("discord", "bench", "speaker")


def bundles(store: SqlStore, intents: int, turns: int, seed: int) -> dict[str, Any]:
    """Bundles of turns of forty words, two of them names that intents have; then the first ones after a change.

    All intents are active and in one namespace. What a turn makes of standing intents is measured by `bench turns`.
    """
    clock = ReplayClock(moment(START_MS))
    ctx = Replay(store, exact=True, clock=clock).context
    rng = random.Random(seed)  # noqa: S311  # a workload, not a secret
    fill(ctx, intents, rng)
    BundleSent(ctx)(BuildBundle(ctx)(about(_turn(ctx, rng, Chatter(rng), -1))), HOME)
    build, said = BuildBundle(ctx), _turns(ctx, clock, rng, turns)
    versus, last = Versus(), None
    for number in range(-(-turns // BATCH) + 1):
        taken: list[Sample] = []
        for _ in range(BATCH):
            turn, outcome = next(said)
            sample, last = timed(partial(build, about(turn, outcome)))
            taken.append(sample)
        if number:  # the first warms up
            versus.add(taken, floors.point_read(store, BATCH, WARM_UP))
    assert last is not None  # noqa: S101  # there is a batch
    return {
        "intents": intents,
        "seed": seed,
        "bundles": len(versus.measured),
        "bundle": pair(versus.measured),
        "after_a_change": pair(_cold(ctx, build, rng)),
        "last": _shape(last),
        "floors": {"point_read": pair(versus.floor)},
        "ratios": {f"bundle_{kind}": value for kind, value in versus.ratios().items()},
    }


def fill(ctx: Context, intents: int, rng: random.Random) -> None:
    """So many active intents, made by the service one by one."""
    add, chatter = AddGoal(ctx), Chatter(rng)
    owner = Actor(ActorType.HUMAN_USER, OWNER.user_id, "Owner", OWNER, is_owner=True)
    for number in range(intents):
        add(_draft(rng, chatter), owner, HOME, f"message-{number}")


def _draft(rng: random.Random, chatter: Chatter) -> GoalDraft:
    words = chatter.words(rng.randint(6, 14))
    words.insert(rng.randint(1, len(words)), rng.choice(NAMES))
    priority = rng.choices(list(SHARES), list(SHARES.values()))[0]
    return GoalDraft(rng.choice(list(IntentType)), sentence_with_names(words), priority)


def sentence_with_names(words: list[str]) -> str:
    """A sentence whose other words keep their capitals."""
    return " ".join([sentence(words[:1])[:-1], *words[1:]]) + "."


def _turns(ctx: Context, clock: ReplayClock, rng: random.Random, turns: int) -> Iterator[tuple[Turn, Any]]:
    receive, chatter = ReceiveTurn(ctx), Chatter(rng)
    for number in range(turns + 2 * BATCH):
        clock.at += timedelta(seconds=1)
        turn = _turn(ctx, rng, chatter, number)
        yield turn, receive(turn)


def _turn(ctx: Context, rng: random.Random, chatter: Chatter, number: int) -> Turn:
    words = chatter.words(WORDS - 2)
    for name in rng.sample(NAMES, 2):
        words.insert(rng.randint(1, len(words)), name)
    text, now = MarkedText(sentence_with_names(words)), ctx.clock.now()
    return Turn(HOME, f"turn-{number}", text, now, now, SPEAKER, "Speaker")


def _cold(ctx: Context, build: BuildBundle, rng: random.Random) -> Iterator[Sample]:
    """The first bundle after an intent was added."""
    chatter = Chatter(rng)
    for number in range(COLD):
        fill(ctx, 1, rng)
        turn = _turn(ctx, rng, chatter, -2 - number)
        yield timed(partial(build, about(turn, ReceiveTurn(ctx)(turn))))[0]


def _shape(bundle: Bundle) -> dict[str, Any]:
    told = bundle.metadata
    left = {str(why): count for why, count in told.left.items()}
    return {"tokens": told.tokens, "shown": len(bundle.items), "left_out": left}
