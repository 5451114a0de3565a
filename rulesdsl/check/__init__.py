"""The checker: turns the files of a pack into a program that cannot fail during a game.

The front end of a compiler, plus the analyses that a language needs whose programs must never stop
in the middle of a game. Errors are findings, never exceptions; checking continues after one, and
errors that only follow from a reported one are suppressed.

    files -> declarations -> SymbolTable -> Program -> bodies with guards -> Checked
      parser     symbols/declare, tables    resolve/    analysis/preconditions

`frontend` runs these phases in order and is the place to start reading. `typed/program` holds the
resolved procedures, named values, formulas and field effects, each a tree of typed nodes.
`attribution` decides which mod causes an error in a game's files. The analyses, in the order in
which they run:

* call graph (`analysis/call_graph`): topological order, recursion, deciding procedures, call
  depth;
* interval analysis (`analysis/intervals`): bounds of every number, and arithmetic that stays
  within 64 bits in all calling contexts;
* read and write sets and a small prover over fact sets (`analysis/prover`);
* weakest preconditions (`analysis/preconditions`), errors in `analysis/precondition_errors`;
* cost bound (`analysis/cost`): loop rounds and calls between two decisions;
* termination (`analysis/termination`): a repeated option must use something up;
* information flow (`analysis/visibility`, `analysis/disclosure`): who can know a value, and which
  steps reveal hidden information. `analysis/information_flow` annotates the bodies when a program
  is loaded.

An analysis is a walk over the typed tree that reads the table of node traits (`typed/traits`).
Results that other phases need are written into the tree: exact arithmetic, loop bounds, guards,
reveals. Each check is a full one (0.2 s for the largest shipped game); the parser caches
declarations by text, and `clean_cache` skips packs that were found clean before.

`lints/` examines packs without errors. `fixes` builds text edits from the facts of findings;
`completion` lists the names that fit at the cursor; `rulebook` resolves the values in a pack's
rulebook; `symbols/vocabulary` and `symbols/consistency` list declarations and sources of numbers.
This layer imports `packs`, `syntax` and `source` only.
"""
