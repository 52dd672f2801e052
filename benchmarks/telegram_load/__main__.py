"""Messages through a whole Telegram bot, at full size:

    python -m benchmarks.telegram_load --seconds 60 --rate 50 --intents 10000 --seed 7 [--groups 40] [--json]

`remembrancer run` is a child process with the real client library; the Telegram is one on a loopback socket. The exit
code is 1 where something was lost, doubled or wrong.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.telegram_load.measure import GROUPS, measure

MUST = ("lost", "doubled", "wrong")


def main(arguments: Sequence[str]) -> int:
    """Measure once and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.telegram_load")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50, help="messages a second")
    parser.add_argument("--intents", type=int, default=10_000)
    parser.add_argument("--groups", type=int, default=GROUPS)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--floor-seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    given = vars(parser.parse_args(arguments))
    as_json = given.pop("json")
    with TemporaryDirectory() as folder:
        told = measure(Path(folder), **given)
    print(json.dumps(told, indent=None if as_json else 2))
    return 1 if any(told[key] for key in MUST) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
