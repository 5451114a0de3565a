"""Fixes for findings of the checks, found from the text at their place.

A check says what is wrong; how a text is changed so that it is right is a matter of lines, blanks
and quotes, of which the checks know nothing. So these fixes are added when a report is made:
`offer` looks a finding's code up in a table of functions, each of which takes the `Place` of a
finding and yields fixes. What the checks themselves can say, such as a similar name, they report
with the finding, and it is left as it is.

    offered.py      the table by code: start here
    place.py        a finding with the text around it, and the edits that one makes there
    statements.py   statements and expressions: `if able:`, `for each player:`, brackets
    declarations.py what is declared twice, never used, or has the name of a word
    entries.py      entries of tables: missing fields, sources, values of the wrong kind
    mods.py         what the manifest of a mod has to say

Another fix: CONTRIBUTING.md, "A new lint".
"""
