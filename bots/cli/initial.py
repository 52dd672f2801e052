"""`remembrancer init`."""

import errno
import os
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from bots.cli.output import JsonFlag, print_json, print_line
from config.loading import FILE_NAME
from core.catalogue import say
from core.errors import ConfigError


def init(
    path: Annotated[Path, typer.Argument(help="Where to write it; a directory gets remembrancer.toml.")] = Path(
        FILE_NAME
    ),
    as_json: JsonFlag = False,
) -> None:
    """Write a configuration file in which every setting is explained. It never overwrites one."""
    target = path
    text = files("config").joinpath("defaults.toml").read_text(encoding="utf-8")
    try:
        target = path / FILE_NAME if path.is_dir() else path
        if target.parent.exists() and not target.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        target.parent.mkdir(parents=True, exist_ok=True)
        # Exclusive creation: nothing can slip in between a test and the write. Private: it may name secrets.
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise ConfigError(say("config.exists", path=target), say("config.exists.hint")) from None
    except OSError as error:
        raise ConfigError(
            say("config.unwritable", path=target, why=error.strerror), say("config.unwritable.hint")
        ) from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    if as_json:
        print_json({"written": str(target.resolve())})
    else:
        print_line(say("config.written", path=target))
