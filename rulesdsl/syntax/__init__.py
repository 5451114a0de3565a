"""From text to syntax tree and back: grammar, parser, nodes, printer."""
