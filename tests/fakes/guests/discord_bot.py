"""A discord.py bot of somebody else, with a bit of everything that such bots have, and Remembrancer in it."""

import logging
import os

import discord
from discord.ext import commands

from bots.embed import Remembrancer
from core.errors import ConfigError

logging.basicConfig(level=logging.INFO)
OWN_REMIND = "OWN_REMIND" in os.environ


class Panel(discord.ui.View):
    """A button that survives a restart."""

    def __init__(self):
        super().__init__(timeout=None)

    @discord.ui.button(label="Press me", custom_id="panel:press")
    async def press(self, interaction, button):
        await interaction.response.send_message("pressed", ephemeral=True)


class Bot(commands.Bot):
    async def setup_hook(self):
        self.add_view(Panel())
        try:
            await self.add_cog(remembrancer.discord(self))
        except ConfigError as error:
            print(f"without Remembrancer: {error}", flush=True)
        await self.tree.sync()

    async def on_message(self, message):
        if message.content == "anybody there":
            await message.channel.send("I am")
        await self.process_commands(message)

    async def on_command_error(self, context, error):
        await context.send(f"their command failed: {error.__cause__ or error}")


remembrancer = Remembrancer()
intents = discord.Intents.default()
intents.message_content = True
bot = Bot("!", intents=intents, help_command=None)


@bot.tree.error
async def failed(interaction, error):
    await interaction.response.send_message(f"their slash command failed: {error.__cause__}", ephemeral=True)


@bot.tree.command(description="Answer")
async def ping(interaction):
    await interaction.response.send_message("pong", ephemeral=True)


@bot.tree.command(name="boom", description="Fail")
async def slash_boom(interaction):
    raise ValueError("boom")


if OWN_REMIND:

    @bot.tree.command(description="Their own")
    async def remind(interaction):
        await interaction.response.send_message("their own reminder", ephemeral=True)


@bot.command()
async def hello(context):
    await context.send("hello yourself")


@bot.command()
async def boom(context):
    raise ValueError("boom")


@bot.command()
async def panel(context):
    await context.send("a panel", view=Panel())


@bot.command()
async def away(context):
    await bot.remove_cog("Remembrancer")
    names = ", ".join(sorted(command.name for command in bot.tree.get_commands()))
    await context.send(f"used by {remembrancer.users}; commands left: {names}")


@bot.command()
async def back(context):
    await bot.add_cog(remembrancer.discord(bot))
    await context.send(f"used by {remembrancer.users}")


bot.run(os.environ["MY_DISCORD_TOKEN"], log_handler=None)
