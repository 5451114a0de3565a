"""Self-contained pages of `coloma report` and `coloma compare --html`.

A page is a list of sections (`page.ReportSection`): sentences, a chart, and tables with the same
numbers for readers who do not see the chart. `report` makes sections from `rulesdsl.figures` and
puts them in order, for a report or a comparison. `page` describes charts as data (Vega-Lite),
draws them as SVG without scripts, and fills `page.html.jinja`; colours are variables of
`page.css`, so that charts follow the dark mode. Names from content are always escaped, by the
template or by a check of the SVG. The libraries belong to the extra `report` and are imported on
use.
"""
