"""Long-running tests of the engine's guarantees: `python -m soak`, described in the README."""
