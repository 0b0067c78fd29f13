// boardgame.io's side of ../side_by_side.py. Reads a job as JSON from its input, prints an answer:
// the shapes of ../side_by_side_worker.py. All moves stand in one turn, as the end of a turn would
// empty the undo stack; no React layer.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { createHash } = require("node:crypto");
const { Client } = require("boardgame.io/client");
const { CreateGameReducer } = require("boardgame.io/internal");
const { Toy } = require("./skirmish.js");

// Shots are counted here, as our engine counts dice and the stock aggregate shots.
const game = {
  ...Toy,
  seed: "a seed",
  setup: () => ({ ...Toy.setup(), shots: 0 }),
  moves: { ...Toy.moves, shoot: ({ G, random }) => { random.D6(); G.shots += 1; } },
};

const answer = {
  engine: `boardgame.io ${require("boardgame.io/package.json").version}, node ${process.version}`,
  seconds: {}, digests: {}, sizes: {},
};

function newClient() {
  const client = Client({ game, numPlayers: 2, debug: false });
  client.start();
  return client;
}

function act(client, [what, a, b, c]) {
  if (what === "move") client.moves.move(a, b, c);
  else if (what === "shoot") client.moves.shoot(a, b);
  else client.moves.wound(a);
}

const text = ({ G }) => JSON.stringify({
  units: G.units.map((u) => [u.id, u.side, u.x, u.y, u.lost]), shots: G.shots,
});
const digest = (...states) =>
  createHash("sha256").update(states.map(text).join("")).digest("hex");

function time(section, work) {
  global.gc?.();
  const began = process.hrtime.bigint();
  const result = work();
  answer.seconds[section] = Number(process.hrtime.bigint() - began) / 1e9;
  return result;
}

function quantile(sorted, part) {
  const at = (sorted.length - 1) * part, low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

function timeEach(section, work, pieces) {
  const laps = [];
  global.gc?.();
  for (const piece of pieces) {
    const began = process.hrtime.bigint();
    work(piece);
    laps.push(Number(process.hrtime.bigint() - began) / 1e9);
  }
  answer.seconds[section] = laps.reduce((sum, lap) => sum + lap, 0);
  laps.sort((a, b) => a - b);
  answer.seconds[`${section} p50`] = quantile(laps, 0.5);
  answer.seconds[`${section} p99`] = quantile(laps, 0.99);
}

function rememberPeak(when) {
  let bytes = process.resourceUsage().maxRSS * 1024;
  if (fs.existsSync("/proc/self/status")) {
    bytes = /VmHWM:\s*(\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1] * 1024;
  }
  answer.sizes[`memory ${when}`] = bytes;
}

// As its debug panel does when the mouse is over a line of the log (client/debug/log/Log.svelte):
// from the first state, every logged action goes through the reducer again.
function rewind(client, reducer, actions) {
  let state = client.getInitialState();
  for (const { action, automatic } of client.log.slice(0, actions)) {
    if (!automatic) state = reducer(state, action);
  }
  return state;
}

// What its flat-file storage keeps of a match: first state, state, log, as JSON. `undo` false: as
// its debug panel saves, without the stacks, so that nothing can be taken back after a load.
function keep(client, undo) {
  const suffix = undo ? "" : " without undo";
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "bench-")), "match.json");
  time(`save${suffix}`, () => {
    const { log, isActive, isConnected, ...whole } = client.getState();
    const state = undo ? whole : { ...whole, _undo: [], _redo: [], deltalog: [] };
    const handle = fs.openSync(file, "w");
    fs.writeSync(handle, JSON.stringify({ initialState: client.getInitialState(), state, log }));
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  });
  answer.sizes[`file${suffix}`] = fs.statSync(file).size;
  const loaded = time(`load${suffix}`, () => {
    const found = JSON.parse(fs.readFileSync(file, "utf8"));
    const fresh = newClient();
    fresh.store.dispatch({ type: "SYNC", clientOnly: true, ...found });
    return fresh;
  });
  fs.rmSync(path.dirname(file), { recursive: true });
  answer.digests[`loaded${suffix}`] = digest(loaded.getState());
  if (undo) {
    loaded.undo();
    answer.digests["loaded and undone"] = digest(loaded.getState());
  }
}

function run({ calls, seeks, warm }) {
  if (warm) {
    const client = newClient();
    for (const call of calls.slice(0, warm)) act(client, call);
  }
  rememberPeak("at start");
  const client = newClient();
  timeEach("apply", (call) => act(client, call), calls);
  answer.digests.applied = digest(client.getState());
  rememberPeak("after apply");

  const reducer = CreateGameReducer({ game: client.game });
  const sought = time("seek", () => seeks.map((actions) => rewind(client, reducer, actions).G));
  answer.digests.sought = digest(...sought.map((G) => ({ G })));
  const again = time("replay", () => rewind(client, reducer, calls.length));
  answer.digests.replayed = digest(again);
  answer.seconds.executed = answer.seconds.replay;  // its one way to replay is to execute again
  answer.sizes.rows = JSON.stringify(client.log).length;
  keep(client, true);
  keep(client, false);

  time("undo", () => { for (const _ of calls) client.undo(); });
  answer.digests.undone = digest(client.getState());
  time("redo", () => { for (const _ of calls) client.redo(); });
  answer.digests.redone = digest(client.getState());
  rememberPeak("at the end");
}

run(JSON.parse(fs.readFileSync(0, "utf8")));
console.log(JSON.stringify(answer));
