// The rows of the list of events: passes, events, and the end of the run.

import { count, counted, h, hex, icon, iconButton } from "pspge/dom.js";
import { toggleSkip, toggleSolo } from "pspge/event-edits.js";
import { keyOf } from "pspge/keys.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/app-types.js").EventRow} EventRow */
/** @typedef {import("pspge/event-groups.js").ListRow} ListRow */

const KIND_NAMES = {
  draw: "draw",
  patch: "patch",
  immediate: "draw of registers",
  transfer: "block transfer",
  cpu: "action of the CPU",
};

/** The primitives as short names, and how many vertices each takes of its own; 0 for those that share them. */
const PRIMITIVES = /** @type {Record<string, [string, number]>} */ ({
  POINTS: ["point", 1],
  LINES: ["line", 2],
  LINE_STRIP: ["Line strip", 0],
  TRIANGLES: ["triangle", 3],
  TRIANGLE_STRIP: ["Strip", 0],
  TRIANGLE_FAN: ["Fan", 0],
  RECTANGLES: ["sprite", 2],
});

/**
 * Returns the name of an event, as a person would say it: a clear, sprites, a strip of so many vertices.
 * @param {EventRow} row
 * @returns {string}
 */
export function nameOf(row) {
  const [name, own] = PRIMITIVES[row.kind === "draw" ? (row.primitive ?? "") : ""] ?? [null, 0];
  if (row.clears) {
    const { color, stencil, depth } = row.clears;
    const planes = [color && "colour", stencil && "stencil", depth && "depth"].filter(Boolean).join(", ");
    return `Clear ${planes && sizeText(row) ? `${planes} ${sizeText(row)}` : "nothing"}`;
  }
  if (name === null || row.vertices === null) {
    return row.text;
  }
  return own > 0 ? counted(Math.floor(row.vertices / own), name) : `${name} of ${row.vertices}`;
}

/** Returns the size of the pixels that an event covers; an empty text if there are none. @param {EventRow} row */
function sizeText({ box }) {
  return box ? `${box.right - box.left + 1}×${box.bottom - box.top + 1}` : "";
}

/**
 * Returns the facts by which equal draws differ: where it draws, with which texture, and after how many changed registers.
 * @param {EventRow} row
 * @returns {[string, string, string]}
 */
function detailsOf(row) {
  const { box, texture, registers, clears } = row;
  const at = box ? `${clears ? "" : `${sizeText(row)} `}at ${box.left},${box.top}` : "";
  const sampled = texture ? `${texture.width}×${texture.height} ${texture.format}` : "";
  return [sampled, at, registers.length > 0 ? `${registers.length} reg.` : ""];
}

/**
 * Builds a row of the list.
 * @param {App} app
 * @param {ListRow | undefined} row
 * @param {{largestCost: number, isSorted: boolean, toggleGroup: (index: number) => void}} list `largestCost` is that of all
 * events; `isSorted` tells that they have no groups, whose heads name the target
 * @returns {HTMLElement}
 */
export function renderRow(app, row, { largestCost, isSorted, toggleGroup }) {
  if (!row) {
    return h("div");
  }
  if (row.kind === "end") {
    return h(
      "div",
      { class: "event-row", role: "row", "aria-level": 1 },
      h("span", { role: "gridcell", class: "event-icon" }, icon("last")),
      h("span", { role: "gridcell", class: "event-text muted" }, "End of the run"),
    );
  }
  return row.kind === "group" ? renderGroup(app, row, toggleGroup) : renderEvent(app, row, { largestCost, isSorted });
}

/**
 * @param {App} app
 * @param {ListRow & {kind: "group"}} row
 * @param {(index: number) => void} toggleGroup
 */
function renderGroup(app, { group, isOpen }, toggleGroup) {
  const buffer = group.buffer === null ? null : app.events?.buffers[group.buffer];
  const target = buffer ? `${hex(buffer.address)} ${buffer.format}` : "";
  const element = h(
    "div",
    {
      class: "event-group",
      role: "row",
      "aria-level": 1,
      "aria-expanded": String(isOpen),
      title: `Pass ${group.pass}: ${counted(group.draws, "draw")} to ${target}, cost ${count(group.cost)}`,
    },
    h("span", { role: "gridcell", class: "group-name" }, icon(isOpen ? "down" : "right"), `Pass ${group.pass}`),
    h("span", { role: "gridcell", class: "mono muted group-target" }, target),
    h("span", { role: "gridcell", class: "muted" }, counted(group.draws, "draw")),
  );
  element.addEventListener("click", () => toggleGroup(Number(element.dataset.index)));
  return element;
}

