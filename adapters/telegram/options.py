"""What the Telegram bot is told from outside."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WebhookOptions:
    """Telegram calls `url`; the program listens at `host` and `port` and takes only calls that bear `secret`.

    `url` is https (http for this machine's own addresses); `secret` is 1 to 256 letters, digits, - and _.
    """

    url: str
    host: str
    port: int
    secret: str = field(repr=False)
