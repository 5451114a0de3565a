"""Errors of a table."""


class JournalError(Exception):
    """Journal that cannot be read, written or repeated; the message is for people."""
