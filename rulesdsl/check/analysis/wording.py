"""Wording of the analyses' findings."""

from __future__ import annotations

from functools import partial

import attrs

from rulesdsl.source.diagnostics import Wording

E405 = partial(Wording, "E405")
E406 = partial(Wording, "E406")
E407 = partial(Wording, "E407")

# ---------------------------------------------------------------- preconditions
MAY_BE_IMPOSSIBLE = Wording(
    "E401",
    "This may be impossible, and by then it is too late to back out.",
    "Put `if able:` or `may` before it, or move `up to` that many. Or ask right before it with an "
    "`if any ...:` that has no `where`.",
)
IMPOSSIBLE_ON_THIS_LINE = attrs.evolve(
    MAY_BE_IMPOSSIBLE,
    advice="Join it with `to` to what comes before it, on one line: `A to B`, or `A to B, C`, is "
    "only offered if all of it is possible.",
)
PAID_ALREADY = attrs.evolve(
    MAY_BE_IMPOSSIBLE,
    advice="Ask for everything at once, or let it cost something that it does not need itself.",
)
DRAWN_TOO_LATE = attrs.evolve(
    MAY_BE_IMPOSSIBLE,
    advice="Chance decides only when this is carried out: ask beforehand, with `needs any ... in "
    "...`, and put this below `if any {drawn}:`.",
)
NOT_ALL_CAN_CHOOSE = attrs.evolve(
    MAY_BE_IMPOSSIBLE,
    message="This may be impossible: a player may have nothing to choose from.",
    advice="Make sure beforehand that everybody has something. With `if able:` before it, nobody "
    "is asked unless all can choose. To ask only those who can, say who: "
    "`all where any ... in my ... choose secretly`.",
)
NO_SURE_OPTION = attrs.evolve(
    MAY_BE_IMPOSSIBLE,
    message="This may be impossible: perhaps none of the options can be carried out.",
    advice='Add an option that is always possible, such as `"Pass": nothing`, or after `or else` '
    "just `nothing`.",
)
IMPOSSIBLE_BELOW_HOOK = attrs.evolve(
    MAY_BE_IMPOSSIBLE,
    advice="Call `{verb}` first, before anything changes; what the hook adds comes after it.",
)
IMPOSSIBLE_AFTER_HOOK = Wording(
    "E401",
    "After this, `{verb}` may be impossible, and by then it is too late to back out.",
    "Use `instead of {verb}`, and join both on one line: `A to {verb} ...` is only offered if all "
    "of it is possible.",
)
IMPOSSIBLE_BY_HOOK = attrs.evolve(IMPOSSIBLE_AFTER_HOOK, advice="Use `after {verb}`.")
CHOOSE_FIRST = (
    "To take several pieces from one place, choose each one with `let` before any of them moves."
)
CHOSEN_ANYWHERE = Wording(
    "E305",
    "Where is the {kind} chosen from?",
    "Say where: `{kind!a} in ...`. To choose among names instead of pieces, declare a `kind`.",
)

# ---------------------------------------------------------------- calls and choices
CYCLE_OF_VERBS = Wording(
    "E404",
    "This runs itself again: {around!c}.",
    "To do something several times, use `repeat 3 times:` or `for each ...:`. Otherwise put what "
    "they share into a verb that calls neither.",
)
CYCLE_OF_HOOK = attrs.evolve(
    CYCLE_OF_VERBS,
    advice="A hook on `{verb}` cannot run what leads back to it. In place of the call, write the "
    "steps that are meant.",
)
CYCLE_OF_EFFECTS = attrs.evolve(
    CYCLE_OF_VERBS,
    code="E403",
    advice="An effect cannot run effects among which it may be itself, whatever a `where` leaves "
    "out. Call what the others do by name: `if c = ...: ...`.",
)
CYCLE_OF_VALUES = Wording(
    "E404",
    "`{names[0]}` is defined in terms of itself: {names!c}.",
    "Compute `{names[0]}` from values that do not lead back to it.",
)
AUTOMATIC_CHOICE = E405(
    "An automatic effect cannot offer a choice, but this may ask somebody to choose.",
    "Use `the ... with most ...`, `random ...` or `all ...` instead.",
)
RIVAL_DECIDES = E405(
    "A rival may act here, and rivals make no choices.",
    "Loop over players instead of seats, for one of them as `for each player where me = s:`. Or "
    "make sure that the rival has nothing to choose.",
)
OUTSIDE_ACTIVATION = E406(
    "`{name}` exists only during `{during}`, but this may run outside it.",
    "Raise or lower it there, or declare it without `during`.",
)
FLAG_OUTSIDE_ACTIVATION = attrs.evolve(
    OUTSIDE_ACTIVATION,
    advice="Mark it there, or declare it without `during` and clear it in a hook: "
    "`before {begins}: {clear}`.",
)
ACTIVATION_WITHIN = E406(
    "`{during}` runs here inside another `{during}`, and each of them resets `{name}`.",
    "Rename one of the two verbs, or declare `{name}` without `during`.",
)

