"""What the bodies of a game say: resolved once more, with somebody who notes every name.

For one file only its bodies are resolved, and those that its hooks change; what other files say
of a value is known from the check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs

from rulesdsl.check.naming import Mention, Noted
from rulesdsl.check.replay import NoTrace
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.resolve.program import resolve_program
from rulesdsl.check.world import ProcInfo, ValueInfo
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from rulesdsl.check.program import Program
    from rulesdsl.check.types import Type

T = TypeVar("T")
_ENDS = ("resolve", "ends")  # who wins, which is always resolved: it is asked for as a whole


def mentions_in(program: Program, file: str | None = None) -> list[Mention]:
    """Return every name in the bodies of a program, or of one file, with what it refers to."""
    world, noted = program.world, Noted()
    if file is None:
        resolve_program(Bodies(world, Findings(), noted=noted))
        return noted.mentions
    known = {
        name: (typed.body.type, typed.me is not None)
        for (name, layer), typed in program.values.items()
        if layer == 0 and name in world.values and not _is_in(world.values[name], file)
    }
    resolve_program(Bodies(world, Findings(), _OneFile(file, known), noted=noted))
    return noted.mentions


@attrs.define
class _OneFile(NoTrace):
    """Lets only those bodies be resolved that a file says something of."""

    file: str
    known: dict[str, tuple[Type, bool]]

    def table(self, name: str, content: dict[Any, Any] | None = None) -> dict[Any, Any]:
        """Return a table; what is known of values is there from the beginning."""
        return self.known if name == "types" else dict(content or {})

    def unit(
        self,
        key: tuple[Any, ...],
        given: tuple[object, ...],
        findings: Findings | None,  # noqa: ARG002 - as that of a trace
        run: Callable[[], T],
    ) -> T:
        """Run what has to do with the file, and nothing else: whoever notes does not miss it."""
        if (
            key[:2] == _ENDS
            or key[0] != "resolve"
            or any(_is_in(each, self.file) for each in given)
        ):
            return run()
        return cast("T", None)


def _is_in(given: object, file: str) -> bool:
    """Whether something is said in a file, or changed by a hook in it."""
    span = getattr(given, "span", None)
    hooks = given.hooks if isinstance(given, ProcInfo | ValueInfo) else ()
    here = [each.span.file == file for each in hooks]
    return any(here) or (isinstance(span, Span) and span.file == file)
