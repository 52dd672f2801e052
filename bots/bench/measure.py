"""What `remembrancer bench fires|create|long-message` measures, each beside its floor on the same store."""

from datetime import timedelta
from functools import partial
from itertools import count, islice
from typing import Any

from bots.bench.figures import Figures, Sample, Versus, pair, percentiles, timed
from bots.bench.replay import Replay, ReplayClock, moment, turn_of
from bots.bench.workload import START_MS, Row, make_group_turns, make_groups, make_intents, make_prose
from core.limits import LIMITS
from core.services.create_intent import CreateIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import ChannelScope, Draft
from core.text.analyse import analyse
from core.turn import Actor, ActorType, Principal, Where
from storage import floors
from storage.unit_of_work import SqlStore

BATCH = 20
ROOMS = 50
MOST = LIMITS.fires_per_turn
GROUPS_FROM = 1 << 29
PER_SPACE = 200
PEOPLE = 20
MS = 1e6


def fires(store: SqlStore, turns: int, seed: int) -> dict[str, Any]:
    """Turns with exactly one, two and three fires, in rooms of their own, beside read + update + insert.

    What a further fire costs is the difference of their medians.
    """
    run = Replay(store, exact=True, first=GROUPS_FROM)
    kinds: dict[int, tuple[Any, Versus, Figures]] = {}
    for number in range(1, MOST + 1):
        groups: list[Row] = list(make_groups(ROOMS, number, seed))
        run.load(groups)
        kinds[number] = (make_group_turns(turns + BATCH, groups, seed + number), Versus(), Figures())
        run.run(islice(kinds[number][0], BATCH))
    with floors.read_update_insert(store) as write:
        for _ in range(-(-turns // BATCH)):
            for rows, versus, seen in kinds.values():
                batch = run.run(islice(rows, BATCH))
                seen.take(batch)
                versus.add(batch.hits, write(BATCH))
    return {"seed": seed, "turns_of_each_kind": turns, **_fires_summary(kinds)}


def _fires_summary(kinds: dict[int, tuple[Any, Versus, Figures]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for number, (_, versus, seen) in kinds.items():
        told[f"fires_{number}"] = {"turns": len(seen), "fires": seen.fires, **pair(versus.measured)}
    floor = [sample for _, versus, _ in kinds.values() for sample in versus.floor]
    further = {
        f"from_{number - 1}_to_{number}_{kind}": round(
            told[f"fires_{number}"][kind]["p50"] - told[f"fires_{number - 1}"][kind]["p50"], 1
        )
        for number in range(2, MOST + 1)
        for kind in ("wall_us", "cpu_us")
    }
    ratios = {f"fires_{n}_{k}": v for n, (_, versus, _) in kinds.items() for k, v in versus.ratios().items()}
    return {**told, "further_fire": further, "floors": {"read_update_insert": pair(floor)}, "ratios": ratios}


def create(store: SqlStore, count_of: int, seed: int) -> dict[str, Any]:
    """Creating an intent with its index rows, evidence and operation, beside the insert of its bare row."""
    use = CreateIntent(Replay(store, exact=False, clock=_at_start()).context)
    like = use(*_asked(next(iter(make_intents(1, seed))), "floor", 0)).key
    wanted = make_intents(count_of + BATCH, seed)
    numbers, copies, versus = count(), count(), Versus()
    for row in islice(wanted, BATCH):
        use(*_asked(row, "bench", next(numbers)))
    while batch := tuple(islice(wanted, BATCH)):
        measured = [timed(partial(use, *_asked(row, "bench", next(numbers))))[0] for row in batch]
        versus.add(measured, floors.insert_intent(store, like, copies, BATCH))
    return {
        "seed": seed,
        "created": len(versus.measured),
        "create": pair(versus.measured),
        "floors": {"insert_row": pair(versus.floor)},
        "ratios": {f"create_{kind}": value for kind, value in versus.ratios().items()},
    }


def _asked(row: Row, name: str, number: int) -> tuple[Draft, Actor, Where, str, str]:
    """An owner's wish: 200 a space, ten a person, in the scopes that an owner may choose."""
    account, person = f"{name}-{number // PER_SPACE}", f"u{number % PEOPLE}"
    room = row["conversation_id"]
    scope = ChannelScope.SPACE if row["scope"] == "anywhere" else ChannelScope.CHANNEL
    triggers = "\n".join(row["trigger_keywords"])
    draft = Draft(triggers, str(row["description"]), scope, anyone=row["sender_scope"] == "anyone")
    who = Principal(row["provider"], account, person)
    actor = Actor(ActorType.HUMAN_USER, person, person, who, is_owner=True)
    where = Where(row["provider"], account, account, room, room)
    return draft, actor, where, f"message-{number}", f"When it is about {triggers}, remind me."


def long_message(store: SqlStore, messages: int, seed: int, characters: int = LIMITS.turn_chars) -> dict[str, Any]:
    """Analysis and the whole turn of messages of so many characters, in milliseconds; each of another text."""
    clock = _at_start()
    receive = ReceiveTurn(Replay(store, exact=True, clock=clock).context)
    told: dict[str, Any] = {"seed": seed, "messages": messages, "characters": characters}
    for name, foreign in (("prose", False), ("many_scripts", True)):
        analysed: list[Sample] = []
        whole: list[Sample] = []
        for number in range(-1, messages):
            clock.at += timedelta(seconds=1)
            text = make_prose(characters, seed * 1_000_003 + number + 1, foreign)
            row = {**_SAYS, "turn": f"long-{name}-{number}", "prompt": text}
            turn = turn_of(row, clock.at)
            look, turns = timed(partial(analyse, text))[0], timed(partial(receive, turn))[0]
            if number >= 0:  # the first warms up
                analysed.append(look)
                whole.append(turns)
        told[name] = {"analysis_ms": _ms(analysed), "turn_ms": _ms(whole), "turn_cpu_ms": _ms(whole, 1)}
    return told


_SAYS = {"provider": "discord", "account_id": "a0", "conversation_id": "room-0", "sender_id": "u0"}


def _ms(samples: list[Sample], side: int = 0) -> dict[str, float]:
    return percentiles((sample[side] for sample in samples), MS, 2)


def _at_start() -> ReplayClock:
    return ReplayClock(moment(START_MS))
