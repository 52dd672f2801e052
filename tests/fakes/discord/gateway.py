"""The gateway: sessions with IDENTIFY, RESUME and heartbeats over websockets with zlib-stream, and how they break."""

import asyncio
import contextlib
import json
import time
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from tests.fakes.discord.delivery import told
from tests.fakes.discord.engine import Payload, discord, serializers
from tests.fakes.discord.roster import chunks

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

Frame = dict[str, Any]
ABORT = 1006
BAD_TOKEN, BAD_SEQUENCE, NOT_ALLOWED, UNKNOWN_OP = 4004, 4007, 4014, 4001
ENDED = (1000, 1001)
SILENT_OPS = (3, 4)  # presence and voice, which nobody here sees


class Socket:
    """One websocket: frames and close codes leave it in the order they were asked for."""

    def __init__(self, world: "World", ws: web.WebSocketResponse, request: web.Request) -> None:
        self._world, self._ws, self._request = world, ws, request
        self._compressor = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self._leaving: asyncio.Queue[Frame | int] = asyncio.Queue()
        self.session: Session | None = None

    def send(self, frame: Frame) -> None:
        """Send a frame; from any thread."""
        self._world.service.soon(self._leaving.put_nowait, frame)

    def close(self, code: int) -> None:
        """Close after everything sent so far, or break off (`ABORT`); from any thread."""
        self._world.service.soon(self._leaving.put_nowait, code)

    async def write(self) -> None:
        """Bring out what is to be sent, until it is closed."""
        with contextlib.suppress(ConnectionError):
            while True:
                item = await self._leaving.get()
                if isinstance(item, int):
                    await self._end(item)
                    return
                text = json.dumps(item)
                self._world.gateway.hands_out(item)
                if self._compressor is None:
                    await self._ws.send_str(text)
                else:
                    packed = self._compressor.compress(text.encode()) + self._compressor.flush(zlib.Z_SYNC_FLUSH)
                    await self._ws.send_bytes(packed)

    async def _end(self, code: int) -> None:
        if code != ABORT:
            await self._ws.close(code=code)
        elif self._request.transport is not None:
            self._request.transport.abort()


class Session:
    """What one IDENTIFY began: its intents, and every event it was told, for a RESUME."""

    def __init__(self, id: str, wanted: discord.Intents) -> None:
        self.id, self.wanted = id, wanted
        self.frames: list[Frame] = []
        self.socket: Socket | None = None

    def push(self, event: str, payload: Payload) -> None:
        """Number an event, keep it and send it."""
        frame = {"op": 0, "t": event, "s": len(self.frames) + 1, "d": payload}
        self.frames.append(frame)
        if self.socket is not None:
            self.socket.send(frame)


