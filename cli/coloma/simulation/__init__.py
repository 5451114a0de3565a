"""Games between bots in bulk, shared among processes or machines, and reports of their figures.

`games` plays a `GamePlan` piece by piece (`rulesdsl.figures` adds the pieces up), and `work`
shares the pieces. `comparing` plays two versions of a pack, and `conclusion` reports the
difference. `tables` shows figures as text, JSON and CSV.
"""
