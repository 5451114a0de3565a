"""What text editors need: an extension for VS Code, files for Vim, and what is generated of them.

The technique: the words of the language are read from `rulesdsl/grammar.lark`, and what the rules
of the grammar use them for says how they are coloured.  So a new statement is coloured without a
line here.  `python -m editors` writes the generated files, `python -m editors --check` fails where
one is stale, and `python -m editors scopes` compares the colours of all shipped rules with what
the parser reads (it needs node).

    words.py      the words by what they are for
    textmate.py   grammars of TextMate, which VS Code and others read: rules, and effects in TOML
    vim.py        the syntax file of Vim
    scopes.py     each word that the parser reads, and the scope that VS Code gives it

    vscode/       the extension: `npm run vsix` in it builds it
    vim/          a plugin: copy it to `~/.vim` or `~/.config/nvim`

Nothing of this is in the wheel.  Start with `words.py`.
"""
