"""The checker: from files to a program of which nothing can fail while it is played.

The front end of a compiler, with the analyses that a language needs which is never to stop in the
middle of a game.  What is wrong is a finding, never an exception; a check goes on after it, and
what follows from something reported already is passed over.

    files -> declarations -> World -> Program -> bodies with guards -> Checked
      parser    declare/,     resolve/   possible/
                tables/

`world` is the symbol table.  `program` holds what is resolved: procedures, named values, formulas
and effects of fields, each a tree of typed nodes (`typed/`).  `pack_check` is the order of it all
and the place to start reading; `read` lays packs over one another, and `blame` says which of them
a finding is due to.  The analyses, in their order:

* call graph (`graph`): callees first, no recursion; who decides; what a game comes to.
  `value_cycles` asks the same of values, `depth` bounds the stack.
* interval analysis (`intervals`): between which numbers a value is.  `overflow` marks arithmetic
  that stays within 64 bits, with what all callers give.
* effects (`effects`): the cells that a node may read or write, calls included.
* weakest preconditions (`possible/`), with a small prover over facts (`proofs`, `known`).
  `inline` puts arguments in the place of parameters.
* cost bound (`cost_bound`, `spent`): rounds and calls between two questions, at the most.
* termination (`termination`): an offer that comes again has to use something up.  `outcomes`
  lists the ways that steps may go, `surely` what is there to be taken.
* information flow (`visibility`, `disclosure`): who can tell what a value is, and which steps
  show somebody what they could not know.  `information_flow` annotates the bodies with it where
  a program is loaded.

An analysis is a walk over the tree that reads the table of facts about kinds (`typed/facts`); a
result that is asked for again is kept in the analysis.  What one analysis finds out for the others
is written into the tree: exact arithmetic, bounds of loops, guards, what steps reveal.

Every check is a whole one: the parser remembers declarations by their text, and the rest takes
0.2 s for the largest game that we ship.  `clean` passes over packs that were found clean before.
`naming` records what each name in the rules refers to, for editors.

`lints/` looks at packs without errors. `text_fixes` makes fixes from the facts of findings and the
text around them, `misdeclared` for names that are misspelt where they are declared.
`analysis_wording` is what the analyses say. The rest is for people: `vocabulary`, `words` and
`field_words` are the words of a game, `sources` where its numbers come from.

This layer may import `packs`, `syntax` and `source`, nothing above.
"""
