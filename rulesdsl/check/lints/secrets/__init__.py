"""Lints of secrets: what players can infer although the rules hide it.

`telling_question` finds questions that are only asked if something hidden is so.
"""