# ---------------------------------------------------------------- termination and limits
ENDLESS = Wording(
    "E402",
    "This may go on forever: nothing is used up.",
    "Make it cost something that is never given back, or limit it: `up to 3 times` or, in a "
    "menu, `once`.",
)
ENDLESS_UNSURE = attrs.evolve(
    ENDLESS,
    message="This may go on forever: it is not certain that anything is used up.",
    advice="Ask before it for what it uses up, as in `needs my ... > 0`, or let it happen once: "
    "`needs not my ...` for a flag `per player during ...`, and `mark my ...`. Or limit it: "
    "`up to 3 times` or, in a menu, `once`.",
)
ENDLESS_COMPUTED = attrs.evolve(
    ENDLESS_UNSURE,
    advice="The amount is computed, and might be 0. Let it happen once: `needs not my ...` for a "
    "flag `per player during ...`, and `mark my ...`. Or limit it: `up to 3 times` or, in a menu, "
    "`once`.",
)
ENDLESS_EXCHANGE = attrs.evolve(
    ENDLESS,
    message="This may go on forever: everything that it uses up ({given_back}) is given back.",
)
TOO_MANY_ROUNDS = E407("This repeats {times} times; the limit is {most}.", "Use a smaller number.")
TOO_MUCH_WORK = E407(
    "This can take {work} repetitions and calls before a player is asked anything; the limit is "
    "{most}.",
    "Loop fewer times, or nest fewer loops and calls.",
)
TOO_MANY_LEVELS = E407(
    "Steps and branches are nested {levels} deep here; the limit is {most}.",
    "Move some of them into a verb of their own.",
)
TOO_DEEP_CALLS = E407(
    "These calls go {depth} deep; the limit is {most}: {names!c}.", "Shorten the chain of calls."
)
TOO_DEEP_TO_CHECK = E407(
    "Values or verbs in this pack call each other too deeply to be checked.",
    "Shorten the chains of calls.",
)
TOO_MANY = E407(
    "There would be {number} {things}; the limit is {most}.",
    "Declare fewer things, or leave out a `per`.",
)

# ---------------------------------------------------------------- visibility
UNSEEN_BY_ALL = Wording(
    "E414",
    "Nobody can see this, so the text cannot show it to anyone.",
    "Leave it out, or show it after it has been turned face up.",
)
TOLD_BY_VALUE = Wording(
    "E416",
    "This tells something about {names} to players who do not see that.",
    "Hide what it changes as well (`seen by owner`), turn up the hidden thing in the same act "
    "(`show c to all`), or say that they may read it: put `shown` at the end of the statement.",
)
TOLD_BY_CONDITION = attrs.evolve(
    TOLD_BY_VALUE,
    message="That this happens tells something about {names} to players who do not see that.",
)
TOLD_BY_CHANGE = attrs.evolve(
    TOLD_BY_VALUE,
    message="Some rule shows this to players who do not see it: they notice that it changes, which"
    " tells something about {names}.",
    advice="Change it in any case, by 0 if need be, do not show it, or say that they may read"
    " this: put `shown` at the end of the statement.",
)
TEXT_TOO_EARLY = Wording(
    "E302",
    "This text is shown before this value is known.",
    "Leave it out of the text, or move its `let` above all conditions.",
)
