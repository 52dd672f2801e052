"""A discord.py bot with a command of its own, and Remembrancer."""

import os

import discord
from discord.ext import commands

from bots.embed import Remembrancer


class Bot(commands.Bot):
    async def setup_hook(self) -> None:
        await self.add_cog(remembrancer.discord(self))
        await self.tree.sync()


remembrancer = Remembrancer()
intents = discord.Intents.default()
intents.message_content = True
bot = Bot("!", intents=intents)


@bot.tree.command(description="Is the bot there?")
async def ping(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("pong")


bot.run(os.environ["MY_DISCORD_TOKEN"])
