"""`python -m bots` is `remembrancer`."""

import sys

from bots.cli import main

if __name__ == "__main__":
    sys.exit(main())
