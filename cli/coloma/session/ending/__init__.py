"""Points, the final result, and what comes after a game."""
