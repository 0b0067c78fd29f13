// The toy of ../toyrules.py in boardgame.io: the same script, moves timed, the same end digest.
// usage: node toy.js ACTIONS; prints one JSON object.
const { createHash } = require("node:crypto");
const { Client } = require("boardgame.io/client");

const UNITS = 40;
const Toy = {
  name: "toy",
  setup: () => ({
    units: Array.from({ length: UNITS }, (_, k) => ({
      id: `u${k}`, side: k % 2 ? "red" : "blue", x: 1000 * k, y: 1000, lost: 0, hits: 0,
    })),
  }),
  moves: {
    move: ({ G }, unit, dx, dy) => { G.units[unit].x += dx; G.units[unit].y += dy; },
    // The die decides nothing, so that both engines end in the same state; it is rolled all the same.
    shoot: ({ G, random }, unit, target) => { random.D6(); G.units[target].hits += 0; },
    wound: ({ G }, target) => { G.units[target].lost += 1; },
  },
};

function script(actions) {
  const calls = [];
  for (let i = 0; i < actions; i++) {
    const unit = (i * 7) % UNITS, target = (i * 11 + 1) % UNITS;
    if (i % 3 === 0) calls.push(["move", unit, (i % 13) - 6, (i % 7) - 3]);
    else if (i % 3 === 1) calls.push(["shoot", unit, target]);
    else calls.push(["wound", target]);
  }
  return calls;
}

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
