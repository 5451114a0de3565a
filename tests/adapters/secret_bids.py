"""A small game with a hidden card and a secret bid for each player."""

# Everybody has a card that they alone see, and chooses in secret.
SECRETS = """\
step play:
    shuffle deck
    for each player: move top 1 of deck into my hand
    all choose secretly a number n in 1..3: raise my fame by n
    for each player:
        choose one "You have {my fame}. Once more?":
            "yes": raise my fame by 1
            "no": nothing
after game: play
"""
