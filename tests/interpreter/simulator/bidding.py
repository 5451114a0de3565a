"""A verb with two options, for simulated games."""

from collections.abc import Callable

from rulesdsl import Pack, Simulator

InPython = Callable[[Pack, int], Simulator]  # the type of the fixture `in_python`

BID = """\
verb high: raise my fame by 2
verb low: raise my fame by 1
verb bid:
    needs my fame < 5
    choose one:
        high
        low
"""
