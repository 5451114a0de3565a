"""The checker: names, types, bounds, and what a designer wants to know."""
