"""Lints of lines that do something else than a reader expects.

`unchosen_pieces` finds moves that do not say which pieces go, `filter_read_once` filters that a
loop changes, `equal_copies` pieces compared as if copies differed, `absent_position` comparisons
that hold for what is not there, `open_to_all` secret choices among everybody's pieces,
`shown_nowhere` what no panel shows, `hides_nothing` a `seen by` without effect, `same_for_all` a
part of a filter that is not about the candidate, `mixed_joins` `and` beside `or` without brackets,
and `skipped_at_end` hooks that `end game` skips.
"""
