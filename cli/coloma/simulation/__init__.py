"""Many games of bots, and what they tell about a game."""
