"""A place to find settings in."""

from pathlib import Path

import pytest

from config.loading import Loaded, load
from core.errors import ConfigError


class Place:
    """A directory to start in, an environment, and a person's configuration directory."""

    def __init__(self, root: Path) -> None:
        self.cwd = root / "work"
        self.cwd.mkdir()
        self.user = root / "home" / ".config" / "remembrancer"
        self.user.mkdir(parents=True)
        self.env = {"HOME": str(root / "home")}

    def write(self, text: str, where: Path | None = None) -> Path:
        path = (where or self.cwd) / "remembrancer.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def load(self, config_file: Path | None = None, **flags: object) -> Loaded:
        return load(flags, config_file, self.env, self.cwd)

    def error(self, config_file: Path | None = None, **flags: object) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            self.load(config_file, **flags)
        return caught.value


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
