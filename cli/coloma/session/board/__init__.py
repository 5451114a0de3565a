"""The board in a terminal: its parts, their layout and drawing."""
