"""Settings by pydantic-settings, the default file, and logging."""
