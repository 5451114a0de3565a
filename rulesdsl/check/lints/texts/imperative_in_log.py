"""W633: the words of a verb in the log that are a command, as an option has them."""

from __future__ import annotations

import re

from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import plural_of
from rulesdsl.source.language import Language
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.printer import print_text

_FIRST = re.compile(r"[a-z]+(?=[ ,.:;]|$)", re.IGNORECASE)
_THIRD_PERSON = re.compile(r"(?<!s)s$")


def imperative_in_log(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report log texts that begin with the first word of a verb or a statement: a command."""
    world = checked.program.world
    verbs = [proc for proc in world.procedures.values() if proc.verb]
    names = {proc.name.rpartition(".")[2].partition("-")[0] for proc in verbs}
    commands = {name for name in names | {*begins("stmt")} if not _THIRD_PERSON.search(name)}
    for proc in verbs:
        text = proc.text
        if text is None or proc.quiet or world.language(text.span) < Language.V0_2:
            continue
        first = _FIRST.match(text.words[0])
        if first is not None and (word := first[0].lower()) in commands:
            findings.report(
                "W633",
                text.span,
                f"The log would read `Ann {print_text(text)[1:-1]}`.",
                f"If `{proc.name}` reads so as a choice or on a card, put `as` before it; or write"
                f" it as the log does: `{plural_of(word)}`.",
            )
