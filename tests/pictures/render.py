"""From messages of the loopback Discord to a PNG: simcord's page, shown by the Chromium of this machine."""

import asyncio
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import simcord
from PIL import Image, ImageChops, ImageDraw, ImageFont
from playwright.async_api import async_playwright
from simcord.actors import MemberActor
from simcord.backend.cdn import CDN_BASE
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.preview import Preview, _markdown
from simcord.preview._capture import ManagedCapture

from tests.fakes.discord.engine import discord
from tests.fakes.discord.messages import Message
from tests.fakes.discord.people import Person
from tests.fakes.discord.world import World

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTH, HEIGHT = 700, 2400
SCALE, COLOURS, MARGIN = 2, 64, 12
AS_DISCORD = """ids => {
    const wanted = new Set(ids);
    const other = '.timeline-day-divider, .channel-composer, .message-edited';
    for (const one of document.querySelectorAll(other)) one.remove();
    for (const one of document.querySelectorAll('.channel-message'))
        if (!wanted.has(one.dataset.messageId)) one.remove();
    const place = document.querySelector('#channel-name').textContent.replace(/^#/, '');
    for (const one of document.querySelectorAll('a[href^="https://discord.com/channels/"]')) {
        const pill = document.createElement('span');
        pill.className = 'mention';
        pill.textContent = `#${place}\\u00a0›\\u00a0💬`;
        one.replaceWith(pill);
    }
    const boxes = [...document.querySelectorAll('.channel-message')].map(one => one.getBoundingClientRect());
    return [Math.min(...boxes.map(one => one.top)), Math.max(...boxes.map(one => one.bottom))];
}"""
"""Leaves the wanted messages on the page, and tells where they begin and end.

simcord's page shows three things otherwise than Discord does: there a link to a message is a pill, an answer that was
put off is not "edited", and the description of an embed is read as a message is, with people and faint lines (below).
"""
_markdown._FIELD_POLICIES["embed_description"] |= {"mentions": True, "commands": True, "subtext": True}


class _Browser:
    """The browser, with sharper pictures than simcord asks for."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def new_context(self, **options: Any) -> Any:
        return await self._real.new_context(**(options | {"device_scale_factor": SCALE}))


class _Capture(ManagedCapture):
    """simcord's capture, with this machine's Chromium and nothing on the page but the messages that are wanted."""

    def __init__(self, preview: Preview, wanted: Sequence[Message]) -> None:
        super().__init__(preview)
        self._ids = [str(one.id) for one in wanted]
        self.top = self.bottom = 0.0

    async def _ensure_browser(self) -> Any:
        if self._browser is None:
            self._playwright = await async_playwright().start()
            real = await self._playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            self._browser = _Browser(real)
        return self._browser

    async def _freeze(self, page: Any) -> None:
        await ManagedCapture._freeze(page)
        self.top, self.bottom = await page.evaluate(AS_DISCORD, self._ids)


class _Env(simcord.Env):
    """simcord's environment around the backend of a World, whose bot is a process of its own."""

    def __init__(self, world: World) -> None:
        super().__init__(discord.Client(intents=discord.Intents.none()))
        self.backend = world.backend
        self._started = True

    async def _settle_internal(self, **_: Any) -> None:
        """The story waits for the bot."""


def draw(viewer: Person, messages: Sequence[Message], file: Path) -> None:
    """Write a picture of these messages of one channel, as `viewer` sees them."""
    asyncio.run(_draw(viewer, messages, file))


async def _draw(viewer: Person, messages: Sequence[Message], file: Path) -> None:
    world, channel = viewer.world, messages[0].channel
    env = _Env(world)
    assert channel.guild is not None
    guild = GuildHandle(env, channel.guild.state)
    member = MemberActor(env, guild, UserHandle(env, world.backend.users[viewer.id]))
    shown = env.preview(
        ChannelHandle(env, guild, channel.state),
        viewers=[member],
        layout="channel",
        width=WIDTH,
        height=HEIGHT,
        locale="en-GB",
        assets=_avatars(world),
        presentation_time=world.backend.clock.now(),
    )
    async with shown:
        shown._capture_manager = capture = _Capture(shown, messages)
        made = await shown.screenshot(target=messages[-1].id, mode="viewport", allow_incomplete=True)
    _save(made.png or b"", capture.top, capture.bottom, file)


def _avatars(world: World) -> dict[str, tuple[str, bytes]]:
    made = {}
    for one in world.people.values():
        user = world.backend.users[one.id]
        if user.avatar:
            url = f"{CDN_BASE}/avatars/{one.id}/{user.avatar}.png"
            made[url] = ("avatar.png", avatar(one.name[0].upper(), user.avatar))
    return made


def avatar(letter: str, colour: str) -> bytes:
    """A square of a colour (six digits) with a letter, as PNG."""
    image = Image.new("RGB", (128, 128), f"#{colour[-6:]}")
    font = ImageFont.load_default(72)
    ImageDraw.Draw(image).text((64, 62), letter, font=font, fill="white", anchor="mm")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _save(png: bytes, top: float, bottom: float, file: Path) -> None:
    """Cut off what is empty above and below, and write it with few colours. All are equally wide: one scale for all."""
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    image = whole.crop((0, int(top * SCALE), whole.width, int(bottom * SCALE)))
    ground = image.getpixel((0, 0))
    box = ImageChops.difference(image, Image.new("RGB", image.size, ground)).getbbox()
    assert box is not None, "nothing was drawn"
    edge = MARGIN * SCALE
    made = Image.new("RGB", (image.width, box[3] - box[1] + 2 * edge), ground)
    made.paste(image.crop((0, box[1], image.width, box[3])), (0, edge))
    made.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
