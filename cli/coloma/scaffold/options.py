"""The options that a game has to be begun with for things of a kind to come into play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import Program
    from rulesdsl.check.world import OptionInfo


def options_for(kind: str, checked: Checked) -> list[str]:
    """Return `NAME=VALUE` for the options, off at first, under which rules turn to a kind.

    Looked at is what is below an `if` or `when` that asks for the option, and what it calls.
    """
    program = checked.program
    found: dict[str, None] = {}
    for proc in program.procs.values():
        for step in ty.walk(proc.block):
            for condition, block in step.branches if isinstance(step, ty.Branching) else ():
                asked = {
                    each.option for each in ty.walk(condition) if isinstance(each, ty.Setting)
                }
                if asked and _speaks_of(kind, block, program):
                    found |= dict.fromkeys(sorted(asked))
    options = program.world.options
    return [_setting(options[name]) for name in found if _is_off(options[name])]


def _is_off(option: OptionInfo) -> bool:
    return option.default == 0 and (option.switch or option.names[:1] == ("off",))


def _setting(option: OptionInfo) -> str:
    return f"{option.name}={'|'.join(option.names[1:]) or 'on'}"


def _speaks_of(kind: str, block: ty.Block, program: Program) -> bool:
    """Whether what is done below an `if` has to do with things of a kind."""
    done = [block, *(program.procs[key].block for key in _called(block))]
    return any(_is_about(kind, node) for each in done for node in ty.walk(each))


def _called(block: ty.Block) -> Iterator[str]:
    return (each.proc for each in ty.walk(block) if isinstance(each, ty.Run))


def _is_about(kind: str, node: ty.Typed) -> bool:
    types = (getattr(node, "type", None), getattr(node, "element", None))
    return kind in {getattr(each, "of", None) for each in types}
