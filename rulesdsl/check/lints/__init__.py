"""Lints: warnings about packs that can be played.

A lint is a function `(Checked, Layered, Findings) -> None` that examines a pack without errors and
reports warnings, with codes from W601. Each lint has its own module and is listed in `LINTS`; a
new one also needs a code, a page and a broken pack (see CONTRIBUTING). There are three techniques:

* liveness: `unused` compares declarations with their uses, which come from the table of node
  traits; `never_used` finds effects that no game reaches; `unread_table` finds unread files.
* abstract interpretation: `never_used`, `never_paid` and `negative_amount` query the intervals for
  guards that cannot hold, prices that nobody can pay, and amounts that are never positive.
  `unreachable_verdict` queries the prover for a condition that an earlier one covers.
* comparison: `text_differs` compares an entry's text and effect, `same_title` compares titles,
  `missing_source` looks for the sources of numbers, `no_effect` finds steps that change nothing,
  `long_text` finds text too long for a line, and `left_out` finds text that omits its subject.

A lint reads procedures in `checked.steps` as they are written, or in `checked.bodies` with their
guards. Lines of a menu, of `choose one` and of `may` are all lines of a `Decide`.

When in doubt, a lint says nothing, since a false alarm costs more than a missed hint. Lints may
import any part of the checker; only `frontend` imports them. Start with `unused`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rulesdsl.check.lints.left_out import left_out
from rulesdsl.check.lints.long_text import long_text
from rulesdsl.check.lints.missing_source import missing_source
from rulesdsl.check.lints.negative_amount import negative_amount
from rulesdsl.check.lints.never_paid import never_paid
from rulesdsl.check.lints.never_used import never_used
from rulesdsl.check.lints.no_effect import no_effect
from rulesdsl.check.lints.same_title import same_title
from rulesdsl.check.lints.text_differs import text_differs
from rulesdsl.check.lints.unreachable_verdict import unreachable_verdict
from rulesdsl.check.lints.unread_table import unread_table
from rulesdsl.check.lints.unused import unused
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

Lint: TypeAlias = "Callable[[Checked, Layered, Findings], None]"

LINTS: tuple[Lint, ...] = (
    unused,
    unread_table,
    never_used,
    never_paid,
    negative_amount,
    no_effect,
    text_differs,
    missing_source,
    same_title,
    unreachable_verdict,
    long_text,
    left_out,
)


def run_lints(checked: Checked, layers: Layered, findings: Findings) -> None:
    """Run all lints over a pack without errors."""
    for lint in LINTS:
        lint(checked, layers, findings)
