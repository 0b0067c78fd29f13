"use strict";
// The replay of the page: moves the models of the drawn table to where they stood after a step.
const battle = JSON.parse(document.getElementById("battle").textContent);
const { units, frames, plot } = battle;
const get = (id) => document.getElementById(id);
const table = get("table");
const SVG = "http://www.w3.org/2000/svg";
const INKS = { red: "#8c1d18", blue: "#174a84" };

function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
}

// Layers from bottom to top: trails, bases, arrows, names.
const trails = draw(table, "g", {});
const bases = draw(table, "g", {});
const arrows = draw(table, "g", {});
const names = draw(table, "g", {});
const models = [];
for (const [index, unit] of units.entries()) {
  unit.first = models.length;
  unit.group = draw(bases, "g", { fill: unit.shade, stroke: INKS[unit.side] });
  unit.label = draw(names, "text", { fill: INKS[unit.side] }, unit.id);
  for (const [n, radius] of unit.radii.entries()) {
    const circle = draw(unit.group, "circle", { r: radius / 10 - 0.6, class: "gone" });
    draw(circle, "title", {}, `${unit.id}.${n + 1}`);
    models.push({ unit: index, circle, radius });
  }
}

// Every step in full, from what changed in each: seeking is then a look-up.
const states = [];
{
  let at = new Int32Array(2 * models.length).fill(-1);
  let plights = new Uint8Array(units.length);
  for (const frame of frames) {
    at = at.slice();
    for (let i = 0; i < (frame.moved || []).length; i += 3) {
      at[2 * frame.moved[i]] = frame.moved[i + 1];
      at[2 * frame.moved[i] + 1] = frame.moved[i + 2];
    }
    for (const model of frame.gone || []) at[2 * model] = -1;
    plights = plights.slice();
    const changed = frame.plights || [];
    for (let i = 0; i < changed.length; i += 2) plights[changed[i]] = changed[i + 1];
    states.push({ at, plights });
  }
}

const rows = units.map((unit) => {
  const row = document.createElement("div");
  row.className = "unit";
  row.innerHTML = "<span></span><span></span><i><u></u></i>";
  row.firstChild.textContent = unit.id;
  row.querySelector("u").style.background = unit.shade;
  row.onmouseenter = () => units.forEach((one) => {
    one.group.style.opacity = one.label.style.opacity = one === unit ? 1 : 0.15;
  });
  row.onmouseleave = () => units.forEach((one) => {
    one.group.style.opacity = one.label.style.opacity = "";
  });
  get(unit.side).appendChild(row);
  return row;
});

function centre(at, index) {
  const unit = units[index];
  let x = 0, y = 0, count = 0, top = Infinity;
  for (let m = unit.first; m < unit.first + unit.radii.length; m++) {
    if (at[2 * m] < 0) continue;
    x += at[2 * m];
    y += at[2 * m + 1];
    top = Math.min(top, at[2 * m + 1] - models[m].radius);
    count++;
  }
  return count ? { x: x / count / 10, y: y / count / 10, top: top / 10, count } : null;
}

