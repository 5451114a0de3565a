"""Symbols of a pack: declarations, tables, vocabulary and panels."""
