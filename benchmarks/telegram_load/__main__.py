"""Messages through a whole Telegram bot, at full size:

    python -m benchmarks.telegram_load --seconds 60 --rate 50 --intents 10000 --seed 7 [--groups 40] [--json]

`remembrancer run` is a child process with the real client library; the Telegram is one on a loopback socket. The exit
code is 1 where something was lost, doubled or wrong.
"""

import sys
from collections.abc import Sequence

from benchmarks.load.command import run
from benchmarks.telegram_load.stage import measure


def main(arguments: Sequence[str]) -> int:
    """Measure once and print what came of it."""
    return run("python -m benchmarks.telegram_load", measure, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
