"""Long-running proofs of what the engine promises: `python -m soak games|copies|mutations`."""
