"""The steps of the long run, and the sheets that tell of them."""

from typing import Any

from benchmarks.long import commands, figures
from benchmarks.long.goals import GOALS
from benchmarks.long.platforms import DISCORD, TELEGRAM
from benchmarks.long.step import Aim, Sheet, Step
from benchmarks.long.tested import tested

SEED = {"seed": 1}
MILLION = 1_000_000
DIFFERING = Aim("turns on which other intents fired", "differing", 0, must=True)
DATABASES = ("sqlite", "postgres")


def _turns(intents: int, *aims: Aim) -> Step:
    return Step(
        f"turns-{intents}",
        f"turns without a hit at {intents:,} intents, exact words, beside indexed point reads",
        figures.turns,
        {"intents": intents, "turns": 20_000, "hit_rate": 0.02, **SEED},
        {"intents": min(intents, 10_000), "turns": 2_000},
        {"intents": 200, "turns": 200, "hit_rate": 0.1},
        aims,
    )


def _over_floor(most: float) -> Aim:
    return Aim("wall p50 over that of a point read", "ratios/without_hits_wall", most, "x")


def _replay(folder: str, label: str, db: str) -> Step:
    return Step(
        f"replay-{label}-{db}",
        f"the workload {folder}, {label}, against an ideal matcher, on {db}",
        commands.replay,
        {"folder": folder, "label": label, "db": db, "turns": None},
        {"turns": 2_000},
        {"turns": 50},
        (DIFFERING,),
    )


def _due(kind: str, how: str) -> Step:
    return Step(
        f"tick-{kind}",
        f"one heartbeat with many rows due ({how}), beside a reader and a writer",
        figures.tick_due,
        {"intents": MILLION, "kind": kind, "due": 100_000, "alone": 2_000, **SEED},
        {"intents": 10_000, "due": 2_000, "alone": 200},
        {"intents": 200, "due": 50, "alone": 20},
        (
            Aim("the write lock held at a time, longest", "held_ms/max", 200, " ms"),
            Aim("another process's wait for the lock, longest", "waited/asking_ms/max", 200, " ms"),
        ),
    )


def _kills(db: str) -> Step:
    aim = Aim("what was wrong after the kills", "wrong", 0, must=True)
    sizes: dict[str, Any] = {"db": db, "kills": 50, **SEED}
    return Step(f"kills-{db}", f"kills at random instants on {db}", commands.kills, sizes, {"kills": 5}, {}, (aim,))


