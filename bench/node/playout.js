'use strict';

// Plays a whole game on boardgame.io's own reducer, like its bots and its `Simulate`. A headless
// client would add a store and a log to every move.
module.exports = function playoutOf({ CreateGameReducer, InitializeGame, ProcessGameConfig }, rules) {
  const game = ProcessGameConfig(rules);
  const reduce = CreateGameReducer({ game });
  return (choose) => {
    let state = InitializeGame({ game });
    let plies = 0;
    while (state.ctx.gameover === undefined) {
      const { move, args } = choose(game.ai.enumerate(state.G, state.ctx));
      const payload = { type: move, args, playerID: state.ctx.currentPlayer };
      state = reduce(state, { type: 'MAKE_MOVE', payload });
      plies += 1;
    }
    return { plies, gameover: state.ctx.gameover };
  };
};
