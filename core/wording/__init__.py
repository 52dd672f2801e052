"""What people read: read-backs, reminders, lists and explanations, put together from the catalogue. Pure.

Nothing in `core.services` or `core.standing` knows this room; adapters and bots show what it makes.
"""
