"""Long-running checks of what the engine promises: `python -m soak`, and the README beside it."""
