"""The steps that run a whole bot on a chat platform, and what belongs to it."""

from collections.abc import Callable
from typing import Any

from benchmarks.long import figures
from benchmarks.long.step import Aim, Step
from benchmarks.long.tested import seeded, slow, tested

LOST = Aim("lost fires, reminders and updates", "lost", 0, must=True)
WRONG = Aim("what else was wrong", "wrong", 0, must=True)


def _load(name: str, measure: Callable[..., dict[str, Any]], *aims: Aim) -> Step:
    return Step(
        f"{name.lower()}-load",
        f"50 messages a second through a whole {name} bot with 10,000 intents, beside the library alone",
        measure,
        {"seconds": 60, "rate": 50, "intents": 10_000, "groups": 40, "floor_seconds": 20, "seed": 7},
        {"seconds": 20, "floor_seconds": 10},
        {"seconds": 2, "intents": 1_000, "floor_seconds": 1},
        (*aims, LOST, Aim("doubled fires and reminders", "doubled", 0, must=True), WRONG),
    )


def _kills(name: str, measure: Callable[..., dict[str, Any]], *aims: Aim) -> Step:
    return Step(
        f"{name.lower()}-kills",
        f"kills of a {name} bot while people talk, every second one at a send",
        measure,
        {"kills": 50, "seed": 1},
        {"kills": 6},
        {"kills": 2},
        (
            LOST,
            Aim("doubled fires", "fires_doubled", 0, must=True),
            Aim("reminders repeated without a kill between", "unexplained", 0, must=True),
            *aims,
            WRONG,
        ),
    )


TELEGRAM = (
    _load(
        "Telegram",
        figures.telegram_load,
        Aim("from receipt to the reserved fire, p99", "handed_to_reserved_ms/p99", 250, " ms"),
        Aim("from receipt to the acknowledgement of a fire, p99", "handed_to_acknowledged_ms/p99", 250, " ms"),
    ),
    _kills("Telegram", figures.telegram_kills),
    tested("times", "the property tests of times with 25 seeds", *seeded(25, "tests/property/test_times.py")),
    tested(
        "delivery", "the long run of the state machine of delivery", slow("tests/property/test_delivery_machine.py")
    ),
    tested("moves", "the long run of the state machine of moved chats", slow("tests/property/test_moves.py")),
    tested(
        "timed", "the long run of the state machine of timed reminders", slow("tests/property/test_timed_machine.py")
    ),
)
DISCORD = (
    _load(
        "Discord",
        figures.discord_load,
        Aim("from receipt to the reserved fire, p99", "handed_to_reserved_ms/p99", 250, " ms"),
        Aim("from receipt to the reminder at Discord, p99", "handed_to_sent_ms/p99", 250, " ms"),
    ),
    _kills(
        "Discord",
        figures.discord_kills,
        Aim("reminders that people see twice", "repeated", 0, must=True),
    ),
    tested(
        "discord-sockets",
        "every conversation with a Discord bot over sockets, and with bots that it is built into, three times",
        "tests/e2e|-m|not slow|-k|(test_discord or test_embed) and not test_discord_load",
        times=3,
    ),
    tested("contract", "what every adapter must do, on each platform", "tests/contract|-k|test_adapters|-m|not slow"),
    tested("preview", "the property test of previews with 25 seeds", *seeded(25, "tests/property/test_preview.py")),
    tested(
        "named-bots",
        "the long run of the state machine, with bots and webhooks among those who speak",
        slow("tests/property/test_standing_machine.py"),
    ),
)
