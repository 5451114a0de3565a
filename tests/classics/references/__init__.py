"""Small games of the tests' own, for the defaults and options that OpenSpiel does not have.

Each is a generator: it yields the ids of the options of every player who is asked, receives a
player and the id chosen, and returns the scores and what the ranking compares.
"""
