"""Adapters for reinforcement learning libraries: PettingZoo, Gymnasium, OpenSpiel."""

# Learners need fixed-width numbers, but the options of a decision vary. `environment` and
# `observation` solve this for all libraries and games:
#
# - action space: all actions are known before a game begins (`Pack.actions`), so each option of
#   each question has a number, and the legal ones are a mask (`Moves`);
# - observations: the player's view (`Game.view`) as a row of named numbers (`FeatureEncoder`),
#   computed from nothing else, so a learner knows no more than a player;
# - rewards: the result at the end (`Game.result`), or points as they change (`Game.scores`).
#
# `environment.Playing` is a game in which players move in turn, by action number. `pettingzoo`,
# `gymnasium` (with our bots as opponents) and `openspiel` add the interface of each library, which
# the extra `adapters` installs; no other folder imports them. `README.md` has a training example.
