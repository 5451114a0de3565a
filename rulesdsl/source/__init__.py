"""The bottom layer: files, spans, findings, caches and trees.

- A `Span` (`span`) is a range of a file, by lines and columns from 1. Every node of every tree has
  one, down to the flat form and the lines of generated Python.
- A finding is a value, not an exception (`diagnostics`): code, span, message, help, related spans,
  fixes, and the facts that fixes are made from (`facts`); only renderers read a message. Readers
  collect findings in `Findings` and continue; only entry points such as `load` raise. Codes are
  listed in `diagnostics.TABLE` and explained in `pages/`, read by `codes`.
- Messages are templates (`diagnostics.Wording`), kept in one file for each phase.
- Findings are rendered in one place, for terminals, JSON, GitHub and SARIF (`render`).
- Files are opened in one place (`files`), with limits on size and kind, never through links that
  lead out of a pack.
- Expensive results are cached on disk in one place (`cache`), as hashed rows of plain data;
  damaged, foreign or partial files are ignored.
- `tree` walks and rewrites trees of attrs classes: syntax tree, typed tree and flat form.
- `ranges` has the limits of arguments, `english` small rules of grammar.

Nothing here knows the language, and nothing here imports another folder. Start with `diagnostics`.
"""
