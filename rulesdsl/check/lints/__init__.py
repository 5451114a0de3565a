"""What a designer wants to know although it can be played: one module for each lint.

A lint looks at a pack without errors; its findings are warnings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

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
)


def run_lints(checked: Checked, layers: Layered, findings: Findings) -> None:
    """Run all lints over a pack that was found without errors."""
    for lint in LINTS:
        lint(checked, layers, findings)
