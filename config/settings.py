"""The settings of a process: their names, types, bounds and defaults.

How they are found (file, environment, flags) is `config.loading`; this module only says what they may be.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from config.paths import user_data_dir
from config.urls import (
    is_discord_api,
    is_gateway,
    is_postgres_address,
    is_service_url,
    listen_address,
    sqlite_path,
    sqlite_url,
    webhook_fault,
)
from core.catalogue import say
from core.text.forms import primary_language
from core.turn import Principal

MASK = "********"
TOKEN = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,100}")
DISCORD_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,50}(?:\.[A-Za-z0-9_-]{1,100}){2}")
SECRETS = ("telegram_token", "telegram_webhook_secret", "discord_token")
"""The settings of which nothing is ever shown. Of `database_url` only the password is one."""
WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
DATABASE_FILE = "remembrancer.db"
POSTGRES_SCHEMES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
SQLITE_SCHEMES = frozenset({"sqlite", "sqlite+pysqlite"})
# Those with word forms or a list of common words in `core.text`; a test holds them together.
LANGUAGES = (
    "ar", "ca", "cs", "da", "de", "el", "en", "eo", "es", "et", "eu", "fa", "fi", "fr", "ga", "hi", "hu", "hy", "id",
    "it", "lt", "nb", "ne", "nl", "pl", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "uk", "yi",
)  # fmt: skip
SECONDS = (
    "heartbeat_seconds",
    "turn_deadline_seconds",
    "busy_timeout_seconds",
    "delivery_poll_seconds",
    "send_lease_seconds",
    "reservation_seconds",
    "turn_max_age_seconds",
    "notice_gap_seconds",
)


class Settings(BaseSettings):
    """Everything a process is told from outside. Unknown keys are errors; values never change."""

    model_config = SettingsConfigDict(
        env_prefix="REMEMBRANCER_",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=False,
    )

    data_dir: Path = Field(default_factory=user_data_dir, description="Directory of everything that is kept.")
    database_url: SecretStr = Field(
        default=SecretStr(""),
        description="Database. Empty: the file remembrancer.db in data_dir. PostgreSQL: postgresql://user@host/name.",
    )
    operators: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        max_length=100,
        description="People who may act everywhere, as provider:account:user_id (stable ids, never names).",
    )
    language: str = Field(default="en", description="Language of spaces that set none (ISO 639 code, as in de).")
    zone: str = Field(default="UTC", max_length=64, description="Time zone of spaces that set none (IANA name).")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least level that is logged: debug, info, warning, error."
    )
    log_format: Literal["console", "json"] = Field(default="console", description="Form of the log: console, json.")
    heartbeat_seconds: float = Field(
        default=60, ge=0.05, le=120, description="Seconds between two runs of the heartbeat (0.05 to 120)."
    )
    turn_deadline_seconds: float = Field(
        default=2,
        ge=0.05,
        le=30,
        description="Seconds after which a turn goes on without memory (0.05 to 30).",
    )
    busy_timeout_seconds: float = Field(
        default=5,
        ge=0.1,
        le=60,
        description="Seconds to wait for another writer of the database (0.1 to 60).",
    )
    delivery_poll_seconds: float = Field(
        default=5, ge=0.05, le=60, description="Seconds between two looks for messages that are due (0.05 to 60)."
    )
    send_lease_seconds: float = Field(
        default=60,
        ge=1,
        le=600,
        description="Seconds after which a message that a process was sending when it died is sent again (1 to 600).",
    )
    reservation_seconds: float = Field(
        default=600,
        ge=1,
        le=3600,
        description="Seconds after which a reminder that was not delivered does not count as one (1 to 3600).",
    )
    turn_max_age_seconds: float = Field(
        default=600,
        ge=1,
        le=86_400,
        description="Seconds after which a message that comes late sets off nothing any more (1 to 86400).",
    )
    notice_gap_seconds: float = Field(
        default=3600,
        ge=1,
        le=86_400,
        description="Seconds between two notices to the same person (1 to 86400).",
    )
    dm_owners: Literal["operators", "self"] = Field(
        default="operators",
        description="Who may make rules in a direct message with the bot: operators, self (everybody, for themselves).",
    )
    telegram_token: SecretStr = Field(
        default=SecretStr(""),
        description="Token of the Telegram bot, from @BotFather. By environment or in a file of its own, never here.",
    )
    telegram_api_url: str = Field(
        default="",
        max_length=300,
        description="Telegram's Bot API. Empty: the real one. Only for a Bot API server of your own: http://host:8081.",
    )
    telegram_webhook_url: str = Field(
        default="",
        max_length=1_000,
        description="Address at which Telegram reaches this bot (https). Empty: long polling, which needs none.",
    )
    telegram_webhook_listen: str = Field(
        default="127.0.0.1:8443",
        max_length=300,
        description="Where the program listens for what comes to telegram_webhook_url, as host:port.",
    )
    telegram_webhook_secret: SecretStr = Field(
        default=SecretStr(""),
        description="Word that Telegram sends with each webhook call. Empty: a new one is made at each start.",
    )
    discord_token: SecretStr = Field(
        default=SecretStr(""),
        description="Token of the Discord bot, from its developer portal. By environment or in a file, never here.",
    )
    discord_api_url: str = Field(
        default="",
        max_length=300,
        description="Discord's API. Empty: the real one. Only for a proxy of your own: http://host:8082/api/v10.",
    )
    discord_gateway_url: str = Field(
        default="",
        max_length=300,
        description="Discord's gateway. Empty: the real one. Only for a proxy of your own: ws://host:8082.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Values come in merged, each with its origin, from `config.loading`."""
        return (init_settings,)

    @field_validator("operators", mode="before")
    @classmethod
    def _split_operators(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator(*SECONDS, mode="before")
    @classmethod
    def _truth_is_no_number(cls, value: Any) -> Any:
        if isinstance(value, bool):
            raise ValueError(say("config.seconds"))
        return value

    @field_validator("operators")
    @classmethod
    def _operators_are_principals(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for operator in value:
            if len(_parts(operator)) != 3 or not all(_parts(operator)):
                raise ValueError(say("config.operator", text=operator))
        return value

    @field_validator("language")
    @classmethod
    def _language_is_known(cls, value: str) -> str:
        if not value.isascii() or not value.islower() or primary_language(value) not in LANGUAGES:
            raise ValueError(say("config.language", text=value[:32], known=" ".join(LANGUAGES)))
        return value

    @field_validator("zone")
    @classmethod
    def _zone_is_known(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(say("config.zone", text=value)) from None
        return value

    @field_validator("database_url")
    @classmethod
    def _url_is_supported(cls, value: SecretStr) -> SecretStr:
        url = value.get_secret_value()
        if not url:
            return value
        scheme, separator, rest = url.partition("://")
        if not separator or scheme not in POSTGRES_SCHEMES | SQLITE_SCHEMES:
            raise ValueError(say("config.url"))
        if "\0" in unquote(url):
            raise ValueError(say("config.nul"))
        if scheme in POSTGRES_SCHEMES:
            if not is_postgres_address(rest):
                raise ValueError(say("config.url.address"))
            return SecretStr(f"postgresql+psycopg://{rest}")
        if "?" in rest:
            raise ValueError(say("config.url.query"))
        return SecretStr(f"sqlite://{rest}")

    @field_validator("telegram_token")
    @classmethod
    def _token_has_its_form(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value().strip()
        if token and not TOKEN.fullmatch(token):
            raise ValueError(say("config.token"))
        return SecretStr(token)

    @field_validator("discord_token")
    @classmethod
    def _discord_token_has_its_form(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value().strip().removeprefix("Bot ").strip()
        if token and not DISCORD_TOKEN.fullmatch(token):
            raise ValueError(say("config.discord.token"))
        return SecretStr(token)

    @field_validator("telegram_webhook_secret")
    @classmethod
    def _word_has_its_form(cls, value: SecretStr) -> SecretStr:
        word = value.get_secret_value().strip()
        if word and not WEBHOOK_SECRET.fullmatch(word):
            raise ValueError(say("config.webhook.secret"))
        return SecretStr(word)

    @field_validator("telegram_api_url")
    @classmethod
    def _service_can_be_called(cls, value: str) -> str:
        if value and not is_service_url(value):
            raise ValueError(say("config.api_url"))
        return value.rstrip("/")

    @field_validator("discord_api_url")
    @classmethod
    def _discord_can_be_called(cls, value: str) -> str:
        if value and not is_discord_api(value):
            raise ValueError(say("config.discord.api_url"))
        return value.rstrip("/")

    @field_validator("discord_gateway_url")
    @classmethod
    def _gateway_can_be_opened(cls, value: str) -> str:
        if value and not is_gateway(value):
            raise ValueError(say("config.discord.gateway_url"))
        return value

    @field_validator("telegram_webhook_url")
    @classmethod
    def _webhook_can_be_called(cls, value: str, info: ValidationInfo) -> str:
        fault = webhook_fault(value, real=not info.data.get("telegram_api_url")) if value else ""
        if fault:
            raise ValueError(say(f"config.webhook.{fault}"))
        return value

    @field_validator("telegram_webhook_listen")
    @classmethod
    def _can_listen_there(cls, value: str) -> str:
        if listen_address(value) is None:
            raise ValueError(say("config.webhook.listen", text=value[:80]))
        return value

    @field_validator("data_dir")
    @classmethod
    def _directory_can_be_named(cls, value: Path) -> Path:
        if "\0" in str(value):
            raise ValueError(say("config.nul"))
        return value

    @model_validator(mode="before")
    @classmethod
    def _empty_is_unset(cls, values: Any) -> Any:
        return {key: value for key, value in values.items() if value is not None}

    def url(self) -> str:
        """The database URL to use, with its password: for the engine only, never for people or logs."""
        return self.database_url.get_secret_value() or sqlite_url(self.data_dir / DATABASE_FILE)

    def file(self) -> Path | None:
        """The database's file; None for PostgreSQL."""
        url = self.url()
        return Path(sqlite_path(url)) if url.startswith("sqlite:") else None

    def masked(self) -> dict[str, Any]:
        """All values as plain data that may be shown: secrets are masked."""
        shown: dict[str, Any] = self.model_dump(mode="json")
        hidden = {name: MASK for name in SECRETS if shown[name]}
        return shown | {"database_url": mask_url(self.url())} | hidden

    def secrets(self) -> tuple[str, ...]:
        """What must never be shown or logged, as it stands in addresses and answers; "" where one is not set."""
        return tuple(getattr(self, name).get_secret_value() for name in SECRETS)

    def principals(self) -> tuple[Principal, ...]:
        """The operators as principals."""
        return tuple(Principal(*_parts(operator)) for operator in self.operators)


def _parts(operator: str) -> tuple[str, ...]:
    return tuple(operator.split(":", 2))


def has_password(url: str) -> bool:
    """Whether a database URL carries a secret."""
    return mask_url(url) != url


def mask_url(url: str) -> str:
    """The URL with every secret in it replaced. Where it cannot be read for certain, too much is masked."""
    shown = re.sub(r"^([\w+.-]+://[^:/?#@]*):.*@", rf"\1:{MASK}@", url)
    return re.sub(r"(?i)([?&](?:password|passfile|sslpassword|sslkey)=)[^&#]*", rf"\1{MASK}", shown)
