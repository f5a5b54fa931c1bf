// events/event-columns.tsx
import { count, hex } from "pspge/base/dom.js";
import { remember, setting } from "pspge/base/layout.js";
import { blendOf, effectsOf, killedOf, nameOf, placeOf, testsOf, textureOf } from "pspge/events/event-names.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var SETTING = "event-columns";
var NAME = "name";
var some = (number) => number === 0 ? "" : count(number);
var COLUMNS = [
  { id: "event", title: "#", about: "Number of the event", width: 5.5, isNumber: true, key: ({ event }) => event },
  { id: "draw", title: "Draw", about: "Number of the draw", width: 6, isNumber: true, key: ({ draw }) => draw ?? -1, cell: ({ draw }) => draw },
  { id: NAME, title: "Event", about: "The event", width: 20, key: nameOf },
  {
    id: "target",
    title: "Target",
    about: "Address of the colour buffer that is drawn to",
    width: 11,
    key: ({ buffer }, { buffers }) => buffer === null ? "" : hex(buffers[buffer]?.address)
  },
  { id: "texture", title: "Texture", about: "The texture", width: 17, key: textureOf, cell: (row, { picture }) => /* @__PURE__ */ jsxs(Fragment, { children: [
    picture(row),
    textureOf(row)
  ] }) },
  { id: "place", title: "Pixels", about: "Box of the pixels that it covers, or its addresses", width: 20, key: placeOf, cell: placeCell },
  { id: "blend", title: "Blend", about: "How it blends with the target", width: 14, key: blendOf },
  { id: "tests", title: "Tests", about: "Tests of its fragments", width: 22, key: testsOf },
  { id: "effects", title: "Effects", about: "Light, fog, culling, dithering and the like", width: 14, key: effectsOf },
  { id: "vertices", title: "Vertices", about: "Number of vertices", width: 9, isNumber: true, key: ({ vertices }) => vertices ?? 0, cell: ({ vertices }) => some(vertices ?? 0) },
  {
    id: "primitives",
    title: "Culled",
    about: "Primitives that do not reach the rasterizer: culled, or outside the view",
    width: 8,
    isNumber: true,
    key: ({ primitives }) => primitives ? primitives.all - primitives.drawn : 0,
    cell: ({ primitives }) => primitives && /* @__PURE__ */ jsx("span", { title: culledText(primitives), children: some(primitives.all - primitives.drawn) })
  },
  { id: "covered", title: "Fragments", about: "Fragments that it covers inside the scissor", width: 10, isNumber: true, key: ({ covered }) => covered, cell: ({ covered }) => some(covered) },
  { id: "passed", title: "Drawn", about: "Fragments that pass all tests", width: 9, isNumber: true, key: ({ passed }) => passed, cell: ({ passed }) => some(passed) },
  { id: "killed", title: "Killed", about: "Fragments that tests kill", width: 9, isNumber: true, key: killedOf, cell: (row) => some(killedOf(row)) },
  {
    id: "registers",
    title: "Registers",
    about: "Registers that were written since the event before",
    width: 10,
    isNumber: true,
    key: ({ registers }) => registers.length,
    cell: ({ registers }) => /* @__PURE__ */ jsx("span", { title: registers.join(", "), children: some(registers.length) })
  },
  { id: "rank", title: "Rank", about: "Place among all events by cost", width: 6, isNumber: true, key: ({ cost }) => cost, cell: ({ event }, { rank }) => count(rank(event)) },
  { id: "cost", title: "Cost", about: "Cost: as many pixels of a plain draw", width: 7, key: ({ cost }) => cost, cell: costCell }
];
var BY_USE = ["event", NAME, "cost", "texture", "place", "killed", "draw", "rank", "passed", "blend", "tests", "target", "primitives", "vertices", "registers", "effects", "covered"];
function placeCell(row) {
  const isEmpty = row.draw !== null && row.covered === 0 && !row.is_left_out;
  return isEmpty ? /* @__PURE__ */ jsx("em", { children: "no pixels" }) : placeOf(row);
}
function culledText({ all, drawn, culled, flat }) {
  return `Of ${count(all)} primitives: ${count(drawn)} drawn, ${count(culled)} culled, ${count(flat)} without area, ${count(all - drawn - culled - flat)} outside the view`;
}
function costCell({ cost }, { largestCost }) {
  const width = `${Math.min(100, Math.ceil(100 * Math.sqrt(cost / largestCost)))}%`;
  return /* @__PURE__ */ jsx("span", { class: "cost-track", title: `Cost ${count(cost)}: as many pixels of a plain draw`, role: "img", "aria-label": `cost ${cost}`, children: /* @__PURE__ */ jsx("span", { class: "cost-bar", style: { width } }) });
}
function chosenColumns() {
  const text = setting(SETTING, "");
  return text === "" ? null : [NAME, ...text.split(",")];
}
function chooseColumns(ids) {
  remember(SETTING, ids === null ? "" : ids.join(",") || NAME);
}
function shownColumns(room, hasTargets) {
  const chosen = chosenColumns();
  if (chosen) {
    return COLUMNS.filter(({ id }) => chosen.includes(id));
  }
  let used = 0;
  const shown = BY_USE.filter((id) => id !== "target" || hasTargets).filter((id, index) => {
    used += COLUMNS.find((column) => column.id === id)?.width ?? 0;
    return index < 2 || used <= room;
  });
  return COLUMNS.filter(({ id }) => shown.includes(id));
}
function gridOf(columns) {
  return columns.map(({ id, width }) => id === NAME ? `minmax(${width}ch, 1fr)` : `${width}ch`).join(" ");
}
function sortEvents(events, { id, key }, facts, isReversed) {
  const rises = id === "event" || id === "draw";
  const order = (a, b) => {
    const missing = Number(a === "" || a === -1) - Number(b === "" || b === -1);
    const isBefore = typeof a === "number" && typeof b === "number" && !rises ? a > b : a < b;
    return missing || (a === b ? 0 : isBefore !== isReversed ? -1 : 1);
  };
  const keyed = events.map((row) => ({ row, key: key(row, facts) }));
  return keyed.sort((a, b) => order(a.key, b.key) || a.row.event - b.row.event).map(({ row }) => row);
}
export {
  COLUMNS,
  chooseColumns,
  chosenColumns,
  gridOf,
  shownColumns,
  sortEvents
};
