"""The small games written by hand, as a good Python programmer would write them.

Each module holds one slotted class with a list for the board.
The legal moves are listed afresh at every turn; there are no bitboards, and nothing is kept from
one turn to the next but the position and where its pieces stand.
What is compared is one way of playing with another, so the moves are drawn in the cheapest way.
"""
