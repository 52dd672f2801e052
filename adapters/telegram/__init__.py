"""Telegram by python-telegram-bot."""
