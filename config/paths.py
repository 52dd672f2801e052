"""Where files of a person go when nothing says otherwise."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

APP = "remembrancer"


def home(env: Mapping[str, str] = os.environ) -> Path:
    """The home directory; the current one where the environment names none."""
    named = env.get("HOME") or env.get("USERPROFILE")
    return Path(named) if named else Path.cwd()


def user_config_dir(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Directory of the person's own `remembrancer.toml`."""
    return _user_dir(env, platform, "XDG_CONFIG_HOME", ".config")


def user_data_dir(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Directory of the person's database, unless `data_dir` is set."""
    return _user_dir(env, platform, "XDG_DATA_HOME", ".local/share")


def _user_dir(env: Mapping[str, str], platform: str, variable: str, fallback: str) -> Path:
    if platform == "win32":
        return Path(env.get("APPDATA") or home(env) / "AppData" / "Roaming") / APP
    if platform == "darwin":
        return home(env) / "Library" / "Application Support" / APP
    named = env.get(variable, "")
    # The specification says: a relative path there is ignored.
    base = Path(named) if Path(named).is_absolute() else home(env) / fallback
    return base / APP
