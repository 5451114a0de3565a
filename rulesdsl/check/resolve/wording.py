"""Wording of the resolver's findings about names and types."""

from __future__ import annotations

import attrs

from rulesdsl.source.diagnostics import Wording

# -------------------------------------------------------------------- names
NO_CANDIDATE = Wording(
    "E201",
    "`it` stands for what a `where`, `with` or `per` looks at, and none of these is used here.",
    "Name the thing that you mean, or give it a name with `let`.",
)
NOTHING_CALLED = Wording("E201", "Nothing is called `{name}`.")
WORD_OUT_OF_PLACE = Wording("E201", "`{name}` is a word of the language and does not fit here.")
SEATS_ALONE = Wording(
    "E201",
    "`{name}` is a kind of thing, not a particular one.",
    "Name one, such as `me` or a parameter, or ask for `a player`.",
)
NO_KIND = Wording("E201", "There is no kind of thing called `{name}`.")
OTHER_SORT = Wording("E201", "`{name}` is {sort}, but a kind of thing is needed here.")
NO_NOUN = Wording("E201", "There are no pieces or tracks called `{name}`.")
NO_PIECES_CALLED = Wording("E201", "There are no pieces called `{name}`.")
NO_VERB = Wording("E204", "There is no verb or step called `{name}`.")
NO_PREVIEW = Wording(
    "E205",
    "`{name}` cannot preview this choice.",
    "Name a verb or step that takes one {kind} and nothing else; its chooser must see the {kind}.",
)
NAME_HERE_ALREADY = Wording(
    "E202", "`{name}` is already used as a name here.", "Choose another name for one of them."
)
NAME_OF_THE_GAME = Wording(
    "E202",
    "`{name}` already means something in this game.",
    "Choose another name here, such as `{name}-1`.",
)
NOUN_AS_PARAMETER = Wording(
    "E202",
    "`{name}` is a noun in this game: it cannot name a parameter.",
    "Choose another name, such as a single letter.",
)
OF_CANDIDATE_OR_GAME = Wording(
    "E203",
    "`{name}` could mean `{name} of it` or another `{name}` in the game.",
    "For the first, write `{name} of it`; for the second, rename one of the two.",
)
ENTRY_OF_SEVERAL = Wording(
    "E203", "`{name}` could be {kinds}.", "Choose another name for one of them."
)

# -------------------------------------------------------------------- names without a value
KEPT_PER = Wording(
    "E301",
    "There is a separate `{name}` {dims!p}.",
    "Say whose it is: `my {name}`, or `{name} of ...`.",
)
VALUE_ALONE = Wording("E301", "`{name}` is a value of {params}.", "Say which: `{name} of ...`.")
PLACE_AS_VALUE = Wording(
    "E301",
    "`{name}` is a place, not a value.",
    "Ask what is there, for example `any ... in {name}`.",
)
PIECES_ANYWHERE = Wording(
    "E301", "`{name}` could be anywhere.", "Say where they are: `{plural} in ...`."
)
TABLE_ALONE = Wording("E301", "`{name}` is a table.", "Say which: `{name} at ...`.")
NUMBER_AT = Wording("E301", "`{name}` is a single number, not a chart.", "Remove `at`.")
NOT_IN_TABLE = Wording(
    "E006", "`{name}` has no value for `{entry}`.", "Add a value for it: `{entry} = ...`."
)

