"""Measure the engine: in one run, on one machine, always beside something to compare it with."""
