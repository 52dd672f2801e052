"""The command line. `main` is the console script `remembrancer`."""

from bots.cli.app import main

__all__ = ["main"]
