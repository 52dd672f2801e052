"""How long a message waits in a running Discord bot, and whether anything is lost or doubled on the way."""
