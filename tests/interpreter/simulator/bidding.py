"""A verb with two options, for simulated games."""

BID = """\
verb bid:
    needs my fame < 5
    choose one:
        "high": raise my fame by 2
        "low": raise my fame by 1
"""
