"""`coloma report` and `coloma compare --html`: one page that opens without a network.

A page is a list of `sections.Section`: sentences, a chart, and tables with the same numbers for
people who do not see pictures.  `strength`, `course` and `company` make those of a report from
`rulesdsl.figures`, `reported` puts them in order; `differences` makes those of a comparison.

- `charts` says what a chart shows, in the words of Vega-Lite: data alone, no code.
- `drawing` has it drawn as SVG, which needs no script in the page.  Colours are variables of
  `page.css`, so a chart follows the page into the dark.
- `page` puts all into `page.html.jinja`.  Names from content are text wherever they go: the
  template escapes them, and what is drawn is taken apart and checked.

The libraries are those of the extra `report`, imported where they are used.  Start with
`sections`.
"""
