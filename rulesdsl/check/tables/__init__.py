"""From TOML tables and entries in rules to the entries of kinds, every value checked.

The technique is reading in two passes, driven by a description. A field may name an entry of a
kind whose table comes later, so all names are taken in first and the fields after them. What can
are in a field follows from its declaration: `shape_of` turns the type into a shape
(`rulesdsl/packs/shapes.py`), which reads the value, reports what does not fit, and is the schema
for editors too. A new type of field is one more shape.

    files.py         tables as the checker sees them: sections, what mods bring, named numbers
    entries.py       pass one: names, titles, ids and copies of the entries of a table
    values.py        pass two: their fields
    field_shapes.py  the shape of each type of field
    rule_entries.py  both passes for entries and fields that are written in the rules
    source_words.py  the words `source` and `sources`, which say where numbers come from

What comes out is in the world. An entry keeps its values by field and, where a field has one
for each entry of another kind, by that entry's name too. A name of an entry is its index, -1
where there is none; yes and no are 1 and 0; an effect and a formula are syntax, not yet resolved:

    values    {("worth", None): 3, ("cost", "spring"): {"coin": 2}, ("colour", None): 0}
    effects   {("use", None): Body(...)}
    formulas  {("reward", None): Expr(...)}
    spans     {"cost": the place of the key, "cost/spring": the place of the value}

It may import what declares things (`check/declare`) and all of `packs`, and nothing that resolves
names in rules. Start at `build_world` in `check/pack_check.py`, which calls the passes in order.
"""
