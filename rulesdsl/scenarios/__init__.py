"""Scenarios: small positions that a pack keeps beside its rules, and what has to follow."""

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
