"""Games for libraries of learners: PettingZoo, Gymnasium, OpenSpiel.

The problem: learners want numbers of a fixed width, and a game here has decisions whose options
change all the time.  Three things solve it, the same for each library and for any game:

- `moves`: everything that may ever be chosen is known before a game begins (`Pack.actions`), so
  each option of each question has a number, and what is offered is a mask.
- `observing`: what a player may know (`Game.view`) is a row of numbers, each with a name.  Nothing
  else is looked at, so a learner cannot know more than a player.
- `rewards`: how the game ends (`Game.result`), or the points as they come (`Game.scores`).

`playing` puts them together: a game in which one player after the other takes a move by number.
Each library has a module of that name, with what it alone needs: `pettingzoo` and `gymnasium` (who
plays against our bots: `opponents`), `openspiel`.  `arrays` is NumPy's part.

Start with `playing`.  The libraries are those of the extra `adapters`; no other folder imports
them.  `README.md` has an example that trains.
"""
