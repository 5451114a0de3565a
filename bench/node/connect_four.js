'use strict';

const COLUMNS = 7;
const ROWS = 6;
const LINE = 4;
const EDGE = -1;
// An extra column, and a row below and above, end every walk along a line.
const WIDTH = COLUMNS + 1;
const DIRECTIONS = [1, WIDTH - 1, WIDTH, WIDTH + 1];

function newBoard() {
  const board = Array(WIDTH * (ROWS + 2) + 1).fill(EDGE);
  for (let row = 1; row <= ROWS; row += 1) board.fill(null, row * WIDTH, row * WIDTH + COLUMNS);
  return board;
}

function reach(board, cell, step, player) {
  let end = cell;
  while (board[end + step] === player) end += step;
  return end;
}

function makesLine(board, cell, player) {
  return DIRECTIONS.some((step) => {
    const ends = reach(board, cell, step, player) - reach(board, cell, -step, player);
    return ends >= (LINE - 1) * step;
  });
}

module.exports = {
  name: 'connect_four',
  disableUndo: true,
  // `free` holds the lowest free cell of each column.
  setup: () => ({
    board: newBoard(),
    free: Array.from({ length: COLUMNS }, (_, column) => WIDTH + column),
    discs: 0,
    winner: null,
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop({ G, playerID }, column) {
      const { board, free } = G;
      const cell = free[column];
      board[cell] = playerID;
      free[column] = cell + WIDTH;
      G.discs += 1;
      if (makesLine(board, cell, playerID)) G.winner = playerID;
    },
  },
  endIf({ G }) {
    if (G.winner !== null) return { winner: G.winner };
    return G.discs === COLUMNS * ROWS ? { draw: true } : undefined;
  },
  ai: {
    enumerate({ board, free }) {
      const found = [];
      for (let column = 0; column < COLUMNS; column += 1) {
        if (board[free[column]] === null) found.push({ move: 'drop', args: [column] });
      }
      return found;
    },
  },
};
