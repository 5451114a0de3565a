"""The checker: turns the files of a pack into a program that cannot fail during a game.

It is the front end of a compiler, with analyses which ensure that no game ever gets stuck or runs
forever. Errors are findings, never exceptions; checking continues after an error, and follow-up
errors are suppressed.

    files -> declarations -> SymbolTable -> Program -> bodies with guards -> Checked
      parser     symbols/declare, tables    resolve/    analysis/preconditions

`frontend` runs these phases in order and is the place to start reading. `typed/program` has the
resolved procedures, named values, formulas and field effects, each a tree of typed nodes.
`attribution` determines which mod causes an error in a game's files. The analyses, in the order in
which they run:

* call graph (`analysis/call_graph`): topological order, recursion, procedures with decisions, call
  depth;
* interval analysis (`analysis/intervals`): bounds on every number, and arithmetic that stays
  within 64 bits in all calling contexts;
* read and write sets and a small prover over fact sets (`analysis/prover`);
* weakest preconditions (`analysis/preconditions`, with errors in `analysis/precondition_errors`);
* cost bound (`analysis/cost`): loop rounds and calls between two decisions;
* termination (`analysis/termination`): a repeated option must use something up;
* information flow (`analysis/secrecy`): `visibility` and `disclosure` find the seats that can know
  a value, and the steps that reveal hidden information; `information_flow` annotates the bodies
  when a program is loaded.

An analysis is a walk over the typed tree that reads the table of node traits (`typed/traits`).
Results that other phases need are written into the tree: exact arithmetic, loop bounds, guards,
reveals. Each check runs from the beginning (0.2 s for the largest game); but the parser caches
declarations by text, and `clean_cache` skips packs that were found clean before.

`lints/` examines packs without errors. `fixes` builds text edits from the facts of findings;
`completion` lists the names that fit at the cursor; `rulebook` resolves the values in a pack's
rulebook; `symbols/vocabulary` and `symbols/consistency` list declarations and sources of numbers.
This layer imports `packs`, `syntax` and `source` only.
"""
