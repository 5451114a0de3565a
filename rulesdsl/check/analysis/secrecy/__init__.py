"""Analyses of what is hidden: who sees what, and which steps reveal it."""
