"""Analyses of the typed tree: preconditions, intervals, cost, termination, secrecy."""
