"""Mutations: small changes of a pack's text, for tests of scenarios and of the engine itself.

A `Mutation` (`mutant.py`) is a stretch of a file and all that may take its place in one way; each
of those makes a `Mutant`. `rules.py` and `tables.py` find mutations that mostly still make sense,
`names.py` says which names can stand for each other, `choosing.py` draws mutants by a seed.
"""
