"""Lints: what a designer wants to know although the pack can be played.

A lint is a function `(Checked, Layered, Findings) -> None` over a pack that was found without
errors; its findings are warnings, W601 to W613.  There is one module for each, and `LINTS` names
them all: a new lint is a module, a place in that tuple, a code, a page and a broken pack (see
CONTRIBUTING).  They fall into three techniques:

* liveness: `unused` and `never_used` gather what is declared, and what the rules come to from
  where a game begins.  `uses` is the set of pairs of how something is used and its name, read off
  the facts about kinds of nodes; `unread_table` asks the same of files.
* abstract interpretation: `never_used`, `never_paid` and `negative_amount` ask the intervals
  whether a guard can ever hold, a price be paid, an amount be above 0.  `unreachable_verdict` asks
  the prover whether an earlier condition covers a later one.
* comparison: `text_differs` holds the text of an entry against its effect, `same_title` titles
  against each other, `missing_source` numbers against where they come from; `no_effect` finds
  steps that change nothing by their form, `long_text` what does not fit a line, `left_out`
  texts that do not name what they are about.

Lints are silent where they are not sure: a false alarm costs more than a missed hint.  They import
anything of the checker, and nothing of the checker imports them but `read`, which runs them.
Start with `unused`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

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

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.packs.layers import Layered
    from rulesdsl.source.diagnostic import Findings

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
    """Run all lints over a pack that was found without errors."""
    for lint in LINTS:
        lint(checked, layers, findings)
