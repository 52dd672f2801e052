"""English for the database: what went wrong with it, and what whoever runs the program can do."""

STORAGE: dict[str, str] = {
    # where it is
    "storage.url": "The database URL cannot be used.",
    "storage.url.hint": "Set database_url to sqlite:///path/to/file.db or postgresql://user@host/database.",
    "storage.schema_name": "The schema name cannot be used.",
    "storage.schema_name.hint": "Use small letters, digits and _, at most 63.",
    "storage.folder": "The folder {folder} does not exist.",
    "storage.folder.hint": "Create it, or name another folder.",
    "storage.look": "The database file {path} cannot be looked at ({why}).",
    "storage.look.file.hint": "Give the program's user access to it, or change database_url.",
    "storage.create": "The database file {path} cannot be created ({why}).",
    "storage.create.hint": "Check the permissions of its folder, or change database_url.",
    "storage.is_folder": "{path} is a folder.",
    "storage.is_folder.hint": "Let database_url, or the chat's --file, name a file in it.",
    "storage.foreign": "The file is a database of another program.",
    "storage.foreign.hint": "Point database_url, or the chat's --file, at another file.",
    "storage.foreign.schema": "The schema holds the tables of another program.",
    "storage.foreign.schema.hint": "Give Remembrancer a database of its own, and name it in database_url.",
    "storage.not_a_database": "The file is not a Remembrancer database.",
    "storage.not_a_database.hint": "Point database_url, or the chat's --file, at another file, or restore a backup.",
    "storage.cannot_open": "The database file cannot be opened.",
    "storage.cannot_open.hint": (
        "Check that its folder exists and that the program's user may write there; reading needs that too while a"
        " -wal file lies beside it."
    ),
    # its schema
    "storage.newer": "The database was written by a newer version of Remembrancer (schema {current}).",
    "storage.newer.hint": "Start that version, or restore a backup made before its upgrade.",
    "storage.empty": "The database has no tables yet.",
    "storage.older": "The database has an older schema.",
    "storage.table": "A table is missing in the database.",
    "storage.upgrade.hint": "Run `remembrancer db upgrade`.",
    # for now
    "storage.again.hint": "Try again in a moment.",
    "storage.busy": "The database is locked by another process for longer than the busy time-out.",
    "storage.busy.hint": "Try again; if it stays so, look for a second program that holds the file open.",
    "storage.locked": "The database is locked by another part of this program.",
    "storage.in_the_way": "Another transaction was in the way; nothing was stored.",
    "storage.slow": "The PostgreSQL server stopped a statement that took too long.",
    "storage.pool": "All connections to the database are in use.",
    "storage.queue": "Too many turns are waiting for the database.",
    "storage.unreadable": "{handle} holds a value that this version does not know; it is parked and does nothing.",
    "storage.unreadable.hint": "Start the version that wrote it. `remembrancer doctor` lists all such rules.",
    "storage.closed": "The store is closed.",
    "storage.closed.hint": "Start the program again.",
    # disk and file
    "storage.read_only": "The database cannot be written: the file or its folder is read-only.",
    "storage.read_only.hint": (
        "Give the program's user write permission to the file and to the folder. Until then it can be looked at:"
        " `remembrancer intents list`, `remembrancer audit verify`."
    ),
    "storage.unrecorded": "The database can only be read: that it was verified is not written into its log.",
    "storage.disk": "The disk failed while the database was read or written.",
    "storage.disk.hint": "Check the disk; restore the newest backup if the file is damaged.",
    "storage.refused": "The disk took no more (full, over a quota, or failing); nothing was stored.",
    "storage.refused.hint": "Free some space or raise the quota and try again; if it stays so, check the disk.",
    "storage.damaged": "The database file is damaged.",
    "storage.damaged.hint": "Stop the program and restore the newest backup.",
    "storage.full": "The disk is full; nothing was stored.",
    "storage.server_full": "The disk of the PostgreSQL server is full; nothing was stored.",
    "storage.full.hint": "Free some space and try again.",
    # the server
    "storage.away": "The PostgreSQL server does not answer.",
    "storage.away.hint": "Check that it runs and can be reached, then try again.",
    "storage.crowded": "The PostgreSQL server has no free connection.",
    "storage.crowded.hint": "Raise max_connections or run fewer processes.",
    "storage.standby": "The PostgreSQL server is read-only.",
    "storage.standby.hint": "Connect to the primary server.",
    "storage.password": "The PostgreSQL server refused the user or the password.",
    "storage.password.hint": "Check both in database_url (REMEMBRANCER_DATABASE_URL or DATABASE_URL).",
    "storage.unknown": "That PostgreSQL database or user does not exist.",
    "storage.unknown.hint": "Create it, or check database_url.",
    "storage.rights": "The PostgreSQL user may not do that.",
    "storage.rights.hint": "Give the user the rights to its schema.",
    # what is in it
    "storage.namespace": "There is no such namespace.",
    "storage.place": "There is no such place.",
    "storage.look.hint": "Look at the database: `remembrancer doctor`, `remembrancer audit verify`.",
    "storage.handle": "This handle is taken.",
    "storage.handle.hint": "Draw another one.",
    "storage.text": "This text holds a character that cannot be stored.",
    "storage.text.hint": "Leave out NUL characters and halves of surrogate pairs.",
    "storage.analyser": (
        "Another running process analyses text in another way (a different version or language data)."
    ),
    "storage.analyser.hint": "Stop it, or wait {seconds} seconds after its end; then start this one.",
    # defects
    "storage.constraint": "The database refused a row that breaks one of its rules.",
    "storage.defect": "The database could not do what was asked.",
    "storage.defect.hint": "This is a defect; report it with the log.",
    # the hash chains
    "chain.number": "sequence number {wanted} expected",
    "chain.link": "does not follow the row before it",
    "chain.hash": "its fields do not give its hash",
    "chain.end": "the chain should end at number {wanted}",
}
