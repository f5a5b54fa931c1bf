// event-row.js
import { count, counted, h, hex, icon, iconButton } from "pspge/dom.js";
import { toggleSkip, toggleSolo } from "pspge/event-edits.js";
import { killedOf, nameOf, nameOfDraws } from "pspge/event-names.js";
import { keyOf } from "pspge/keys.js";
var KIND_NAMES = {
  draw: "draw",
  patch: "patch",
  immediate: "draw of registers",
  transfer: "block transfer",
  cpu: "action of the CPU"
};
function renderRow(app, row, { columns, facts, toggle }) {
  switch (row?.kind) {
    case void 0:
      return h("div");
    case "end":
      return h(
        "div",
        { class: "event-row is-end", role: "row", "aria-level": 1 },
        h("span", { role: "gridcell", class: "row-name muted" }, icon("last"), "End of the run")
      );
    case "group":
      return renderGroup(app, row, toggle);
    case "fold":
      return renderFold(row, { columns, facts, toggle });
    case "event":
      return renderEvent(app, row, { columns, facts });
  }
}
function renderGroup(app, { group, isOpen }, toggle) {
  const buffer = group.buffer === null ? null : app.events?.buffers[group.buffer];
  const target = buffer ? `${hex(buffer.address)} ${buffer.format}` : "";
  const element = h(
    "div",
    {
      class: "event-group",
      role: "row",
      "aria-level": 1,
      "aria-expanded": String(isOpen),
      title: `Pass ${group.pass}: ${counted(group.draws, "draw")} to ${target}, cost ${count(group.cost)}`
    },
    h("span", { role: "gridcell", class: "group-name" }, icon(isOpen ? "down" : "right"), `Pass ${group.pass}`),
    h("span", { role: "gridcell", class: "mono muted group-target" }, target),
    h("span", { role: "gridcell", class: "muted" }, counted(group.draws, "draw"))
  );
  element.addEventListener("click", () => toggle(Number(element.dataset.index)));
  return element;
}
function renderFold({ fold, isOpen, level }, { columns, facts, toggle }) {
  const { sum, rows, draws } = fold;
  const copies = rows.length - draws;
  const last = rows.at(-1)?.event ?? sum.event;
  const title = `Events ${sum.event} to ${last}: ${draws > 0 ? counted(draws, "equal draw") : ""}${draws > 0 && copies > 0 ? " and " : ""}${copies > 0 ? counted(copies, "copy by the CPU", "copies by the CPU") : ""}`;
  const opener = iconButton(isOpen ? "down" : "right", isOpen ? "Close these events" : "Open these events", () => toggle(Number(element.dataset.index)), { tabindex: -1 });
  const name = [opener, h("span", { class: "event-words" }, draws > 0 ? nameOfDraws(sum, draws) : counted(copies, "copy", "copies")), draws > 0 && h("span", { class: "muted" }, `in ${counted(draws, "draw")}`)];
  const element = h(
    "div",
    { class: `event-row is-fold kind-${sum.kind}`, role: "row", "aria-level": level, "aria-expanded": String(isOpen), title },
    cells(columns, sum, facts, (column) => column.id === "name" ? name : column.id === "draw" ? sum.draw ?? "" : void 0)
  );
  return element;
}
function renderEvent(app, { row, level }, { columns, facts }) {
  const isEmpty = row.draw !== null && row.covered === 0 && !row.is_left_out;
  const isKilled = row.draw !== null && row.covered > 0 && killedOf(row) === row.covered && !row.is_left_out;
  const kind = h("span", { class: "event-icon", title: row.clears ? "clear" : KIND_NAMES[row.kind] }, icon(row.clears ? "clear" : row.kind));
  const name = [kind, row.is_left_out && h("em", null, "skipped "), h("span", { class: "event-words", title: row.text }, nameOf(row)), isKilled && h("em", null, "all killed")];
  return h(
    "div",
    {
      class: `event-row kind-${row.kind}${row.is_left_out ? " is-left-out" : ""}${isEmpty || isKilled ? " is-empty" : ""}`,
      role: "row",
      "aria-level": level
    },
    cells(columns, row, facts, (column) => column.id === "name" ? name : void 0),
    h("span", { role: "gridcell", class: "event-actions" }, soloButton(app, row), skipButton(app, row))
  );
}
function cells(columns, row, facts, special) {
  return columns.map((column, index) => {
    const content = special(column) ?? (column.cell ? column.cell(row, facts) : column.key(row, facts));
    const number = `Event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}`;
    const title = column.id === "event" ? number : typeof content === "string" && content.length > column.width - 2 ? content : null;
    const cell = h("span", { role: "gridcell", class: `event-${column.id === "event" ? "number" : column.id}${column.isNumber ? " is-number" : ""}`, title }, content);
    cell.style.gridColumn = String(index + 1);
    return cell;
  });
}
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
    { tabindex: -1, "aria-pressed": String(isOwn) }
  );
}
function soloButton(app, row) {
  if (row.draw === null) {
    return null;
  }
  const isSolo = app.store.get().edits.includes(`--solo ${row.draw}`);
  return iconButton(
    "solo",
    isSolo ? "Run all draws again" : `Run this draw alone (${keyOf("solo")})`,
    () => toggleSolo(app, row.event),
    { tabindex: -1, "aria-pressed": String(isSolo) }
  );
}
export {
  renderRow
};