# -------------------------------------------------------------------- types
WRONG_TYPE = Wording("E301", "This is {have}, but {want} is needed.")
NO_CONDITION = Wording(
    "E301",
    "This is {have}, but a yes-or-no condition is needed.",
    "Ask with `any` or `no`, or compare it with something.",
)
COMPARISON_NOT_REPEATED = Wording(
    "E301",
    "This is {have}, but a yes-or-no condition is needed.",
    "To compare it as well, repeat the comparison: `{meant}`.",
)
MAY_BE_NONE = Wording(
    "E302",
    "This is {have}, and nothing says what happens if there is none.",
    "Ask first: `if any {name}:`, `needs any {name}`, or in a condition `any {name} and ...`.",
)
MAY_BE_NONE_UNNAMED = Wording(
    "E302",
    "This is {have}, and nothing says what happens if there is none.",
    "Give it a name with `let x = ...`, and ask first: `if any x:`, `needs any x`, or in a "
    "condition `any x and ...`.",
)
ALWAYS_THERE = Wording(
    "E301", "This is {have}, which always exists.", "Remove the test with `any` or `no`."
)
SORT_FOR_PIECE = Wording(
    "E301",
    "{name} is a type of {kind}, and there may be several; a single {kind} is needed.",
    "Choose one first: `let x = {kind!a} in ... where it = {sort}`, then use `x`.",
)
SORT_MOVED = attrs.evolve(SORT_FOR_PIECE, advice="Say how many: `move 1 {sort} from ...`.")
SORT_WITHOUT_CHOICE = attrs.evolve(
    SORT_FOR_PIECE,
    advice="Ask about each of them: `any {kind} in ... where it = {sort} and ...`, `(... of it) "
    "per (all {plural} in ... where it = {sort})`, or in an effect `for each {kind} x in ... "
    "where x = {sort}: ...`.",
)
NOT_COMPARABLE = Wording(
    "E301",
    "{left} cannot be compared with {right}.",
    "Compare numbers with numbers, and things with things of the same kind.",
)
COMPARED_WITH_ITSELF = Wording(
    "E301", "This compares a thing with itself.", "Compare it with something else."
)
CANDIDATE_WITH_ITSELF = Wording(
    "E301",
    "This compares a thing with itself.",
    "`it` is what the nearest `where` looks at. For another one, write a value with a parameter: "
    "`value lower of card c: any cards in my hand where worth of it < worth of c`.",
)
ACTOR_WITH_ITSELF = Wording(
    "E301",
    "This compares a thing with itself.",
    "After `where`, `me` is the seat being tested. Give the acting seat a name first: "
    "`let actor = me`, and compare with that.",
)
NUMBER_AFTER_PER = Wording(
    "E301",
    "After `per {size}` come things that lie somewhere, such as `{size} cards in my hand`.",
    "Divide a number instead: `({noun} / {size})`, in place of `1 per {size} {noun}`.",
)
NOTHING_AFTER_PER = Wording(
    "E301",
    "After `per {size}` it is not said what is counted.",
    "Name the things, such as `per {size} cards in my hand`. To divide a number, write it before "
    "`/`, such as `(my fame / {size})`.",
)
NO_PLAIN_NUMBER = Wording(
    "E301",
    "This is an amount of `{noun}`, but a plain number is needed.",
    "Leave the noun out, or call a verb that takes it.",
)
BRACKETS_AROUND_AMOUNT = Wording(
    "E205", "Only `{operand}` is an amount of `{noun}` here.", "Add brackets: `{meant}`."
)
NOT_IN_PRICES = Wording("E301", "A price cannot ask for `{noun}`.")
NO_PART_OF_PRICE = Wording("E201", "A price has no `{name}`.")
MISPLACED_AT = Wording(
    "E301",
    "`at` reads a chart, a field with `per`, or a value of two things.",
    "Write, for example, `chart at 2` or `field of x at y`.",
)
OTHER_THAN_ALONE = Wording(
    "E301",
    "`other than` leaves out one of several things, but a single place or thing is needed here.",
    "Use it where several are meant, as in `a card in ... other than c` or `all cards in ...`.",
)
RANGE_AS_VALUE = Wording(
    "E301",
    "A range is not a value.",
    "A range follows `in`: `a number in 1..3`, `for each number n in 1..3:`.",
)
NO_RANGE = Wording(
    "E301", "This is not a range of numbers.", "Write the range, such as `a number in 1..5`."
)
OPEN_NUMBER_AFTER_PER = Wording(
    "E301",
    "The number after `per` must be fixed and above 0.",
    "Write it in digits: `1 coin per 2 cards in my hand`.",
)
DIVISOR_MAY_BE_ZERO = Wording(
    "E301",
    "The divisor could be 0.",
    "Write `(... at least 1)` around it, or divide by a fixed number.",
)
UNLIKE_CASES = Wording(
    "E301",
    "One case is {first}, but another is {other}.",
    "All cases of a value must be of the same kind.",
)
VALUE_OF_OTHER_TYPE = Wording(
    "E301",
    "`{name}` is {kind}, but this is {found}.",
    "Replace a value with one of the same kind.",
)
VALUE_WITHOUT_NUMBER = Wording(
    "E301",
    "`{name}` is {kind}, but this is {found}.",
    "It must be a number: ask how many, or give a number for each case.",
)
VALUE_MAY_BE_NONE = Wording(
    "E302",
    "`{name}` always has a value, but this is {found}.",
    "Give another value for the case where there is none: `... if any x`, `otherwise ...`.",
)

