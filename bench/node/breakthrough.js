'use strict';

const SIDE = 8;
const CELLS = SIDE * SIDE;
const PAWNS = 2 * SIDE;
// Players are '0', who moves towards higher cells, and '1'.
const FORWARD = { 0: SIDE, 1: -SIDE };
const OTHER = { 0: '1', 1: '0' };

const cells = (first) => Array.from({ length: PAWNS }, (_, index) => first + index);
const atGoal = (cell, player) => (player === '0' ? cell >= CELLS - SIDE : cell < SIDE);

module.exports = {
  name: 'breakthrough',
  disableUndo: true,
  // `pawns` are the cells of the pawns, by player.
  setup: () => ({
    board: [...Array(PAWNS).fill('0'), ...Array(CELLS - 2 * PAWNS).fill(null), ...Array(PAWNS).fill('1')],
    pawns: { 0: cells(0), 1: cells(CELLS - PAWNS) },
    winner: null,
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    advance({ G, playerID }, from, into) {
      const { board, pawns } = G;
      const mine = pawns[playerID];
      const theirs = pawns[OTHER[playerID]];
      if (board[into] !== null) theirs.splice(theirs.indexOf(into), 1);
      board[into] = playerID;
      board[from] = null;
      mine[mine.indexOf(from)] = into;
      if (theirs.length === 0 || atGoal(into, playerID)) G.winner = playerID;
    },
  },
  endIf: ({ G }) => (G.winner === null ? undefined : { winner: G.winner }),
  ai: {
    enumerate({ board, pawns }, { currentPlayer }) {
      const found = [];
      for (const from of pawns[currentPlayer]) {
        const ahead = from + FORWARD[currentPlayer];
        const column = from % SIDE;
        const add = (into) => found.push({ move: 'advance', args: [from, into] });
        if (board[ahead] === null) add(ahead);
        if (column > 0 && board[ahead - 1] !== currentPlayer) add(ahead - 1);
        if (column < SIDE - 1 && board[ahead + 1] !== currentPlayer) add(ahead + 1);
      }
      return found;
    },
  },
};