class Gateway:
    """Accepts websockets, tells events, and breaks as a test asks. `identifies`, `resumes`, `heartbeats` count.

    `handed` tells when each message first left for a client (seconds since 1970).
    """

    def __init__(self, world: "World", heartbeat_ms: int) -> None:
        self.world = world
        self.heartbeat_ms = heartbeat_ms
        self.identifies = self.resumes = self.heartbeats = 0
        self.intents = 0
        self.ack_seconds: float | None = 0.0
        self.repeats_on_resume = 0
        self.sessions: dict[str, Session] = {}
        self.handed: dict[int, float] = {}
        self._sockets: set[Socket] = set()

    # ---- what tests ask for

    @property
    def connected(self) -> bool:
        """Whether a session listens now."""
        return any(session.socket is not None for session in self.sessions.values())

    def drop(self, code: int = 4000) -> None:
        """Close every websocket with a code (`ABORT`: break it); most codes leave a session that can be resumed."""
        with self.world.lock:
            for socket in list(self._sockets):
                if code in ENDED and socket.session is not None:
                    self.sessions.pop(socket.session.id, None)
                self._part(socket)
                socket.close(code)

    def reconnect(self) -> None:
        """Op 7: ask every client to connect again and resume."""
        self._to_all({"op": 7, "d": None, "s": None, "t": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Op 9: tell every client that its session is invalid; where not resumable it is forgotten."""
        with self.world.lock:
            self._to_all({"op": 9, "d": resumable, "s": None, "t": None})
            if not resumable:
                self.sessions.clear()

    def forget(self) -> None:
        """Forget the sessions: a later RESUME is answered by op 9."""
        with self.world.lock:
            self.sessions.clear()

    def repeat(self, event: str = "MESSAGE_CREATE") -> None:
        """Tell the last such event once more, under a new number."""
        with self.world.lock:
            for session in self.sessions.values():
                frame = next(frame for frame in reversed(session.frames) if frame["t"] == event)
                session.push(event, frame["d"])

    def told(self, event: str) -> list[Payload]:
        """What the sessions there are were told of such events."""
        with self.world.lock:
            return [frame["d"] for one in self.sessions.values() for frame in one.frames if frame["t"] == event]

    def _to_all(self, frame: Frame) -> None:
        with self.world.lock:
            for session in self.sessions.values():
                if session.socket is not None:
                    session.socket.send(frame)

    # ---- for the world

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Tell every session of an event, as far as it may know; those that are away find it when they resume."""
        with self.world.lock:
            for session in self.sessions.values():
                made = told(self.world, session.wanted, event, payload)
                if made is not None:
                    session.push(event, made)
            self.world.changed()

    def hands_out(self, frame: Frame) -> None:
        """A frame leaves now."""
        if frame["t"] == "MESSAGE_CREATE":
            self.handed.setdefault(int(frame["d"]["id"]), time.time())

    async def closes(self) -> None:
        """Close everything, at the end."""
        for socket in list(self._sockets):
            socket.close(1001)
        for _ in range(20):
            if not self._sockets:
                return
            await asyncio.sleep(0.01)

    # ---- websockets

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One websocket from HELLO to its end."""
        if self.world.dark:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if request.query.get("compress", "zlib-stream") != "zlib-stream" or request.query.get("v") != "10":
            self.world.complain(f"this gateway was asked for, which is not understood here: {request.query_string}")
        ws = web.WebSocketResponse(max_msg_size=0)
        await ws.prepare(request)
        socket = Socket(self.world, ws, request)
        self._sockets.add(socket)
        writer = asyncio.create_task(socket.write())
        socket.send({"op": 10, "d": {"heartbeat_interval": self.heartbeat_ms}, "s": None, "t": None})
        try:
            async for message in ws:
                if message.type is WSMsgType.TEXT:
                    self._received(socket, json.loads(message.data))
        finally:
            with self.world.lock:
                if self._part(socket) and ws.close_code in ENDED and socket.session is not None:
                    self.sessions.pop(socket.session.id, None)
            writer.cancel()
            self._sockets.discard(socket)
            self.world.changed()
        return ws

    def _part(self, socket: Socket) -> bool:
        """Take a websocket off its session; whether it was still on it, and not closed from here before."""
        if socket.session is None or socket.session.socket is not socket:
            return False
        socket.session.socket = None
        return True

    def _received(self, socket: Socket, frame: Frame) -> None:
        op: int = frame["op"]
        data: Any = frame.get("d")
        with self.world.lock:
            if op == 1:
                self._heartbeat(socket)
            elif op == 2:
                self._identify(socket, data)
            elif op == 6:
                self._resume(socket, data)
            elif op == 8 and socket.session is not None:
                for payload in chunks(self.world, data):
                    socket.session.push("GUILD_MEMBERS_CHUNK", payload)
            elif op not in SILENT_OPS:
                self.world.complain(f"the gateway does not understand op {op}: {data}")
                socket.close(UNKNOWN_OP)
            self.world.changed()

    def _heartbeat(self, socket: Socket) -> None:
        self.heartbeats += 1
        if self.ack_seconds is not None:
            self.world.service.later(self.ack_seconds, socket.send, {"op": 11, "d": None, "s": None, "t": None})

    def _identify(self, socket: Socket, data: Payload) -> None:
        self.identifies += 1
        application = self.world.application
        if data["token"] != application.token:
            socket.close(BAD_TOKEN)
            return
        self.intents = int(data["intents"])
        if application.disallowed(self.intents):
            socket.close(NOT_ALLOWED)
            return
        self.sessions = {one.id: one for one in self.sessions.values() if one.socket is not None}
        session = Session(f"session-{self.identifies}", discord.Intents._from_value(self.intents))
        session.socket, socket.session = socket, session
        self.sessions[session.id] = session
        self._ready(session)

    def _ready(self, session: Session) -> None:
        world = self.world
        guilds = [guild for guild in world.backend.guilds.values() if guild.id not in world.away]
        session.push(
            "READY",
            {
                "v": 10,
                "user": dict(serializers.user_payload(world.backend.bot_user)),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": world.gateway_url,
                "shard": [0, 1],
                "application": {"id": str(world.application.id), "flags": world.application.flags},
            },
        )
        for guild in guilds:
            made = told(world, session.wanted, "GUILD_CREATE", world.guild_payload(guild.id))
            if made is not None:
                session.push("GUILD_CREATE", made)

    def _resume(self, socket: Socket, data: Payload) -> None:
        if data["token"] != self.world.application.token:
            socket.close(BAD_TOKEN)
            return
        session = self.sessions.get(data["session_id"])
        if session is None:
            socket.send({"op": 9, "d": False, "s": None, "t": None})
            return
        if data["seq"] > len(session.frames):
            socket.close(BAD_SEQUENCE)
            return
        self.resumes += 1
        session.socket, socket.session = socket, session
        seen = max(1, data["seq"] - self.repeats_on_resume)  # the first is READY, which is never told again
        for frame in session.frames[seen:]:
            socket.send(frame)
        session.push("RESUMED", {})
