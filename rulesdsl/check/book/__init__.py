"""The rulebook of a pack: pages of Markdown in which values of the game are in braces.

The technique is weaving, as for scenarios: what is in braces is a phrase of the language, so
it is parsed and resolved with the names of the pack, as a value that no rule can name.

    texts.py    a text cut into words and slots; lessons use it too
    pages.py    a file as a page: its lines, which depend on options, which repeat for entries
    filling.py  slots resolved; `lint` reports what cannot be
    book.py     the pages of a game with its mods

    A kite is {price of kite}.     Row(("A kite is ", Slot("price of kite"), "."))

Start at `book.read_book`; the interpreter fills the slots for a setting.
"""
