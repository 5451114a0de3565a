"""The grammar rules and words that rules and tables use."""

from collections.abc import Iterable

from rulesdsl.syntax.lexer import grammar
from soak.language import Use, trees_of, uses_in

_WHOLE_WORD = "\\b(?!-)"  # ends what stands for several words


def words() -> set[str]:
    found = set()
    for terminal in grammar(every_word=True).terminals:
        pattern = terminal.pattern.value
        text = pattern.replace("[ \t]+", " ").removesuffix(_WHOLE_WORD)
        if text.isalpha() or pattern.endswith(_WHOLE_WORD):
            found.add(text)
    return found


def used(rules: Iterable[str], tables: Iterable[str]) -> set[Use]:
    files = [*((".rules", text) for text in rules), *((".toml", text) for text in tables)]
    return {use for file in files for tree in trees_of(*file) for use in uses_in(tree)}
