"""Views of a state for one viewer: board, panels, standings, results, and the rulebook."""
