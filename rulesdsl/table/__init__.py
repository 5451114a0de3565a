"""A table without a face: seats, journal, undo, and what each viewer has read.

Sessions at a terminal and in JSON draw it; it prints nothing and asks nobody.
"""
