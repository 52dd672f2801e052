"""An adapter with its delivery, at a bot that has logged in: the same for a host and for a guest."""

from telegram import Bot, Update

from adapters.base.contract import Post
from adapters.base.delivery import DeliveryLoop
from adapters.base.render import post_of
from adapters.base.runner import Runner
from adapters.telegram.adapter import Options, TelegramAdapter
from core.services.context import Context
from core.services.parcels import Parcel


class Attached:
    """Receives with `take`, acts with `adapter`, and delivers between `start` and `stop`."""

    def __init__(self, ctx: Context, hot: Runner, bot: Bot, options: Options, poll: float) -> None:
        self._ctx = ctx
        self.adapter = TelegramAdapter(ctx, hot, bot, self.wake, options)
        self._delivery = DeliveryLoop(ctx, self.adapter, self._rendered, hot, poll=poll)

    def wake(self) -> None:
        """Something is to be delivered."""
        self._delivery.wake()

    async def take(self, update: Update) -> bool:
        """Receive an update for good; whether it asks for an act. Raises StorageError."""
        return await self.adapter.receiver.take(update)

    async def start(self) -> None:
        """Begin to deliver."""
        await self._delivery.start()

    async def stop(self) -> None:
        """Take nothing more from the outbox; what is being sent is finished."""
        await self._delivery.stop()

    def _rendered(self, parcel: Parcel) -> Post:
        return post_of(parcel, self._ctx.clock.now(), self._ctx.zone_of(parcel.zone))
