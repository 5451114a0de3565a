"""Scenarios: small positions that a pack keeps beside its rules, and what has to follow.

The technique is weaving. The texts of a scenario are statements and conditions of the language,
so they are parsed, resolved and compiled with the rules of the pack, as steps and values that no
rule can name. A scenario then runs in an ordinary game: its position is set up, its statement
runs, its answers are given, and its conditions are looked at.

    scenario.py   what a scenario says; fields.py is the list of its fields, which editors get too
    reading.py    from TOML files to scenarios
    parsing.py    their texts as syntax; weaving.py resolves them and adds them to the program
    suite.py      all scenarios of a pack: which can share compiled code, and in which order
    running.py    one scenario in a game, and why it failed; report.py tells people
    sharing.py    scenarios and lessons in several processes, those that failed last first
    coverage.py   rules of the checklist that no scenario is about

    lessons/      lessons: scenarios with words, step by step

The same scenarios say how well they guard the rules. `breaking.py` plants small mistakes in
numbers, words and lines (a mutation test) and looks which scenario notices; touched.py knows which
scenarios go through a place at all, so that only those run.

    [[scenario]]                          Scenario(
    name = "A round costs a coin"             name="A round costs a coin", span=...,
    given = ["for p1: gain 2 coins"]          given=(RuleText("for p1: gain 2 coins", ...),),
    play = "for p1: pay-round"                play=RuleText("for p1: pay-round", ...),
    do = ["p1 done"]                          do=(Pick(1, "done", span=...),),
    expect = ["coins of p1 = 1"]              expect=(RuleText("coins of p1 = 1", ...),))

It may import all layers below: `packs`, `check`, `lower` and the interpreter. Start at
`suite.run_scenarios`.
"""

from __future__ import annotations

from rulesdsl.scenarios.report import Failure, ScenarioReport, ScenarioResult
from rulesdsl.scenarios.suite import Suite, load_suite, run_scenarios

__all__ = [
    "Failure",
    "ScenarioReport",
    "ScenarioResult",
    "Suite",
    "load_suite",
    "run_scenarios",
]
