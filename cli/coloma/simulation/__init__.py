"""Simulation of many games between bots, and tables of the results.

`games` splits a `GamePlan` into pieces and plays them (`rulesdsl.figures` adds up the results);
`work` distributes the pieces among processes or machines. `comparing` plays two versions of a
pack, and `conclusion` reports the difference. `tables` prints figures as text, JSON and CSV.
"""
