"""The commands, buttons, menus and forms of a small bot, with which the loopback Discord is tested."""

import asyncio

from tests.fakes.discord.engine import discord
from tests.fakes.discord.probe import ProbeClient

Inter = discord.Interaction[ProbeClient]


class Pick(discord.ui.View):
    """A button and a menu that survive a restart."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Done", custom_id="pick:done")
    async def done(self, inter: Inter, button: discord.ui.Button["Pick"]) -> None:
        """Edit the message."""
        await inter.response.edit_message(content="marked done", view=None)

    @discord.ui.select(
        custom_id="pick:kind",
        options=[discord.SelectOption(label="Goal", value="goal"), discord.SelectOption(label="Risk", value="risk")],
    )
    async def kind(self, inter: Inter, select: discord.ui.Select["Pick"]) -> None:
        """Tell the choice to the one who made it."""
        await inter.response.send_message(f"kind={select.values[0]}", ephemeral=True)


class Form(discord.ui.Modal, title="Add a goal"):
    """One line to fill in."""

    goal: discord.ui.TextInput["Form"] = discord.ui.TextInput(label="Goal", custom_id="form:goal", max_length=20)

    async def on_submit(self, inter: Inter) -> None:  # type: ignore[override]  # the client is known here
        """Tell what was filled in."""
        await inter.response.send_message(f"saved: {self.goal.value}", ephemeral=True)


def setup(client: ProbeClient) -> None:
    """Give a client everything."""
    client.add_view(Pick())
    client.tree.add_command(ping)
    client.tree.add_command(pick)
    client.tree.add_command(form)
    client.tree.add_command(intent)
    client.tree.add_command(late)
    client.tree.add_command(remember)


@discord.app_commands.command(description="Answer twice")
async def ping(inter: Inter, times: int = 1) -> None:
    """Put off, answer, and answer again."""
    await inter.response.defer(ephemeral=True, thinking=True)
    await inter.followup.send(f"pong x{times}", ephemeral=True)
    await inter.followup.send("and again", ephemeral=True)
    await inter.edit_original_response(content=f"pong y{times}")


@discord.app_commands.command(description="Show a button and a menu")
async def pick(inter: Inter) -> None:
    """Answer for everybody."""
    await inter.response.send_message("pick one", view=Pick())


@discord.app_commands.command(description="Show a form")
async def form(inter: Inter) -> None:
    """Show it."""
    await inter.response.send_modal(Form())


@discord.app_commands.command(description="Answer too late")
async def late(inter: Inter, seconds: float) -> None:
    """Wait, then answer."""
    await asyncio.sleep(seconds)
    await inter.response.send_message("late", ephemeral=True)


@discord.app_commands.context_menu(name="Remember this")
async def remember(inter: Inter, message: discord.Message) -> None:
    """Tell what was chosen."""
    await inter.response.send_message(f"remembered {message.content}", ephemeral=True)


intent = discord.app_commands.Group(
    name="intent", description="Standing intents", default_permissions=discord.Permissions(manage_guild=True)
)
rule = discord.app_commands.Group(name="rule", description="Their rules", parent=intent)


@rule.command(name="add", description="Add one")
async def add(
    inter: Inter,
    text: str,
    count: discord.app_commands.Range[int, 1, 5] = 1,
    loud: bool = False,
    who: discord.Member | None = None,
    where: discord.TextChannel | None = None,
) -> None:
    """Tell every option."""
    told = f"{text} {count} {loud} {who and who.display_name} {where and where.name}"
    await inter.response.send_message(told, ephemeral=True)


@rule.command(name="cancel", description="Cancel one")
async def cancel(inter: Inter, handle: str) -> None:
    """Tell the handle."""
    await inter.response.send_message(f"cancelled {handle}", ephemeral=True)


@cancel.autocomplete("handle")
async def handles(inter: Inter, typed: str) -> list[discord.app_commands.Choice[str]]:
    """Offer what begins like that."""
    names = ("i-aaaa", "i-bbbb", "r-cccc")
    return [discord.app_commands.Choice(name=f"{one}: text", value=one) for one in names if one.startswith(typed)]
