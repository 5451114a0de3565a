"""The Python back end: emitters, lazily compiled modules, and their runtime."""
