"""The part of the engine's public interface that the commands use, and the way to it.

It is written down as protocols so that the sessions can be tested on a game of ten lines.
"""
