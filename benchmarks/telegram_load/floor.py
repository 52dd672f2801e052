"""The floor: the same library with the same queue, that acknowledges every update and does nothing else.

python -m benchmarks.telegram_load.floor TOKEN API_URL
"""

import sys
import warnings

from telegram.ext import ApplicationBuilder
from telegram.warnings import PTBUserWarning

from adapters.telegram.adapter import UPDATES
from adapters.telegram.receiving import ReceivingQueue
from adapters.telegram.service import POLL_SECONDS


async def _keep_nothing(_update: object) -> bool:
    return False


def main(token: str, url: str) -> None:
    """Poll until SIGTERM."""
    warnings.simplefilter("ignore", PTBUserWarning)
    builder = ApplicationBuilder().token(token).update_queue(ReceivingQueue(_keep_nothing))
    application = builder.base_url(f"{url}/bot").base_file_url(f"{url}/file/bot").build()
    application.run_polling(timeout=POLL_SECONDS, allowed_updates=list(UPDATES))


if __name__ == "__main__":
    main(*sys.argv[1:])
