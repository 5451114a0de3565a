"""Scaffolds: small packs and entries, generated from the declarations of a game."""
