"""Lints of liveness: what no game reads, reaches or carries out.

`unused_declarations` compares declarations with their uses, which come from the table of node
traits; `unreachable_effects` finds effects that no game reaches, and queries the intervals for
guards that cannot hold; `unread_table` finds unread files; `unreachable_verdict` queries the
prover for a condition that an earlier one covers; `hollow` and `free_costs` find offers and costs
that may do nothing.
"""
