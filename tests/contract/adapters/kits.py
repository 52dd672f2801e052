"""The platforms whose adapters are tested, and which of them a test is for."""

import pytest

from tests.contract.adapters.console_kit import ConsoleKit
from tests.contract.adapters.discord_kit import DiscordKit
from tests.contract.adapters.kit import Kit
from tests.contract.adapters.telegram_kit import TelegramKit

KITS: dict[str, type[Kit]] = {"telegram": TelegramKit, "discord": DiscordKit, "console": ConsoleKit}
every = pytest.mark.parametrize("kit", KITS, indirect=True)


def having(*features):
    """The platforms that have all of these."""
    found = [name for name, kit in KITS.items() if not kit.LACKS.keys() & set(features)]
    return pytest.mark.parametrize("kit", found, indirect=True)
