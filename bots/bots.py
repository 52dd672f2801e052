"""The bots that there are: how each knows that it is wanted, and how it is made."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from adapters.base.runner import Runner
from adapters.telegram.options import WebhookOptions
from bots.bootstrap import App
from bots.runtime import word
from bots.supervisor import Service
from config.settings import Settings
from config.urls import listen_address


@dataclass(frozen=True, slots=True)
class Bot:
    """`wanted` says whether the settings hold its token, `made` makes its service."""

    wanted: Callable[[Settings], bool]
    made: Callable[[App, Runner, Callable[[], object]], Service]


def telegram_wanted(settings: Settings) -> bool:
    """Whether there is a token."""
    return bool(settings.telegram_token.get_secret_value())


def telegram_made(app: App, run: Runner, changed: Callable[[], object]) -> Service:
    """The Telegram bot of the settings; `changed` is called when another due time may count."""
    settings = app.settings
    # Loaded here: the library takes half a second, and nobody else needs it.
    service: Service = import_module("adapters.telegram.service").TelegramService(
        ctx=app.context,
        run_in_hot_thread=run,
        token=settings.telegram_token.get_secret_value(),
        api_url=settings.telegram_api_url,
        webhook=webhook_of(settings),
        operators=settings.principals(),
        dm_owners=settings.dm_owners == "self",
        poll=settings.delivery_poll_seconds,
        changed=changed,
    )
    return service


def webhook_of(settings: Settings) -> WebhookOptions | None:
    """How Telegram reaches the program; None for long polling. A secret that is not set is made anew each time."""
    if not settings.telegram_webhook_url:
        return None
    address = listen_address(settings.telegram_webhook_listen)
    assert address is not None, "the settings have checked it"  # noqa: S101
    secret = settings.telegram_webhook_secret.get_secret_value() or word()
    return WebhookOptions(settings.telegram_webhook_url, *address, secret)


def discord_wanted(settings: Settings) -> bool:
    """Whether there is a token."""
    return bool(settings.discord_token.get_secret_value())


def discord_made(app: App, run: Runner, changed: Callable[[], object]) -> Service:
    """The Discord bot of the settings; `changed` is called when another due time may count."""
    settings = app.settings
    # Loaded here: the library takes half a second, and nobody else needs it.
    service: Service = import_module("adapters.discord.service").DiscordService(
        ctx=app.context,
        run_in_hot_thread=run,
        token=settings.discord_token.get_secret_value(),
        api_url=settings.discord_api_url,
        gateway_url=settings.discord_gateway_url,
        operators=settings.principals(),
        dm_owners=settings.dm_owners == "self",
        poll=settings.delivery_poll_seconds,
        changed=changed,
    )
    return service


BOTS: dict[str, Bot] = {
    "telegram": Bot(telegram_wanted, telegram_made),
    "discord": Bot(discord_wanted, discord_made),
}
"""By the name that `--only` takes."""
