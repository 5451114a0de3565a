"""The bottom layer: files, spans, findings, caches and trees.

- A `Span` (`span`) is a range in a file, by lines and columns from 1. Every node of every tree has
  one, down to the flat form and the lines of generated Python.
- A finding is a value, not an exception (`diagnostics`): code, span, message, help, related spans,
  fixes, and the facts that fixes are made from (`facts`); no code parses a message. Each phase
  collects findings in `Findings` and continues; only entry points such as `load` raise. Codes are
  listed in `diagnostics.TABLE` and explained in `pages/`, which `codes` reads.
- Messages are templates (`diagnostics.Wording`), in one `wording` module for each phase.
- Findings are rendered in one place, for terminals, JSON, GitHub and SARIF (`render`).
- Files are opened in one place (`files`), with limits on size and kind, never through links that
  lead out of a pack.
- Expensive results are cached on disk in one place (`cache`), as hashed rows of plain data;
  damaged, foreign or partial files are ignored.
- `tree` walks and rewrites trees of attrs classes: syntax tree, typed tree and flat form.
- `ranges` has the limits of arguments; `english` has helpers for generated sentences.

This folder depends neither on the language nor on any other folder. Start with `diagnostics`.
"""
