"""From the intermediate form to Python: states, decisions, random numbers, logs, saves."""
