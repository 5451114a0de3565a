"""From declarations to the symbol table: who is called what, and with which parameters.

`hooks.declare` goes over all files three times: things first, then verbs, steps and values, whose
parameters name things, then hooks, which name verbs. So the order of lines and files does not
matter, as in most languages with declarations that may refer to one another.

The symbol table is the `World` (`check/world`): for each kind of name a dict from the name to what
was declared.

    world.kinds   {"card": KindInfo(fields, entries, index)}     entries are numbers from 0
    world.pieces  {"coin": PieceInfo(style, per, count, home)}   counted, single or printed
    world.places  {"hand": PlaceInfo(dims, holds, seen_by)}      dims: the indexes of its cells
    world.procs   {"build": [ProcInfo(params, body, hooks)]}     overloads by kinds of parameters

A name is taken once for all kinds of things, because rules say them without saying which kind is
meant: `Names.take` refuses the second one, with the first as a related place. `reserved` refuses
words of the language. Plurals are names too. What cannot be declared is put down as doubtful, so
that whatever mentions it is not reported a second time.

Bodies are not looked at here: `check.resolve` does that. Only texts that others take the place of
are found in them, by their words (`retold`). It may import `check.world` and the
syntax. Start with `hooks`, then `things`.
"""
