"""Addresses as text: of databases (a file's path in one and out of one, what no driver would understand), of services.

`storage.engine.parse_url` reads a path in the same way; a property test holds the two together.
"""

import ipaddress
import os
import re
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit

MAX_PORT = 65_535
WEBHOOK_PORTS = frozenset({443, 80, 88, 8443})
"""The ports that Telegram's service calls."""
DISCORD_API = "/api/v10"
"""The version of Discord's API that the library speaks."""
_HOST = re.compile(r"(?!-)[A-Za-z0-9_.-]{1,253}")
_POSTGRES = re.compile(
    r"(?:[^:/]*(?::[^@]*)?@)?"  # user:password@, as SQLAlchemy reads it
    r"(?:\[[^\[\]/?]+\]|[^:/?\[\]]*)"  # [::1] or a name
    r"(?::(?P<port>[0-9]*))?"
    r"(?:[/?].*)?",
    re.DOTALL,
)


def sqlite_url(path: Path) -> str:
    """The URL of a SQLite file, whatever its path holds: what a URL would read otherwise is escaped."""
    return "sqlite:///" + "".join(map(_escaped, str(path)))


def _escaped(char: str) -> str:
    return quote(os.fsencode(char)) if char in "%?#" or not char.isprintable() else char


def sqlite_path(url: str) -> str:
    """The path in a SQLite URL; "" where there is none."""
    path = url.partition(":///")[2].partition("?")[0]
    return unquote(path, errors="surrogateescape")


def is_postgres_address(rest: str) -> bool:
    """Whether what follows `postgresql://` can be read: brackets that close, a port that is one."""
    found = _POSTGRES.fullmatch(rest)
    return found is not None and 0 <= int((found["port"] or "0")[:9]) <= MAX_PORT


def is_service_url(url: str) -> bool:
    """Whether a URL is `http` or `https`, a host, perhaps a port, and nothing after them."""
    found = _web_address(url)
    return found is not None and found.path in ("", "/") and "?" not in url


def is_discord_api(url: str) -> bool:
    """Whether a URL can be the base of Discord's HTTP API: `http` or `https`, a host, perhaps a port, `/api/v10`."""
    found = _web_address(url)
    return found is not None and found.path.rstrip("/") == DISCORD_API and "?" not in url


def is_gateway(url: str) -> bool:
    """Whether a URL is `ws` or `wss`, a host, perhaps a port and a path."""
    found = _web_address(url, ("ws", "wss"))
    return found is not None and "?" not in url


def webhook_fault(url: str, real: bool) -> str:
    """Why a service cannot call that URL: `url`, `plain` or `port`; "" where it can. `real`: it is Telegram's own."""
    found = _web_address(url)
    if found is None:
        return "url"
    if found.scheme == "http":
        return "" if _is_loopback(found.hostname or "") else "plain"
    return "port" if real and (found.port or 443) not in WEBHOOK_PORTS else ""


def listen_address(text: str) -> tuple[str, int] | None:
    """Host and port of `host:port` ([::1]:8443 for IPv6); None where the text is none. The port is 1 to 65535."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 1 <= int(port[:9]) <= MAX_PORT:
        return None
    if host.startswith("[") and host.endswith("]"):
        return (host[1:-1], int(port)) if _is_ip(host[1:-1], 6) else None
    return (host, int(port)) if _HOST.fullmatch(host) else None


def _web_address(url: str, schemes: tuple[str, ...] = ("http", "https")) -> SplitResult | None:
    """A URL of the web without user, password or fragment, whose host and port can be read."""
    try:
        found = urlsplit(url)
        port = found.port
    except ValueError:
        return None
    host = found.hostname or ""
    plain = url.isascii() and url.isprintable() and " " not in url and "#" not in url and "@" not in found.netloc
    named = _is_ip(host, 6) if "[" in found.netloc else bool(_HOST.fullmatch(host))
    good = plain and named and found.scheme in schemes and port != 0 and not found.netloc.endswith(":")
    return found if good else None


def _is_ip(text: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
