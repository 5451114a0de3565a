"""Lints of secrets: what players can infer although the rules hide it.

`announced_choice` finds choices that are announced although what they change is hidden, and
`telling_question` questions that are only asked if something hidden is so.
"""
