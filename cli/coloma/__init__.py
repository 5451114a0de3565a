"""The command `coloma`: plays games, and checks, tests, measures and shares their content."""
