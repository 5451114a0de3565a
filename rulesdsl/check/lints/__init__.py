"""Lints: warnings about packs that can be played.

A lint is a function `(Checked, Layered, Findings) -> None` that examines a pack without errors and
reports warnings, with codes from W601. Each lint has its own module, in a folder of related ones
(`liveness/`, `amounts/`, `secrets/`, `surprises/`, `texts/`), and is listed in `LINTS`; a new one
also needs a code, a page and a broken pack (see CONTRIBUTING).

A lint reads procedures in `checked.steps` as they are written, or in `checked.bodies` with their
guards. Lines of a menu, of `choose one` and of `may` are all lines of a `Decide`.

When in doubt, a lint says nothing, since a false alarm costs more than a missed hint. Lints may
import any part of the checker; only `frontend` imports them. Start with `liveness`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rulesdsl.check.lints.amounts.negative_amount import negative_amount
from rulesdsl.check.lints.amounts.never_paid import never_paid
from rulesdsl.check.lints.amounts.no_effect import no_effect
from rulesdsl.check.lints.liveness.free_costs import free_costs
from rulesdsl.check.lints.liveness.hollow import hollow
from rulesdsl.check.lints.liveness.unreachable_effects import unreachable_effects
from rulesdsl.check.lints.liveness.unreachable_verdict import unreachable_verdict
from rulesdsl.check.lints.liveness.unread_table import unread_table
from rulesdsl.check.lints.liveness.unused_declarations import unused_declarations
from rulesdsl.check.lints.secrets.announced_choice import announced_choice
from rulesdsl.check.lints.secrets.public_number import public_number
from rulesdsl.check.lints.secrets.telling_question import telling_question
from rulesdsl.check.lints.surprises.absent_position import absent_position
from rulesdsl.check.lints.surprises.equal_copies import equal_copies
from rulesdsl.check.lints.surprises.filter_read_once import filter_read_once
from rulesdsl.check.lints.surprises.hides_nothing import hides_nothing
from rulesdsl.check.lints.surprises.mixed_joins import mixed_joins
from rulesdsl.check.lints.surprises.moved_again import moved_again
from rulesdsl.check.lints.surprises.open_to_all import open_to_all
from rulesdsl.check.lints.surprises.same_for_all import same_for_all
from rulesdsl.check.lints.surprises.shown_nowhere import shown_nowhere
from rulesdsl.check.lints.surprises.skipped_at_end import skipped_at_end
from rulesdsl.check.lints.surprises.unchosen_pieces import unchosen_pieces
from rulesdsl.check.lints.texts.imperative_in_log import imperative_in_log
from rulesdsl.check.lints.texts.left_out import left_out
from rulesdsl.check.lints.texts.long_text import long_text
from rulesdsl.check.lints.texts.missing_source import missing_source
from rulesdsl.check.lints.texts.missing_words import missing_words
from rulesdsl.check.lints.texts.same_title import same_title
from rulesdsl.check.lints.texts.text_differs import text_differs
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

Lint: TypeAlias = "Callable[[Checked, Layered, Findings], None]"

LINTS: tuple[Lint, ...] = (
    unused_declarations,
    unread_table,
    unreachable_effects,
    never_paid,
    negative_amount,
    no_effect,
    text_differs,
    missing_source,
    same_title,
    unreachable_verdict,
    long_text,
    left_out,
    unchosen_pieces,
    filter_read_once,
    absent_position,
    open_to_all,
    equal_copies,
    shown_nowhere,
    hides_nothing,
    public_number,
    hollow,
    free_costs,
    same_for_all,
    mixed_joins,
    moved_again,
    skipped_at_end,
    telling_question,
    announced_choice,
    missing_words,
    imperative_in_log,
)


def run_lints(checked: Checked, layers: Layered, findings: Findings) -> None:
    """Run all lints over a pack without errors."""
    for lint in LINTS:
        lint(checked, layers, findings)
