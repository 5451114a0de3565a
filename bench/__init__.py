"""Benchmarks of the engine, each against a reference."""
