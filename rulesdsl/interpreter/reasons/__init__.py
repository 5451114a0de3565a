"""Why an option is not offered: its conditions one by one, and the first that fails in words.

`reason` holds what is told, and nothing else of this folder is imported before somebody asks.
`actions` lists all that a game may ever offer.  `asked` takes the conditions of one option apart,
in the order in which the rules ask them.  `looks` computes any value of the checked tree at a
position, by code that is compiled when somebody asks for it.  `failing` goes into a condition to
the part that fails, `words` quotes the rule where the author wrote no text, and `why_not` puts it
all together.

Start with `why_not`.
"""
