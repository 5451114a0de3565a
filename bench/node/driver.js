'use strict';

// Usage: node driver.js LIBRARY GAME, where LIBRARY is the file of boardgame.io/internal.
// Prints "ready" when it is warm. Each line of input is then a number of random games to play; the
// answer is a line of JSON with their plies and the CPU seconds that this process took.

const { createInterface } = require('node:readline');
const playoutOf = require('./playout.js');

const WARM_UP_SECONDS = 1.5;
const MICROSECONDS = 1e6;

const [library, game] = process.argv.slice(2);
const playout = playoutOf(require(library), require(`./${game}.js`));
const choose = (moves) => moves[Math.floor(Math.random() * moves.length)];

function cpuSeconds(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / MICROSECONDS;
}

function play(games) {
  const start = process.cpuUsage();
  let plies = 0;
  for (let count = 0; count < games; count += 1) plies += playout(choose).plies;
  return { plies, seconds: cpuSeconds(start) };
}

const start = process.cpuUsage();
while (cpuSeconds(start) < WARM_UP_SECONDS) play(1);
console.log(JSON.stringify('ready'));
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify(play(Number(line))));
});
