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

/**
 * Builds a row of the list.
 * @param {App} app
 * @param {ListRow | undefined} row
 * @param {{largestCost: number, toggleGroup: (index: number) => void}} list `largestCost` is that of all events
 * @returns {HTMLElement}
 */
export function renderRow(app, row, { largestCost, toggleGroup }) {
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
  return row.kind === "group" ? renderGroup(app, row, toggleGroup) : renderEvent(app, row, largestCost);
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
 * @param {number} largestCost
 */
function renderEvent(app, { row, isInGroup }, largestCost) {
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
      { role: "gridcell", class: "event-icon", title: row.is_clear ? "clear" : KIND_NAMES[row.kind] },
      icon(row.is_clear ? "clear" : row.kind),
    ),
    h(
      "span",
      {
        role: "gridcell",
        class: "event-number mono",
        title: `Event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}`,
      },
      row.draw === null ? `e${row.event}` : row.draw,
    ),
    h(
      "span",
      { role: "gridcell", class: "event-text" },
      row.is_left_out && h("em", null, "skipped "),
      h("span", { class: "event-words" }, row.text),
      isEmpty && h("em", null, " no pixels"),
    ),
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
  return `Event ${row.event}, draw ${row.draw}: ${counted(row.covered, "fragment")}, cost ${count(row.cost)}${texture}`;
}