# -------------------------------------------------------------------- attributes
NO_ATTRIBUTE = Wording("E201", "{have} has no `{name}`.")
OWNER_OF_LOCAL = Wording(
    "E201",
    "`{name}` is a single thing already: no owner follows it.",
    "Write `{meant}`.",
)
NO_POSITION = Wording(
    "E301",
    "{have} has no position.",
    "Entries and seats have one; in a list or stack, ask `position of x in ...`.",
)
ATTRIBUTE_OF_OTHERS = Wording("E201", "{have} has no `{name}`.", "Only {owners} have one.")
CHART_ALONE = Wording("E301", "`{field}` is a chart.", "Say which: `{field} of ... at ...`.")
NO_COLUMN = Wording("E205", "`{field}` is a single value.", "Remove `at`.")
COLUMN_WANTED = Wording(
    "E205", "There is a `{field}` for each {per}.", "Say which: `{field} of ... at ...`."
)
NOBODYS_COUNTER = Wording(
    "E205", "There is only one `{name}`, and it belongs to nobody.", "Write `{name}` by itself."
)
WRONG_INDEXES = Wording("E205", "There is a separate `{name}` {dims!p}.", "Write `{whole}`.")
KEPT_PER_OTHER = Wording("E301", "There is a separate `{name}` per {kind}, but this is {have}.")
WRONG_NUMBER_OF_THINGS = Wording("E205", "`{name}` is a value of {params}.", "Write `{whole}`.")
NO_THINGS = Wording("E205", "`{name}` is a single value.", "Write `{whole}`.")
VALUE_OF_OTHER = Wording("E301", "`{name}` is a value of {want}, not {have}.")
OF_NO_TWO_THINGS = Wording(
    "E201",
    "`{name}` cannot belong to two things at once.",
    "For that, its declaration would need `per` twice.",
)
ONLY_PLAYERS_HAVE = Wording(
    "E301",
    "Only players have {name!a}, but this seat may be `{rival}`.",
    "Declare it `1 per seat`, or say how many: `move 1 {name} from ...`.",
)
NOBODYS_PIECE = Wording(
    "E301",
    "{name!a} belongs to nobody.",
    "`per seat` in its declaration gives every seat its own.",
)
WHOSE_IS_OPEN = Wording(
    "E301",
    "It is unclear whose {kind} this is.",
    "Say in which place: `the only player where any {name} in ... of it`.",
)
OWNER_IS_OPEN = attrs.evolve(WHOSE_IS_OPEN, advice="Write `owner of {name}`.")

