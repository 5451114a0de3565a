"""From the syntax tree to the checked tree: names looked up, types checked, floor by floor."""
