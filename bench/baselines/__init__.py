"""The small games written by hand, in good but ordinary Python.

Each module has one slotted class with a list for the board. Legal moves are generated again every
turn; there are no bitboards, and nothing is kept between turns except the position and the cells
of its pieces. Since only the engines are compared, random moves are generated in the cheapest way.
"""
