"""Where Discord is reached. The library keeps both addresses for the whole process, so they are set before a log-in."""

from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

HOST = "https://discord.com"


def point_at(api_url: str, gateway_url: str) -> None:
    """Use a proxy's HTTP API (`http://host/api/v10`) and gateway (`ws://host`); "" leaves the library's own."""
    if api_url:
        Route.BASE = api_url
    if gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway_url)
