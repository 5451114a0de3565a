"""From TOML tables, and entries in rules, to the entries of kinds.

A value in a table is handed round as `Said`: what is said, in which table, under which path.  So
every finding has its place.  Named numbers come first (`numbers`), as declarations use them; then
the names of all entries (`entries`), so that fields can refer to them; then the fields (`values`,
and `rules_entries` for entries in rules), each checked for the type that its kind declares.
"""
