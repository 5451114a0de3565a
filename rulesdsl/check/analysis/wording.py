"""Wording of the findings of the analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.source.diagnostics import Said


_GUARD = (
    "Put `if able:` or `may` before it, or move `up to` that many. Or check before anything "
    "changes: with `needs`, or with an `if any ...:` that has no `where`."
)


# ---------------------------------------------------------------- preconditions
def may_be_impossible(*, of_a_sort: bool) -> Said:
    """Describe a step that may be impossible after the steps before it."""
    several = "\nTo take several from one place, choose each with `let` before you move any."
    return (
        "This may be impossible, and by then it is too late to back out.",
        _GUARD + several * of_a_sort,
    )


def impossible_after_hook(verb: str) -> Said:
    """Describe a `before` hook that can violate a precondition of its verb."""
    return (
        f"After this, `{verb}` may be impossible, and by then it is too late to back out.",
        (
            f"Use `instead of {verb}` with a `needs` for both, or put `if able:` or `may` before "
            "what the hook does."
        ),
    )


# ---------------------------------------------------------------- calls and choices
def circle_of_calls(around: Sequence[str]) -> Said:
    """Describe a cycle of verbs and effects."""
    return (
        f"This runs itself again: {' -> '.join(around)}.",
        "Break the cycle: effects and verbs that run each other must end.",
    )


def circle_of_values(names: Sequence[str]) -> Said:
    """Describe a cyclic definition of values."""
    return (
        f"`{names[0]}` is defined in terms of itself: {' -> '.join(names)}.",
        "Break the cycle: a value is computed from others.",
    )


AUTOMATIC_CHOICE: Said = (
    "An automatic effect cannot offer a choice, but this may ask somebody.",
    "Use `the ... with most ...`, `random ...` or `all ...` instead.",
)
RIVAL_DECIDES: Said = (
    "A rival may act here, and rivals make no choices.",
    "Loop over players instead of seats, or leave the rival nothing to choose.",
)


def outside_activation(name: str, during: str, advice: str) -> Said:
    """Describe a change of a `during` cell outside its verb."""
    return f"`{name}` exists only during `{during}`, but this may run outside it.", advice


def activation_within(name: str, during: str) -> Said:
    """Describe an activation nested in another of the same name, which resets its cells."""
    what = f"`{during}` runs here inside another `{during}`"
    return (
        f"{what}, and each of them resets `{name}`.",
        f"Rename one of the two verbs, or declare `{name}` without `during`.",
    )


# ---------------------------------------------------------------- termination and limits
def endless(given_back: Sequence[str]) -> Said:
    """Describe an option that can be taken forever; `given_back` are the cells it restores."""
    why = "nothing is used up"
    if given_back:
        why = f"everything that it uses up ({', '.join(given_back)}) is given back"
    limit = "or limit it: `up to 3 times`; in a menu `once`"
    return (
        f"This may go on forever: {why}.",
        f"Make it cost something that is never given back, {limit}.",
    )


def too_many_rounds(times: int, most: int) -> Said:
    """Describe a loop with too many rounds."""
    return f"This repeats {times} times; the limit is {most}.", "Use a smaller number."


def too_much_work(work: int, most: int) -> Said:
    """Describe a cost bound over the limit."""
    return (
        f"This can take {work} rounds and calls without a question; the limit is {most}.",
        "Loop fewer times, or nest fewer loops and calls.",
    )


def too_many_levels(levels: int, most: int) -> Said:
    """Describe steps that are nested too deeply."""
    return (
        f"Steps and branches are nested {levels} deep here; the limit is {most}.",
        "Move some of them into a verb of their own.",
    )


def too_deep_calls(depth: int, most: int, names: Sequence[str]) -> Said:
    """Describe a call chain that is too long."""
    return (
        f"These calls go {depth} deep; the limit is {most}: {' -> '.join(names)}.",
        "Shorten the chain of calls.",
    )


TOO_DEEP_TO_CHECK: Said = (
    "Values or verbs of this pack call each other too deeply to be checked.",
    "Shorten the chains of calls.",
)


def too_many(number: int, what: str, most: int) -> Said:
    """Describe a declaration of too many things."""
    return (
        f"There would be {number} {what}; the limit is {most}.",
        "Declare fewer things, or leave out a `per`.",
    )


# ---------------------------------------------------------------- visibility
UNSEEN_BY_ALL: Said = (
    "Nobody can see this, so the text could show it to nobody.",
    "Leave it out, or show it after it has been turned up.",
)
TEXT_TOO_EARLY: Said = (
    "This text is shown before this value is known.",
    "Leave it out of the text, or move its `let` above all conditions.",
)
