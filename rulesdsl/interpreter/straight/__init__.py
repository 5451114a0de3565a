"""The second back end: a whole game as straight functions, each decision taken at once.

It starts from the same form as the engine that stops at decisions and plays the same games; it
keeps no frames, and so can neither stop nor be copied on the way.
"""
