"""Passes over the flat form: each makes the same program anew, shorter or faster."""
