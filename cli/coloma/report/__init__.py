"""Self-contained pages of `coloma report` and `coloma compare --html`.

A page is a list of sections (`page.ReportSection`): sentences, a chart, and tables with the same
numbers for readers who cannot see the chart. `report` creates the sections of a report or a
comparison from `rulesdsl.figures`. `page` describes charts as data (Vega-Lite), draws them as SVG
without scripts, and fills `page.html.jinja`; colours are variables of `page.css`, so that charts
follow the dark mode. Names from the content are always escaped: by the template, or by the library
that draws the SVG, whose elements and attributes are checked. The libraries belong to the extra
`report` and are imported only when needed.
"""
