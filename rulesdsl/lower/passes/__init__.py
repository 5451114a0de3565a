"""Passes over the flat form: each makes the same program shorter or faster."""
