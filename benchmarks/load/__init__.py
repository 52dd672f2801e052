"""Messages through a whole bot on a platform of one's own: what the measurements of all platforms share."""