# -------------------------------------------------------------------- places
NO_PLACE = Wording("E301", "This is not a place.", "Name one declared with `place` or `stack`.")
WHOSE_PLACE = Wording(
    "E301",
    "There is a separate `{place.name}` {place.dims!p}.",
    "Say whose it is: `my {place.name}`, or `{place.name} of ...`; or write `{place.plural}` for "
    "all of them together.",
)
SEVERAL_PLACES = Wording(
    "E301",
    "This refers to several {place.plural}, but one is needed.",
    "Say whose or which: `{place.name} of ...`.",
)
PLACE_OF_OTHER = Wording("E301", "{place!a} does not belong to {have}.", "There is one {dims!p}.")
PLACE_OF_NOBODY = Wording(
    "E301", "{place!a} does not belong to {have}.", "There is only one: write `{place}` by itself."
)
CANNOT_HOLD = Wording(
    "E303",
    "{place!a} does not hold {info.plural}.",
    "It holds {holds}; if it should hold `{info.name}` as well, add it to the declaration.",
)
NO_STACK = Wording(
    "E301",
    "{place!a} is not a stack: its contents have no order.",
    "Declare it as `stack {place} ...`, or draw `random ... in ...`.",
)
NO_ENDS = Wording(
    "E301",
    "{place!a} does not hold exactly one kind of printed piece.",
    "Only a place with exactly one kind of printed piece has a top and a bottom.",
)
NO_LIST_OR_STACK = Wording(
    "E301",
    "This is neither a list nor a stack.",
    "Only a list, or a place declared as `stack`, has positions.",
)
NO_ORDER = Wording(
    "E301", "These things have no order.", "Only a list or a single stack has positions."
)
NO_PLACE_OR_LIST = Wording(
    "E301",
    "This is neither a place nor a list.",
    "After `in`, name a place, or a list such as `stops of coast`.",
)
TWO_OWNERS = Wording("E301", "This names two different owners.", "Remove one of them.")

# -------------------------------------------------------------------- selections
NO_PIECES = Wording("E301", "This refers to no pieces at all.", "Write a number of at least 1.")
NO_SELECTION = Wording(
    "E301",
    "This is {have}, but several things are needed, to count or go through.",
    "Name several, such as `cards in my hand`, `all cards in my hand where ...` or `players`; a "
    "single thing is named without `all`.",
)
PLACE_AS_SELECTION = Wording(
    "E301", "This is a place, but the things in it are needed.", "Write `{meant}`."
)
NUMBER_AS_SELECTION = Wording(
    "E301",
    "This does not say which {info.plural} are meant.",
    "Write `{info.plural} in ...` for all of them, `random {info.name} in ...` for one by chance, "
    "or `{info.name!a} in ...` for one that the player chooses.",
)
KIND_BEFORE_NAME = Wording(
    "E301",
    "The kind is written before a name only where the name is introduced.",
    "Write `{name}` by itself.",
)
NAME_OF_MANY = Wording(
    "E301",
    "`{name}` would be a name for each of several things, but they get none here.",
    "Leave `{name}` out. In `where`, each of them is `it`: `{kind} where ... it ...`.",
)
NONE_THERE = Wording("E301", "There are no {kind} there.")
NO_LIST = Wording(
    "E301",
    "This is not a list.",
    "A list is a field that holds several entries, such as `stops of coast`.",
)
NO_LIST_OF = Wording(
    "E301",
    "This is not a list of {plural}.",
    "Name a field that lists them, or leave `in` out to mean all of them.",
)
LIST_OF_OTHERS = Wording(
    "E301",
    "Each of these is {element}, not {wanted!a}.",
    "Write `{element.of}`, or name another list.",
)
ALIKE_IN_WHERE = Wording(
    "E301",
    "All {plural} are alike, so `where` cannot select some of them.",
    "Ask separately, with `and`; say whose they are, as in `my ...`; or count them place by "
    "place: `(... in it) per PLACES`.",
)
ALIKE_TO_CHOOSE = Wording(
    "E301",
    "All {info.plural} are alike, so there is nothing to choose.",
    "Name the place and the number, as in `move 1 {info.name} from ...`.",
)
ALIKE_IN_SUM = Wording(
    "E301",
    "All {plural} are alike, so none has a number of its own.",
    "Count them place by place: `(... in it) per PLACES`.",
)
SEEN_BY_ALL = Wording(
    "E301",
    "Everybody sees `{name}` already.",
    "Take the line away, or hide it in its declaration: `seen by owner`.",
)
NOTHING_TO_SEE = Wording(
    "E301",
    "There is nothing to see here: only printed pieces, and what a track, a flag or a memory "
    "hides, can be looked at or shown.",
    "Write, for example, `look at cards in my hand` or `look at top of deck`.",
)
AMOUNT_IN_PLACE = Wording(
    "E301",
    "An amount in a place is not a condition.",
    "Compare how many there are, as in `{plural} in ... >= {count}`.",
)
BRACKETS_AROUND_IN = Wording(
    "E301", "`in` applies to all of `{phrase}`, which is not a noun.", "Add brackets: `{meant}`."
)
COUNT_BY_ITSELF = Wording(
    "E301", "`{word} of` is not needed: pieces in a place are counted anyway.", "Write `{meant}`."
)
THING_IN_PLACE = Wording(
    "E301",
    "A thing in a place is neither a number nor a yes or no.",
    "Ask with `any`: `any x in ...`.",
)

