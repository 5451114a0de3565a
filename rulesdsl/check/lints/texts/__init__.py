"""Lints of texts and tables, found by comparison.

`text_differs` compares an entry's text and effect, `same_title` compares titles, `missing_source`
looks for the sources of numbers, `long_text` finds text too long for a line, `left_out` finds text
that omits its subject, `missing_words` what players would read as rule source, and
`imperative_in_log` commands in the log.
"""
