// The toy of ../toyrules.py as a boardgame.io game, and its script.
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

module.exports = { Toy, script };
