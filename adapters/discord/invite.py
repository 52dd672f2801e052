"""What the bot must be allowed on a server, and the link by which somebody brings it there."""

from discord import Permissions
from discord.utils import oauth_url

NEEDED = Permissions(
    read_messages=True,  # what people know as View Channels
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
)


def invite_link(application: int) -> str:
    """The page on which somebody chooses a server for the bot; it asks for what is needed and no more."""
    return oauth_url(application, permissions=NEEDED, scopes=("bot", "applications.commands"))


def lacking(allowed: Permissions) -> tuple[str, ...]:
    """The names of what is needed and not allowed, as the library has them. Administrators may do everything."""
    if allowed.administrator:
        return ()
    return tuple(name for name, needed in NEEDED if needed and not getattr(allowed, name))
