"""Session of a game: seats, questions, answers, and their display."""
