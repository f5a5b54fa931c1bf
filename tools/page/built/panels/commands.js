// panels/commands.tsx
import { counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { BRANCHES, callsAround, Reference, Stack } from "pspge/panels/command-reference.js";
import { runKey } from "pspge/state/run.js";
import { WholeRun } from "pspge/state/whole-run.js";
import { Button, Link, Segments, Splitter, Toggle, useNarrow } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { SearchField } from "pspge/widgets/fields.js";
import { nameOfEvent } from "pspge/widgets/links.js";
import { panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { Table } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var LIMIT = 5e4;
var SCOPES = [
  { value: "event", text: "Event", title: "The commands from the event before up to this one" },
  { value: "run", text: "Whole run", title: "All commands of the run" }
];
var create = panelOf({ id: "commands", title: "Commands", className: "commands-panel", label: "Commands" }, CommandsPanel);
function CommandsPanel() {
  const { app, selection, changed } = usePanel();
  const { store } = app;
  const [scope, setScope] = useState("event");
  const [filter, setFilter] = useState("");
  const [onlyChanges, setOnlyChanges] = useState(false);
  const [body, isNarrow] = useNarrow(60);
  const field = useRef(null);
  const table = useRef(null);
  const [notice, setNotice] = useState(null);
  const [picked, setPicked] = useState(null);
  const isWhole = scope === "run";
  const { command } = selection;
  const isStale = changed.has("event") && !changed.has("command") && command !== null && app.eventOfCommand(command) !== selection.event;
  const wanted = isStale ? null : command;
  const event = wanted === null ? selection.event : app.eventOfCommand(wanted) ?? selection.event;
  const { answer, problem } = useAnswer("commands", isWhole ? null : { request: "commands", run: store.run(), event, limit: LIMIT });
  const changing = useChanging(answer?.request.event ?? null);
  const rowCommand = app.row()?.command ?? null;
  const whole = useWholeRun(isWhole ? wanted ?? rowCommand ?? Infinity : null);
  useLayoutEffect(() => {
    if (isStale && !isWhole) {
      store.set({ command: null }, { replace: true });
    }
    setNotice(null);
    setPicked(null);
  }, [changed, scope]);
  const commands = answer?.json.commands;
  const rows = useMemo(() => {
    const text = filter.trim().toLowerCase();
    const passes = (row) => text === "" || `${row.text} ${hex(row.address)} ${row.command}`.toLowerCase().includes(text);
    return (commands ?? []).filter((row) => passes(row) && (!onlyChanges || changing.has(row.command)));
  }, [commands, filter, onlyChanges, changing]);
  const eventCommand = isWhole ? rowCommand : answer?.json.event_command ?? null;
  const found = commands?.find((row) => row.command === (wanted ?? eventCommand)) ?? commands?.at(-1) ?? null;
  const shown = picked ?? (isWhole ? whole.run.wantedCommand() : found);
  const shownEvent = answer?.request.event ?? -1;
  const goTo = (next) => isWhole ? store.set({ command: next }) : app.showCommand(next);
  const listed = isWhole ? { isWhole, goTo, commands: whole.run.items, callers: [] } : { isWhole, goTo, commands: commands ?? [], callers: answer?.json.callers ?? [] };
  const columns = useMemo(() => columnsOf(changing, goTo), [changing, isWhole]);
  const find = async (backwards) => {
    const text = filter.trim();
    const from = store.get().command ?? shown?.command ?? eventCommand ?? 0;
    if (text === "") {
      field.current?.focus();
      return;
    }
    const { json } = await app.attempt(app.engine.request({ request: "find-command", run: store.run(), text, from, backwards })) ?? {};
    if (!json) {
      return;
    }
    if (json.command !== null) {
      goTo(json.command);
      app.announce(`Command ${json.command}, one of ${json.count} with this text.`);
      return;
    }
    const reply = `No command ${backwards ? "before" : "after"} number ${from} has this text; ${json.count} in the whole run have it.`;
    setNotice(reply);
    app.announce(reply);
  };
  const choose = (row) => {
    setPicked(row);
    store.set({ command: row.command }, { replace: true });
  };
  const message = isWhole ? whole.problem : problem;
  const shared = { label: "Commands since the event before", columns, onActive: choose, tableRef: table };
  const rowClass = (row) => [changing.has(row.command) && "is-changing", row.command === eventCommand && "is-event"].filter(Boolean).join(" ");
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(Segments, { label: "Commands", choices: SCOPES, chosen: scope, onChoose: setScope }),
      /* @__PURE__ */ jsx(
        SearchField,
        {
          label: "Filter",
          size: 18,
          placeholder: "TEX, 0x0880…",
          title: "Part of the text, of the address or of the number",
          value: filter,
          onSearch: setFilter,
          inputRef: field,
          onKeyDown: (press) => press.key === "Enter" && void find(press.shiftKey)
        }
      ),
      /* @__PURE__ */ jsx(Button, { title: "Go to the next command of the whole run with this text, address or number (Enter)", onClick: () => void find(false), children: "Run to" }),
      /* @__PURE__ */ jsx(Button, { title: "Go to the last such command before (Shift Enter)", onClick: () => void find(true), children: "Back to" }),
      /* @__PURE__ */ jsx(Toggle, { text: "Only changes", isOn: onlyChanges, isDisabled: isWhole, onChange: setOnlyChanges, title: "Only commands that changed a register since the event before" }),
      /* @__PURE__ */ jsx(SaveTable, { name: `commands-to-event-${shownEvent}`, table, hidden: isWhole }),
      /* @__PURE__ */ jsx("p", { class: "panel-summary", "aria-live": "polite", children: notice ?? (isWhole ? wholeText(whole.run) : answer && /* @__PURE__ */ jsx(Summary, { event: shownEvent, total: answer.json.commands.length, shown: rows.length, changing: changing.size, leftOut: answer.json.left_out ?? 0 })) })
    ] }),
    message !== null && /* @__PURE__ */ jsx("p", { class: "panel-message", children: message }),
    /* @__PURE__ */ jsx("p", { class: "command-stack", "aria-label": "Calls around the selected command", children: shown && /* @__PURE__ */ jsx(Stack, { row: shown, calls: callsAround(shown, whole.run, listed), goTo }) }),
    /* @__PURE__ */ jsxs("div", { class: `commands-body${isNarrow ? " is-narrow" : ""}`, ref: body, hidden: message !== null, children: [
      isWhole ? /* @__PURE__ */ jsx(Table, { ...shared, rows: whole.run.items, active: whole.run.wanted - whole.run.first, state: whole.parts, missing: (index) => whole.run.load(whole.run.first + index), rowClass }, scope) : /* @__PURE__ */ jsx(Table, { ...shared, rows, active: shown ? rows.findIndex((row) => row.command === shown.command) : -1, state: eventCommand, rowClass }, scope),
      /* @__PURE__ */ jsx(Splitter, { label: "Size of the reference", name: "commands", usual: 60, least: 20, most: 85, isVertical: !isNarrow }),
      /* @__PURE__ */ jsx(Reference, { row: shown, calls: shown ? callsAround(shown, whole.run, listed) : [], listed, children: eventCommand !== shown?.command || shownEvent === selection.event || shownEvent < 0 ? null : /* @__PURE__ */ jsx(Link, { onClick: () => app.selectEvent(shownEvent), children: "Select its event" }) })
    ] })
  ] });
}
function useChanging(event) {
  const app = useApp();
  const run = app.store.run();
  const key = event === null ? null : runKey(app, event);
  const { answer, isCurrent } = useLoaded(key, () => app.engine.latest("commands-state")({ request: "state", run, event: event ?? 0 }).catch(() => null));
  return useMemo(() => {
    const { changes = [], matrix_changes: matrices = [] } = isCurrent && answer ? answer.json.document : {};
    const writers = [...changes.map(({ writer }) => writer), ...matrices.flatMap((change) => change.writers)];
    return new Set(writers.map((writer) => writer.command).filter((command) => command !== null));
  }, [answer, isCurrent]);
}
function useWholeRun(command) {
  const app = useApp();
  const [parts, setParts] = useState(0);
  const [problem, setProblem] = useState(null);
  const [run] = useState(
    () => new WholeRun(
      app,
      () => {
        setProblem(null);
        setParts((count) => count + 1);
      },
      setProblem
    )
  );
  const key = command === null ? null : runKey(app, command);
  useLayoutEffect(() => {
    if (command !== null) {
      run.show(command);
      setParts((count) => count + 1);
    }
  }, [key]);
  return { run, parts, problem };
}
function wholeText({ items, total, first }) {
  const part = items.length < total ? `, ${first} to ${first + items.length - 1} are listed` : "";
  return total > 0 ? `${counted(total, "command")} in the run${part}.` : "Loading the commands of the run.";
}
function Summary({ event, total, shown, changing, leftOut }) {
  const { app, selection } = usePanel();
  const what = event < (app.events?.count ?? 0) ? nameOfEvent(app, event) : "the end of the run";
  const parts = [`${counted(total, "command")} up to ${what}`];
  if (shown < total) {
    parts.push(`${shown} shown`);
  }
  if (changing > 0) {
    parts.push(`${changing} changed a register`);
  }
  if (leftOut > 0) {
    parts.push(`${leftOut} more are not listed`);
  }
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    `${parts.join(", ")}.`,
    event !== selection.event && /* @__PURE__ */ jsxs(Fragment, { children: [
      " ",
      /* @__PURE__ */ jsx(Link, { onClick: () => app.selectEvent(event), children: `Select ${what}` })
    ] })
  ] });
}
function columnsOf(changing, goTo) {
  return [
    { title: "command", about: "Number of the command in the run", width: 11, isNumber: true, cell: (row) => row.command },
    { title: "●", about: "Whether the command changed a value", width: 3, cell: (row) => changing.has(row.command) && /* @__PURE__ */ jsx("span", { class: "change-mark", title: "Changed a register", children: "●" }) },
    { title: "text", about: "The command as assembly text, indented by the depth of calls", width: 34, grows: true, cell: (row) => /* @__PURE__ */ jsx(Text, { row, goTo }) },
    { title: "address", about: "Address of the word", width: 12, cell: (row) => hex(row.address) },
    { title: "file offset", about: "Offset of the word in its file", width: 11, cell: (row) => row.file_offset === null ? "–" : hex(row.file_offset, 6) },
    { title: "word", about: "The number of the command in the upper 8 bits, the argument in the lower 24", width: 10, cell: (row) => row.word.toString(16).padStart(8, "0") }
  ];
}
function Text({ row, goTo }) {
  const space = row.text.indexOf(" ");
  const [name, rest] = space < 0 ? [row.text, ""] : [row.text.slice(0, space), row.text.slice(space)];
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: "call-depth", "aria-hidden": "true", style: { width: `${Math.min(row.depth, 16) * 2}ch` } }),
    /* @__PURE__ */ jsx("span", { class: "command-name", children: name }),
    BRANCHES.includes(row.name) ? /* @__PURE__ */ jsxs(Fragment, { children: [
      " ",
      /* @__PURE__ */ jsx(Link, { title: "Go to the command that follows in the run", onClick: () => goTo(row.command + 1), children: rest.trim() })
    ] }) : rest
  ] });
}
export {
  create
};
