"""Lints of secrets: what players can infer although the rules hide it.

`announced_choice` finds choices that are announced although what they change is hidden,
`telling_question` questions that are only asked if something hidden is so, and `public_number`
places whose number of pieces tells where hidden ones lie.
"""