# -------------------------------------------------------------------- chance and choices
NOBODY_ACTS = Wording(
    "E304",
    "Nobody acts here: steps are carried out by the game itself.",
    "Say who acts: `for each player: ...`, or make it a verb.",
)
NOBODY_ACTS_OF_IT = Wording(
    "E304",
    "Nobody acts here: steps are carried out by the game itself.",
    "Write `... of it` in place of `my ...`, for the one that is looked at.",
)
CHANCE_IN_VALUE = Wording(
    "E405",
    "A value cannot be random: it would change each time it is read.",
    "Draw in a verb or step, and give the result a name with `let`.",
)
NO_PARAMETER = Wording(
    "E302",
    "These words are read before anything is chosen: they can only name what `{verb}` is called "
    "with.",
)
CHOICE_IN_VALUE = Wording(
    "E305", "A choice cannot be part of a value.", "Make it first: `let x = a ...`, then use `x`."
)
CHOICE_IN_EFFECT = Wording(
    "E405",
    "An automatic effect cannot offer a choice.",
    "Name the thing, or use `the ... with most ...`, `random ...` or `all ...` instead.",
)
DRAW_IN_TEXT = Wording(
    "E301",
    "Text cannot draw at random: it only shows known values.",
    "Draw first, name the result with `let`, and put the name in braces.",
)
LIST_IN_TEXT = Wording(
    "E301",
    "This is {have}: text can only show one thing or number at a time.",
    "Show how many there are, or name one of them.",
)
ALL_CHOOSE_IN_TURN = Wording(
    "E305",
    "All players choose at once: here, each would ask all of them.",
    "Leave out the `for` around it. To ask one player alone, write `let x = a ...`.",
)
POSITIONS_ONCE = Wording(
    "E305",
    "The player who chooses here does not see these pieces, and positions, by which players choose"
    " them, change when pieces move: `once` would not tell which piece was taken.",
    "Write `any time` instead of `once`, or `look at` the pieces first and choose by"
    " `let x = a ...`.",
)
OPTIONS_ALIKE = Wording(
    "E203",
    "The option in line {line} begins with `{text}` as well: saved games and scenarios could"
    " not tell them apart.",
    "Give what this one does a name: declare `verb NAME: ...` for it, and write `NAME` here.",
)
TOO_MANY_LINES = Wording(
    "E407",
    "There are {lines} lines to choose from; the limit is {most}.",
    "Put the things to choose from into a table, and let players choose an entry from it.",
)
NOTHING_TO_ADD_TO = Wording(
    "E410",
    "Lines can only be added to a single `{word}`, and `{verb}` has {there}.",
    "Add them to a verb that it calls, or use `before` or `after`.",
)

