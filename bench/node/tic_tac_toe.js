'use strict';

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8],
  [0, 3, 6], [1, 4, 7], [2, 5, 8],
  [0, 4, 8], [2, 4, 6],
];
const CELLS = 9;
// For every cell, the lines through it without the cell itself.
const PARTNERS = Array.from({ length: CELLS }, (_, cell) =>
  LINES.filter((line) => line.includes(cell)).map((line) => line.filter((each) => each !== cell)),
);

module.exports = {
  name: 'tic_tac_toe',
  disableUndo: true,
  setup: () => ({ board: Array(CELLS).fill(null), marks: 0, winner: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark({ G, playerID }, cell) {
      const { board } = G;
      board[cell] = playerID;
      G.marks += 1;
      if (PARTNERS[cell].some(([a, b]) => board[a] === playerID && board[b] === playerID)) {
        G.winner = playerID;
      }
    },
  },
  endIf({ G }) {
    if (G.winner !== null) return { winner: G.winner };
    return G.marks === CELLS ? { draw: true } : undefined;
  },
  ai: {
    enumerate({ board }) {
      const found = [];
      for (let cell = 0; cell < CELLS; cell += 1) {
        if (board[cell] === null) found.push({ move: 'mark', args: [cell] });
      }
      return found;
    },
  },
};
