"""Lints of amounts, found by abstract interpretation.

`never_paid` and `negative_amount` query the intervals for prices that nobody can pay and amounts
that are never positive; `no_effect` finds steps that change nothing.
"""
