"""The journal of a session: written while it is played, read to go on or to look back."""
