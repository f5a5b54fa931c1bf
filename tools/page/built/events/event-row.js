// events/event-row.tsx
import { count, counted, h, hex } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { render } from "pspge/base/preact.js";
import { killedOf, nameOf, nameOfDraws } from "pspge/events/event-names.js";
import { toggleSkip, toggleSolo } from "pspge/state/event-edits.js";
import { Icon, IconButton } from "pspge/widgets/controls.js";
import { TargetLink } from "pspge/widgets/links.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var KIND_NAMES = {
  draw: "draw",
  patch: "patch",
  immediate: "draw of registers",
  transfer: "block transfer",
  cpu: "action of the CPU"
};
function renderRow(list, row) {
  const holder = h("div");
  render(/* @__PURE__ */ jsx(Row, { list, row }), holder);
  return holder.firstElementChild ?? holder;
}
function indexOf({ currentTarget }) {
  return Number(currentTarget.closest("[data-index]")?.dataset.index);
}
function Row({ list, row }) {
  switch (row?.kind) {
    case "end":
      return /* @__PURE__ */ jsx("div", { class: "event-row is-end", role: "row", "aria-level": 1, children: /* @__PURE__ */ jsxs("span", { role: "gridcell", class: "row-name muted", children: [
        /* @__PURE__ */ jsx(Icon, { name: "last" }),
        "End of the run"
      ] }) });
    case "group":
      return /* @__PURE__ */ jsx(GroupRow, { list, group: row.group, isOpen: row.isOpen });
    case "fold":
      return /* @__PURE__ */ jsx(FoldRow, { list, fold: row.fold, isOpen: row.isOpen, level: row.level });
    case "event":
      return /* @__PURE__ */ jsx(OneRow, { list, row: row.row, level: row.level });
    default:
      return null;
  }
}
function GroupRow({ list: { app, toggle }, group, isOpen }) {
  const buffer = group.buffer === null ? null : app.events?.buffers[group.buffer];
  const target = buffer ? `${hex(buffer.address)} ${buffer.format}` : "";
  const title = `Pass ${group.pass}: ${counted(group.draws, "draw")} to ${target}, cost ${count(group.cost)}`;
  return /* @__PURE__ */ jsxs("div", { class: "event-group", role: "row", "aria-level": 1, "aria-expanded": isOpen, title, onClick: (event) => toggle(indexOf(event)), children: [
    /* @__PURE__ */ jsxs("span", { role: "gridcell", class: "group-name", children: [
      /* @__PURE__ */ jsx(Icon, { name: isOpen ? "down" : "right" }),
      `Pass ${group.pass}`
    ] }),
    /* @__PURE__ */ jsx("span", { role: "gridcell", class: "mono muted group-target", children: buffer && /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx(TargetLink, { app, pass: group.pass, children: hex(buffer.address) }),
      ` ${buffer.format}`
    ] }) }),
    /* @__PURE__ */ jsx("span", { role: "gridcell", class: "muted", children: counted(group.draws, "draw") })
  ] });
}
function FoldRow({ list, fold: { sum, rows, draws }, isOpen, level }) {
  const copies = rows.length - draws;
  const last = rows.at(-1)?.event ?? sum.event;
  const parts = [draws > 0 && counted(draws, "equal draw"), copies > 0 && counted(copies, "copy by the CPU", "copies by the CPU")].filter(Boolean);
  const name = /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(IconButton, { name: isOpen ? "down" : "right", label: isOpen ? "Close these events" : "Open these events", tabIndex: -1, onClick: (event) => list.toggle(indexOf(event)) }),
    /* @__PURE__ */ jsx("span", { class: "event-words", children: draws > 0 ? nameOfDraws(sum, draws) : counted(copies, "copy", "copies") }),
    draws > 0 && /* @__PURE__ */ jsx("span", { class: "muted", children: `in ${counted(draws, "draw")}` })
  ] });
  return /* @__PURE__ */ jsx("div", { class: `event-row is-fold kind-${sum.kind}`, role: "row", "aria-level": level, "aria-expanded": isOpen, title: `Events ${sum.event} to ${last}: ${parts.join(" and ")}`, children: /* @__PURE__ */ jsx(Cells, { list, row: sum, special: { name, draw: sum.draw ?? "" } }) });
}
function OneRow({ list, row, level }) {
  const isEmpty = row.draw !== null && row.covered === 0 && !row.is_left_out;
  const open = ({ target }) => target.closest("button") ?? list.app.openPanel("commands");
  const isKilled = row.draw !== null && row.covered > 0 && killedOf(row) === row.covered && !row.is_left_out;
  const name = /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: "event-icon", title: row.clears ? "clear" : KIND_NAMES[row.kind], children: /* @__PURE__ */ jsx(Icon, { name: row.clears ? "clear" : row.kind }) }),
    row.is_left_out && /* @__PURE__ */ jsx("em", { children: "skipped " }),
    /* @__PURE__ */ jsx("span", { class: "event-words", title: row.text, children: nameOf(row) }),
    isKilled && /* @__PURE__ */ jsx("em", { children: "all killed" })
  ] });
  return /* @__PURE__ */ jsxs("div", { class: `event-row kind-${row.kind}${row.is_left_out ? " is-left-out" : ""}${isEmpty || isKilled ? " is-empty" : ""}`, role: "row", "aria-level": level, onDblClick: open, children: [
    /* @__PURE__ */ jsx(Cells, { list, row, special: { name } }),
    /* @__PURE__ */ jsxs("span", { role: "gridcell", class: "event-actions", children: [
      row.draw !== null && /* @__PURE__ */ jsx(SoloButton, { app: list.app, row, draw: row.draw }),
      /* @__PURE__ */ jsx(SkipButton, { app: list.app, row })
    ] })
  ] });
}
function Cells({ list: { app, columns, facts }, row, special }) {
  return /* @__PURE__ */ jsx(Fragment, { children: columns.map((column, index) => {
    const content = special[column.id] ?? (column.cell ? column.cell(row, facts) : column.key(row, facts));
    const number = `Event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}`;
    const title = column.id === "event" ? number : typeof content === "string" && content.length > column.width - 2 ? content : void 0;
    return (
      // The buttons of the row lie over its last columns.
      /* @__PURE__ */ jsx("span", { role: "gridcell", class: `event-${column.id === "event" ? "number" : column.id}${column.isNumber ? " is-number" : ""}`, title, style: { gridColumn: String(index + 1) }, children: column.id === "target" && content !== "" && row.pass !== null ? /* @__PURE__ */ jsx(TargetLink, { app, pass: row.pass, children: content }) : content })
    );
  }) });
}
function SkipButton({ app, row }) {
  const isOwn = app.store.get().edits.includes(`--skip event:${row.event}`);
  if (row.is_left_out && !isOwn) {
    return /* @__PURE__ */ jsx(IconButton, { name: "skip", label: "An edit leaves this event out. Show the edits", tabIndex: -1, onClick: () => app.openPanel("edits") });
  }
  const label = isOwn ? "Run this event again" : `Skip this event (${keyOf("skip")})`;
  return /* @__PURE__ */ jsx(IconButton, { name: isOwn ? "skip" : "show", label, tabIndex: -1, "aria-pressed": isOwn, onClick: () => toggleSkip(app, row.event) });
}
function SoloButton({ app, row, draw }) {
  const isSolo = app.store.get().edits.includes(`--solo ${draw}`);
  const label = isSolo ? "Run all draws again" : `Run this draw alone (${keyOf("solo")})`;
  return /* @__PURE__ */ jsx(IconButton, { name: "solo", label, tabIndex: -1, "aria-pressed": isSolo, onClick: () => toggleSolo(app, row.event) });
}
export {
  renderRow
};
