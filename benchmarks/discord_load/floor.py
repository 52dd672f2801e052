"""The floor: the same library with the same intents, that replies to every fifth message and does nothing else.

python -m benchmarks.discord_load.floor TOKEN API_URL GATEWAY_URL
"""

import asyncio
import signal
import sys

import discord

from adapters.discord.endpoints import point_at
from adapters.discord.service import Host, listening

EVERY = 5


class Echo(Host):
    """Says again what it heard."""

    def __init__(self) -> None:
        super().__init__(listening(members=True))
        self._heard = 0

    async def setup_hook(self) -> None:
        """End at SIGTERM."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, lambda: asyncio.ensure_future(self.close()))

    async def on_message(self, message: discord.Message, /) -> None:
        """Reply to every fifth message, as many as fire in the stream."""
        if message.author.bot:
            return
        self._heard += 1
        if self._heard % EVERY == 0:
            await message.reply(message.content)


def main(token: str, api_url: str, gateway_url: str) -> None:
    """Listen until SIGTERM."""
    point_at(api_url, gateway_url)
    Echo().run(token, log_handler=None)


if __name__ == "__main__":
    main(*sys.argv[1:])