# -------------------------------------------------------------------- statements
NO_TRACK = Wording(
    "E301",
    "Only a track, or a piece in a stack, can be raised or lowered.",
    "Pieces are moved, and flags are marked.",
)
NO_NUMBER_THERE = Wording(
    "E301",
    "`{name}` is a memory: it holds one thing, or nothing.",
    "Write `set ... to ...` with the thing, or `clear ...` to empty it.",
)
NOT_SET = Wording(
    "E301",
    "Only a track, a flag or a memory can be set.",
    "Pieces are moved: `move c into my hand`.",
)
THING_ON_TRACK = Wording(
    "E301",
    "A track holds a number, and this is {have}.",
    "Write `position of (a ...)`: it is the thing's place in its table or list.",
)
NEVER_IN_STACK = Wording(
    "E301",
    "{plural} are never in a stack.",
    "Only a stack has an order: declare the place as `stack`.",
)
NO_FLAG = Wording(
    "E301",
    "Only a flag can be marked.",
    "A flag is declared at the left margin: `flag tired per player`.",
)
TRACK_MARKED = Wording("E301", "Only a flag can be marked.", "A track is raised or lowered.")
NO_EFFECT = Wording(
    "E301",
    "Only an effect can be carried out with `do`, and this is not one.",
    "Name the field and the thing: `do gift of s`.",
)
UNTIL_IN_VERB = Wording(
    "E402",
    "Only a step can loop until a condition holds.",
    "Give the number of times: `repeat 3 times`. Or move it into a step that has the seat as its "
    "parameter, and call that.",
)
STARTING_WITH_THING = Wording(
    "E301",
    "Only a loop over players or seats can start with one of them.",
    "Write `for each player starting with p: ...`, where `p` is a player.",
)
WRONG_ARGUMENT = Wording("E205", "This is {have}, but {want} is needed.")
AMOUNT_OF_WHAT = attrs.evolve(WRONG_ARGUMENT, advice="Say how many of what: `{amount} {noun}`.")
WRONG_CALL = Wording("E205", "`{verb}` does not take {arguments}.", "It is declared as {known}.")
CALL_WITHOUT_ARGUMENT = Wording(
    "E205", "`{verb}` needs an argument.", "It is declared as {known}."
)
NO_ARGUMENTS = Wording("E205", "`{verb}` does not take {arguments}.", "Write {known} by itself.")
JOINED_AMOUNTS = "This takes one amount: put each on a line of its own."
FROM_WITHOUT_NUMBER = Wording(
    "E205",
    "`from` needs a number of pieces.",
    "Write, for example, `move 2 coins from my purse into box`.",
)
NUMBER_FROM_NOWHERE = Wording(
    "E205",
    "A number of pieces has to come from a place.",
    "Say where: `move 2 {plural} from ... into ...`.",
)
TRACK_MOVED = Wording(
    "E301",
    "`{noun}` is a track: there are no pieces to move.",
    "Raise or lower it: `raise my {noun} by ...`.",
)
NO_PIECES_IN_PLACE = Wording(
    "E301", "Only pieces in a place can be moved.", "Write, for example, `all cards in my hand`."
)
ONLY_PIECES_MOVE = Wording(
    "E301",
    "This is {have}: only pieces can be moved.",
    "Name pieces and their place: `2 coins from my purse`, `top of my deck`.",
)
PLACE_OF_OTHER_SEAT = Wording(
    "E303",
    "{noun!a} that belongs to one seat cannot be in a place that belongs to another.",
    "Name a place that belongs to nobody, or to the same seat.",
)

ALL_INTO_PLACE_OF_ONE = Wording(
    "E303",
    "Only the {info.plural} of its own seat can be in {place!a}: this would leave those of others "
    "where they are.",
    "Write `all my {info.plural} in {source}`, or move them to a place that belongs to nobody.",
)

# -------------------------------------------------------------------- declarations
NO_HOME = Wording(
    "E006",
    "Nothing says where the {info.plural} are at the beginning.",
    "Name a place: `piece {info.name} ... in box`.",
)
SEVERAL_HOMES = Wording(
    "E301",
    "Each of the {info.plural} must begin in one place.",
    "Name a single place, or, for pieces that belong to seats, one place per seat.",
)
RIVAL_DURING_GAME = Wording(
    "E301",
    "Whether a rival takes part must be known before the game begins.",
    "Ask only about `players` and options.",
)