STEPS: tuple[Step, ...] = (
    *(_replay("content-N1000", label, db) for db in DATABASES for label in ("h02", "h25")),
    *(_replay("adv-N10000", "adv", db) for db in DATABASES),
    Step(
        "cases",
        "`remembrancer try` on every case",
        commands.cases,
        {"files": ["matching.jsonl", "more.jsonl"]},
        {},
        {"files": ["matching.jsonl"]},
        (Aim("cases answered otherwise", "differing", 0, must=True),),
    ),
    tested("machine", "the long run of the state machine", "-m|slow|tests/property/test_standing_machine.py"),
    Step(
        "load-1000000",
        "filling a database of 1,000,000 intents",
        figures.load,
        {"intents": MILLION, **SEED},
        {"intents": 10_000},
        {"intents": 200},
        (Aim("seconds", "seconds", 180, " s"),),
    ),
    _turns(1_000),
    _turns(10_000, _over_floor(25), _over_floor(15)),
    _turns(100_000),
    _turns(MILLION),
    Step(
        "turns-crowded-10000",
        "the same at 10,000 intents in four spaces, above the bounds of a space",
        figures.turns,
        {"intents": 10_000, "turns": 20_000, "hit_rate": 0.02, "spaces": 4, **SEED},
        {"turns": 2_000},
        {"intents": 200, "turns": 200},
    ),
    Step(
        "turns-growth",
        "turns without a hit at 1,000,000 intents beside those at 10,000, in alternating batches",
        figures.growth_of_cost,
        {"few": 10_000, "many": MILLION, "turns": 20_000, **SEED},
        {"few": 1_000, "many": 10_000, "turns": 2_000},
        {"few": 100, "many": 300, "turns": 200},
        (Aim("wall p50 at 1,000,000 over that at 10,000", "ratios/many_over_few_wall", 8, "x"),),
    ),
    Step(
        "fires-100000",
        "turns with one, two and three fires at 100,000 intents beside read + update + insert",
        figures.fires,
        {"intents": 100_000, "turns": 1_000, **SEED},
        {"intents": 10_000, "turns": 200},
        {"intents": 200, "turns": 20},
        (Aim("wall p50 of one fire over that of the transaction", "ratios/fires_1_wall", 25, "x"),),
    ),
    Step(
        "long-message",
        "messages of 20,000 characters at 10,000 intents",
        figures.long_message,
        {"intents": 10_000, "messages": 300, "characters": 20_000, **SEED},
        {"messages": 50},
        {"intents": 200, "messages": 2, "characters": 500},
        (
            Aim("the whole turn, prose, p50", "prose/turn_ms/p50", 20, " ms"),
            Aim("the whole turn, prose, p99", "prose/turn_ms/p99", 20, " ms"),
        ),
    ),
    Step(
        "create",
        "creating an intent at 10,000 intents beside the insert of its bare row",
        figures.create,
        {"intents": 10_000, "created": 2_000, **SEED},
        {"created": 400},
        {"intents": 200, "created": 40},
        (Aim("wall p50 over that of the insert", "ratios/create_wall", 6, "x"),),
    ),
    Step(
        "tick-idle",
        "heartbeats with nothing due at 1,000,000 intents",
        figures.tick_idle,
        {"intents": MILLION, "ticks": 1_000, **SEED},
        {"intents": 10_000, "ticks": 300},
        {"intents": 200, "ticks": 10},
        (
            Aim("p50", "tick_ms/p50", 5, " ms"),
            Aim("p99", "tick_ms/p99", 5, " ms"),
            Aim("rows moved", "rows_moved", 0, must=True),
        ),
    ),
    _due("expired", "expired"),
    _due("cooled", "cooldown over"),
    Step(
        "growth",
        "the memory of one process over 1,000,000 turns",
        figures.growth,
        {"intents": 10_000, "turns": MILLION, "every": 10_000, "warm_up": 200_000, **SEED},
        {"turns": 10_000, "every": 500, "warm_up": 2_000},
        {"intents": 200, "turns": 300, "every": 50, "warm_up": 100},
        (Aim("last against first after the warm-up", "grown_percent", 2, " %"),),
    ),
    *(_kills(db) for db in DATABASES),
    tested("races", "the race tests, five times", "tests/fault|-k|race", times=5),
    tested("faults", "the other tests of what goes wrong", "tests/fault|-k|not race and not kill|-m|slow or not slow"),
    *TELEGRAM,
    *DISCORD,
    *GOALS,
    tested("tests", "every test, the slow ones too", "-n|2", "-m|slow"),
)
BY_NAME = {step.name: step for step in STEPS}
SHEETS = (
    Sheet(
        "01-standing-intents",
        "Standing intents",
        (
            *(step.name for step in STEPS if step.name.startswith("replay-")),
            "cases",
            "machine",
            "turns-1000",
            "turns-10000",
            "races",
            "tests",
        ),
    ),
    Sheet(
        "02-hardening",
        "Hardening",
        tuple(
            step.name
            for step in STEPS
            if not step.name.startswith("replay-") and step.name not in {"cases", "machine", "races"}
            if step not in TELEGRAM + DISCORD + GOALS
        ),
    ),
    Sheet("03-telegram", "Telegram, delivery and the clock", tuple(step.name for step in TELEGRAM)),
    Sheet("04-discord", "Discord, previews and bots that rules listen to", tuple(step.name for step in DISCORD)),
    Sheet("05-goals", "Goal memory, the bundle and the log", tuple(step.name for step in GOALS)),
)
