"""The bottom layer: files, spans, findings, caches and trees.

- A `Span` (`span`) is a range of a file, by lines and columns from 1. Every node of every tree has
  one, down to the flat form and the lines of generated Python.
- A finding is a value, not an exception (`diagnostics`): code, span, message, help, related spans,
  fixes. Readers collect them in `Findings` and continue; only entry points such as `load` raise.
  Codes are listed in `diagnostics.TABLE` and explained in `pages/`, read by `codes`.
- Findings are rendered in one place, for terminals, JSON, GitHub and SARIF (`render`).
- Files are opened in one place (`files`), with limits on size and kind, never through links that
  lead out of a pack.
- Expensive results are cached on disk in one place (`cache`), as hashed rows of plain data;
  damaged, foreign or partial files are ignored.
- `tree` walks and rewrites trees of attrs classes: syntax tree, typed tree and flat form.
- `ranges` has the limits of arguments, `english` small rules of grammar.

- A `Span` (`span`) is a stretch of a file, by lines and columns from 1. Every node of every tree
  carries one, up to the flat form and the lines of generated Python.
- A finding is a value, not an exception (`diagnostic`): a code, a span, a message, a help, related
  places, and the facts that code goes by (`facts`): nobody reads a message but what shows it.
  Whoever reads something is handed `Findings` and goes on after a report; only the doors
  of the package (`load`) turn errors into an exception. The codes, with the page that explains
  each, are in `code_table` and `pages/`.
- Findings are rendered in one place for each reader: `render_text` with an `excerpt` of the file,
  `render_json`, `render_github`, `render_sarif`.
- Files are opened in one place (`files`), with bounds on size and kind, and never through links
  that lead out of a pack.
- What took long to make is kept on disk in one place (`cache`), as rows of plain data (`rows`)
  with a hash: what is damaged, foreign or half-written is as good as none.

How large a count, seed, time or weight may be that somebody asks for is in `ranges`.

`tree` is the one walker for trees of attrs classes: `walk`, `children` and `rewrite` look into the
fields of a node, in their order, whatever the tree is. The syntax tree, the checked tree and the
flat form use it. `suggest` finds the word that somebody may have meant.

Nothing here knows the language. It may import no other folder. Start with `diagnostic`.
"""
