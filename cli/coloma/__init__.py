"""Command `coloma`: games in the terminal, and tools for writing and testing their rules."""
