// The toy of ../toyrules.py in boardgame.io: the same script, moves timed, the same end digest.
// usage: node toy.js ACTIONS; prints one JSON object.
const { createHash } = require("node:crypto");
const { Client } = require("boardgame.io/client");
const { Toy, script } = require("./skirmish.js");

const actions = Number(process.argv[2] || 2000);
const calls = script(actions);
const client = Client({ game: { ...Toy, seed: "a seed" }, numPlayers: 2, debug: false });
client.start();
const began = process.hrtime.bigint();
for (const [name, ...args] of calls) client.moves[name](...args);
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const state = client.getState();
const flat = state.G.units.map((u) => [u.x, u.y, u.lost]);
console.log(JSON.stringify({
  seconds,
  moves: state._stateID,
  digest: createHash("blake2b512").update(JSON.stringify(flat)).digest("hex"),
  version: require("boardgame.io/package.json").version,
  node: process.version,
}));