/**
 * @param {App} app
 * @param {ListRow & {kind: "event"}} listRow
 * @param {{largestCost: number, isSorted: boolean}} list
 */
function renderEvent(app, { row, isInGroup }, { largestCost, isSorted }) {
  const [texture, place, changes] = detailsOf(row);
  const buffers = app.events?.buffers ?? [];
  const buffer = isSorted && buffers.length > 1 && row.buffer !== null ? buffers[row.buffer] : null;
  const isEmpty = row.draw !== null && row.covered === 0 && !row.is_left_out;
  return h(
    "div",
    {
      class: `event-row kind-${row.kind}${row.is_left_out ? " is-left-out" : ""}${isEmpty ? " is-empty" : ""}`,
      role: "row",
      "aria-level": isInGroup ? 2 : 1,
    },
    h(
      "span",
      { role: "gridcell", class: "event-icon", title: row.clears ? "clear" : KIND_NAMES[row.kind] },
      icon(row.clears ? "clear" : row.kind),
    ),
    h(
      "span",
      {
        role: "gridcell",
        class: "event-number mono",
        title: `Event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}`,
      },
      row.event,
    ),
    h(
      "span",
      { role: "gridcell", class: "event-text", title: row.text },
      row.is_left_out && h("em", null, "skipped "),
      h("span", { class: "event-words" }, nameOf(row)),
    ),
    row.kind === "cpu"
      ? null
      : [
          h("span", { role: "gridcell", class: "event-texture muted", title: texture && "Texture" }, texture),
          h("span", { role: "gridcell", class: "event-place muted", title: place && "Pixels that it covers" }, isEmpty ? h("em", null, "no pixels") : place),
          buffer ? h("span", { role: "gridcell", class: "muted mono", title: "Target" }, hex(buffer.address)) : null,
          h("span", { role: "gridcell", class: "event-changes muted", title: row.registers.join(", ") }, changes),
          h("span", { role: "gridcell", class: "event-amount muted mono", title: "Fragments" }, count(row.covered)),
          h("span", { role: "gridcell", class: "event-draw muted mono", title: "Draw" }, row.draw === null ? "" : `d${row.draw}`),
        ],
    h(
      "span",
      {
        role: "gridcell",
        class: "event-cost",
        title: `Cost ${count(row.cost)}: as many pixels of a plain draw`,
        "aria-label": `cost ${row.cost}`,
      },
      costBar(row.cost / largestCost),
    ),
    h("span", { role: "gridcell", class: "event-actions" }, soloButton(app, row), skipButton(app, row)),
  );
}

/** @param {number} share of the largest cost */
function costBar(share) {
  const bar = h("span", { class: "cost-bar" });
  // The square root keeps small costs visible next to those of full screens.
  bar.style.width = `${Math.ceil(100 * Math.sqrt(share))}%`;
  return bar;
}

/**
 * @param {App} app
 * @param {EventRow} row
 */
function skipButton(app, row) {
  const isOwn = app.store.get().edits.includes(`--skip event:${row.event}`);
  if (row.is_left_out && !isOwn) {
    const label = "An edit leaves this event out. Show the edits";
    return iconButton("skip", label, () => app.openPanel("edits"), { tabindex: -1 });
  }
  return iconButton(
    isOwn ? "skip" : "show",
    isOwn ? "Run this event again" : `Skip this event (${keyOf("skip")})`,
    () => toggleSkip(app, row.event),
    { tabindex: -1, "aria-pressed": String(isOwn) },
  );
}

/**
 * @param {App} app
 * @param {EventRow} row
 */
function soloButton(app, row) {
  if (row.draw === null) {
    return null;
  }
  const isSolo = app.store.get().edits.includes(`--solo ${row.draw}`);
  return iconButton(
    "solo",
    isSolo ? "Run all draws again" : `Run this draw alone (${keyOf("solo")})`,
    () => toggleSolo(app, row.event),
    { tabindex: -1, "aria-pressed": String(isSolo) },
  );
}

/**
 * Returns the facts on a draw that its small picture has as caption.
 * @param {EventRow} row
 * @returns {string}
 */
export function describeDraw(row) {
  const texture = row.texture ? `, texture ${row.texture.width}×${row.texture.height} ${row.texture.format}` : "";
  return `Event ${row.event}, draw ${row.draw}, ${nameOf(row)}: ${counted(row.covered, "fragment")}, cost ${count(row.cost)}${texture}`;
}
