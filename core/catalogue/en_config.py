"""English for the configuration: which setting of which file or variable cannot be used, and what to write."""

CONFIG: dict[str, str] = {
    # the file
    "config.missing": "There is no configuration file {path}.",
    "config.missing.hint": "Make one with `remembrancer init`.",
    "config.large": "{path} is larger than {limit} bytes.",
    "config.large.hint": "Name the right file with --config.",
    "config.unreadable": "{path} cannot be read: {why}.",
    "config.unreadable.hint": "Check its permissions.",
    "config.not_text": "{path} is not UTF-8 text.",
    "config.not_text.hint": "Save it as UTF-8.",
    "config.not_toml": "{path} is not valid TOML: {why}.",
    "config.not_toml.hint": 'Text needs quotes: zone = "UTC"',
    # keys
    "config.unknown": "Unknown setting '{key}' in {source}.",
    "config.unknown.hint": "The keys are: {keys}.",
    "config.unknown.near.hint": "Did you mean '{key}'?",
    "config.source.variable": "the environment variable {name}",
    "config.source.flags": "the flags",
    "config.twice": "'{key}' is given twice: in {one} and in {other}.",
    "config.twice.hint": "Keep either '{key}' or '{key}_file'.",
    # secrets
    "config.password.file": "{path} holds a password in '{key}'.",
    "config.password.file.hint": (
        "Put the URL into the variable {variable}, or into a file of its own that '{key}_file' names."
    ),
    "config.password.flag": "A password does not belong on the command line (--{flag}).",
    "config.password.flag.hint": "Everybody on this machine can read it there; use the variable {variable}.",
    "config.secret.unreadable": "The file {path} that '{key}' ({origin}) names cannot be read.",
    "config.secret.unreadable.hint": "Check the path and the permissions of that file.",
    "config.secret.length": "The file {path} that '{key}' ({origin}) names is empty or too long.",
    "config.secret.length.hint": "Write the secret into it, and nothing else.",
    # values
    "config.value": "'{key}' in {origin} cannot be used: {why}",
    "config.values": "{first}.",
    "config.values.more": "{first} (and {count} more).",
    "config.values.hint": "`remembrancer init` writes a file with every key explained.",
    "config.seconds": "it must be a number of seconds",
    "config.operator": "'{text}' is not provider:account:user_id, as in console:local:ada",
    "config.zone": "'{text}' is not a time zone, as in Europe/Berlin",
    "config.url": "it must begin with sqlite:/// or postgresql://",
    "config.data_dir": "The data directory {path} cannot be made: {why}.",
    "config.data_dir.hint": "Set data_dir to a directory that you can write.",
    # written and shown
    "config.exists": "{path} exists already.",
    "config.exists.hint": "Edit it, or name another file.",
    "config.unwritable": "{path} cannot be written: {why}.",
    "config.unwritable.hint": "Name another place.",
    "config.written": "Wrote {path}. Every setting is in it, explained and switched off.",
    "config.file": "Configuration file: {path}",
    "config.file.none": "Configuration file: none",
    "config.columns": "setting, value, from",
}
