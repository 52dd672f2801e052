"""Telegram by python-telegram-bot."""

import os

# The library's own way from here on; without it every wait that the service asks for warns of the old one.
os.environ.setdefault("PTB_TIMEDELTA", "true")
