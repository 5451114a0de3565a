"""Scaffolds: small packs and entries to begin with, made from what a game declares."""
