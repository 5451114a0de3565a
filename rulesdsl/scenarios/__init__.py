"""Scenarios: small positions with expected results, stored beside the rules of a pack."""

# The statements and conditions in a scenario are written in the language of the rules. They are
# parsed, resolved and compiled together with the pack, as procedures and values that no rule can
# name. A scenario then runs in an ordinary game: its position is set up, its statement runs, its
# answers are given, and its conditions are evaluated.
#
#     scenario.py      scenarios, their fields (also for editors), results and reports
#     reading.py       TOML files to scenarios, with their texts as syntax trees
#     binding.py       resolves the texts and adds them to the program
#     suite.py         all scenarios of a pack, checked together; they share compiled code
#     running.py       one scenario in a game, and its failures
#     parallel.py      scenarios and lessons in several processes, those that failed last first
#     lessons.py       lessons: scenarios with instructions, step by step
#     coverage.py      rules of the checklist without a scenario
#     mutation.py      mutants: small changes of a pack; mutation_run.py runs the scenarios on them
#
#     [[scenario]]                          Scenario(
#     name = "A round costs a coin"             name="A round costs a coin", span=...,
#     given = ["for p1: gain 2 coins"]          given=(RuleText("for p1: gain 2 coins", ...),),
#     play = "for p1: pay-round"                play=RuleText("for p1: pay-round", ...),
#     do = ["p1 done"]                          do=(ScriptedChoice(1, "done", span=...),),
#     expect = ["coins of p1 = 1"]              expect=(RuleText("coins of p1 = 1", ...),))
#
# This layer imports `packs`, `check`, `lower` and the interpreter. Start at `suite.run_scenarios`.

from __future__ import annotations

from rulesdsl.scenarios.scenario import Failure, ScenarioReport, ScenarioResult
from rulesdsl.scenarios.suite import Suite, load_suite, run_scenarios

__all__ = [
    "Failure",
    "ScenarioReport",
    "ScenarioResult",
    "Suite",
    "load_suite",
    "run_scenarios",
]
