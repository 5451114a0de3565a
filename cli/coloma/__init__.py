"""The command `coloma`: play games, and lint, test, try and share the content they are made of."""
