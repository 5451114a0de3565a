"""Playing a game: who sits where, what they are asked, and how they answer."""