function showTable(n) {
  const { at, plights } = states[n];
  const before = n ? states[n - 1].at : at;
  trails.replaceChildren();
  arrows.replaceChildren();
  models.forEach(({ circle, unit, radius }, m) => {
    const x = at[2 * m] / 10, y = at[2 * m + 1] / 10;
    const was = { x: before[2 * m] / 10, y: before[2 * m + 1] / 10 };
    circle.classList.toggle("gone", at[2 * m] < 0);
    circle.classList.toggle("locked", (plights[unit] & 1) > 0);
    circle.classList.toggle("falling", (plights[unit] & 2) > 0);
    if (at[2 * m] >= 0) {
      circle.setAttribute("cx", x);
      circle.setAttribute("cy", y);
      if (was.x >= 0 && (was.x !== x || was.y !== y)) {
        draw(trails, "path", { class: "trail", d: `M${was.x} ${was.y}L${x} ${y}` });
      }
    } else if (was.x >= 0) {
      const d = radius * 0.07;
      draw(trails, "path", { class: "cross", stroke: units[unit].shade,
        d: `M${was.x - d} ${was.y - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}` });
    }
  });
  units.forEach((unit, index) => {
    const spot = centre(at, index);
    unit.label.style.display = spot ? "" : "none";
    if (spot) {
      unit.label.setAttribute("x", spot.x);
      unit.label.setAttribute("y", Math.max(spot.top - 4, 88));
    }
    const row = rows[index], count = spot ? spot.count : 0;
    const waiting = (plights[index] & 8) > 0;
    const left = waiting ? unit.radii.length : count;
    const words = [];
    if (plights[index] & 1) words.push("locked");
    if (plights[index] & 2) words.push("falling back");
    if (plights[index] & 4) words.push("gone to ground");
    row.classList.toggle("dead", !left);
    row.children[1].innerHTML = `<em>${words.join(", ")}</em> ${left}`;
    row.querySelector("u").style.width = `${(100 * left) / unit.radii.length}%`;
  });
  for (const [unit, target, kind] of frames[n].arrows || []) {
    const from = centre(before, unit) || centre(at, unit);
    const to = centre(before, target) || centre(at, target);
    if (!from || !to) continue;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const bend = kind ? 0 : 0.08;
    const middle = `${from.x + dx / 2 - bend * dy} ${from.y + dy / 2 + bend * dx}`;
    draw(arrows, "path", { class: kind ? "blow" : "shot", stroke: INKS[units[unit].side],
      "marker-end": `url(#${units[unit].side}-tip)`,
      d: `M${from.x} ${from.y}Q${middle} ${to.x} ${to.y}` });
  }
}

function showWords(n) {
  const frame = frames[n];
  const told = get("told");
  const line = (name, kind, text) => {
    const element = document.createElement(name);
    element.className = kind;
    element.textContent = text;
    return element;
  };
  const when = frame.turn ? `turn ${frame.turn}, ${frame.side}, ${frame.phase}` : "before the battle";
  const list = document.createElement("ul");
  for (const text of frame.lines) list.appendChild(line("li", "", text));
  told.replaceChildren(
    line("div", "when", `step ${frame.step}: ${when}`),
    line("div", `answer ${frame.by}`, frame.by ? `${frame.by}: ${frame.answer}` : frame.answer),
    list,
  );
  ["red", "blue"].forEach((side, i) => {
    const points = Math.round(frame.left[i] / 10);
    get(`${side}-now`).textContent = `${points} points left, ${frame.score[i]} VP`;
  });
  get("place").textContent = `step ${frame.step} of ${frames[frames.length - 1].step}`;
  get("cursor").style.left = `${100 * (plot.left + (plot.wide * n) / Math.max(frames.length - 1, 1))}%`;
}

let now = 0, playing = 0;

function show(n) {
  n = Math.max(0, Math.min(frames.length - 1, n));
  table.classList.toggle("jump", Math.abs(n - now) > 1);
  now = n;
  get("slider").value = n;
  showTable(n);
  showWords(n);
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (now < frames.length - 1 ? show(now + 1) : play(false)), 700) : 0;
  get("play").textContent = on ? "❚❚" : "►";
}

function seek(event) {
  const box = get("story").getBoundingClientRect();
  const share = ((event.clientX - box.left) / box.width - plot.left) / plot.wide;
  play(false);
  show(Math.round(share * (frames.length - 1)));
}

get("slider").max = frames.length - 1;
get("slider").oninput = (event) => { play(false); show(+event.target.value); };
get("back").onclick = () => { play(false); show(now - 1); };
get("on").onclick = () => { play(false); show(now + 1); };
get("play").onclick = () => play(!playing);
get("story").onpointerdown = seek;
get("story").onpointermove = (event) => { if (event.buttons) seek(event); };
for (const item of document.querySelectorAll("[data-step]")) {
  item.onclick = () => {
    play(false);
    show(frames.findIndex((frame) => frame.step === +item.dataset.step));
    get("battlefield").scrollIntoView({ behavior: "smooth", block: "start" });
  };
}
document.onkeydown = (event) => {
  if (event.target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
  if (event.key === "ArrowLeft") { play(false); show(now - 1); }
  if (event.key === "ArrowRight") { play(false); show(now + 1); }
  if (event.key === " ") { event.preventDefault(); play(!playing); }
};
const start = frames.findIndex((frame) => `#${frame.step}` === location.hash);
show(start >= 0 ? start : frames.length - 1);
