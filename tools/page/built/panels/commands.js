// panels/commands.tsx
import { colorText, counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { runKey } from "pspge/state/run.js";
import { WholeRun } from "pspge/state/whole-run.js";
import { openWith } from "pspge/state/wishes.js";
import { Button, Facts, Heads, Link, nameOfEvent, SearchField, Segments, Splitter, Toggle, useNarrow } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { Table } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var LIMIT = 5e4;
var BRANCHES = ["CALL", "JUMP", "BJUMP"];
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
  const isStale = changed.has("event") && !changed.has("command") && command !== null && eventOf(app, command) !== selection.event;
  const wanted = isStale ? null : command;
  const event = wanted === null ? selection.event : eventOf(app, wanted) ?? selection.event;
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
function callsAround(row, whole, listed) {
  const { commands, callers } = listed.isWhole ? whole.upTo(row.command) : listed;
  const calls = [...callers];
  let before = null;
  for (const command of commands) {
    calls.length = Math.min(calls.length, command.depth);
    if (calls.length < command.depth && before) {
      calls.push(before);
    }
    if (command.command >= row.command) {
      break;
    }
    before = command;
  }
  return calls;
}
function Stack({ row, calls, goTo }) {
  const app = useApp();
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: "muted", children: "List" }),
    calls.map((call) => /* @__PURE__ */ jsxs(Fragment, { children: [
      " › ",
      typeof call === "number" ? /* @__PURE__ */ jsx(Link, { title: "Show the word of the call in memory", onClick: () => openWith(app, "memory", { address: call }), children: hex(call) }) : /* @__PURE__ */ jsx(Link, { title: `Go to ${call.text}`, onClick: () => goTo(call.command), children: `${hex(call.address)} (${call.command})` })
    ] })),
    " › ",
    /* @__PURE__ */ jsx("strong", { children: `${row.name} (${row.command})` })
  ] });
}
function Reference({ row, calls, listed, children }) {
  const app = useApp();
  const [texts] = useState(() => /* @__PURE__ */ new Map());
  const place = useRef(null);
  const kept = useRef(null);
  const { answer } = useLoaded(row && !texts.has(row.name) ? row.name : null, async () => (await app.engine.request({ request: "reference", name: row?.name ?? "" })).json.document);
  if (answer) {
    texts.set(answer.name, answer);
  }
  const text = row && texts.get(row.name);
  if (row && text) {
    kept.current = { row, text };
  }
  const shown = kept.current;
  useLayoutEffect(() => place.current?.scrollTo(0, 0), [shown?.row]);
  return /* @__PURE__ */ jsx("div", { ref: place, class: "command-reference", tabIndex: 0, role: "region", "aria-label": "Reference of the selected command", children: shown && /* @__PURE__ */ jsx(Description, { row: shown.row, text: shown.text, calls, listed, children }) });
}
function Description({ row, text, calls, listed, children }) {
  const app = useApp();
  const openMemory = (address) => openWith(app, "memory", { address });
  const facts = [
    `command 0x${text.code.toString(16).padStart(2, "0")}`,
    text.context_saved ? "saved with the context" : "not saved with the context",
    `known from ${text.evidence === "hardware" ? "hardware tests" : "documents"} (${text.source})`
  ];
  const { target } = row;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h3", { children: text.name }),
    /* @__PURE__ */ jsx("p", { children: text.description }),
    /* @__PURE__ */ jsx("pre", { class: "command-line", children: row.text }),
    /* @__PURE__ */ jsxs("p", { class: "links", children: [
      /* @__PURE__ */ jsx(Link, { onClick: () => openMemory(row.address), children: "Show its word in memory" }),
      target !== null && /* @__PURE__ */ jsx(Link, { onClick: () => openMemory(target), children: `Show ${hex(target)} in memory` }),
      children,
      /* @__PURE__ */ jsx(Steps, { row, calls, listed })
    ] }),
    text.fields.length > 0 && /* @__PURE__ */ jsx(Fields, { row, text }),
    text.details && /* @__PURE__ */ jsx("p", { class: "details", children: text.details }),
    /* @__PURE__ */ jsx("p", { class: "muted", children: `${facts.join("; ")}.` }),
    /* @__PURE__ */ jsx(
      Facts,
      {
        rows: [
          ["after reset", /* @__PURE__ */ jsx("code", { children: text.reset })],
          ["example", /* @__PURE__ */ jsx("code", { children: text.example })],
          ["reference", /* @__PURE__ */ jsx(Fragment, { children: text.sections.map((section) => /* @__PURE__ */ jsx("div", { children: /* @__PURE__ */ jsx("code", { children: section }) })) })]
        ]
      }
    )
  ] });
}
function Steps({ row, calls, listed: { commands, goTo } }) {
  const { app, selection } = usePanel();
  const event = eventOf(app, row.command);
  const caller = calls.at(-1);
  const over = row.name === "CALL" ? commands.find((other) => other && other.command > row.command && other.depth <= row.depth) : null;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    event !== null && event !== selection.event && /* @__PURE__ */ jsx(Link, { title: "Select the first event after this command", onClick: () => app.selectEvent(event), children: `Run to here: select event ${event}` }),
    over && over.command > row.command + 1 && /* @__PURE__ */ jsx(Link, { title: "Go to the command after the call", onClick: () => goTo(over.command), children: `Step over to ${over.command}` }),
    typeof caller === "object" && /* @__PURE__ */ jsx(Link, { title: "Go to the call that the command is in", onClick: () => goTo(caller.command), children: `Step out to ${caller.command}` })
  ] });
}
function Fields({ row, text }) {
  return /* @__PURE__ */ jsxs("table", { class: "plain-table", children: [
    /* @__PURE__ */ jsx(Heads, { names: ["field", "bits", "value", "meaning"] }),
    /* @__PURE__ */ jsx("tbody", { children: text.fields.map(({ name, low, high, kind, values, description }) => /* @__PURE__ */ jsxs("tr", { children: [
      /* @__PURE__ */ jsx("th", { scope: "row", children: name }),
      /* @__PURE__ */ jsx("td", { class: "bits", children: low === high ? low : `${low}–${high}` }),
      /* @__PURE__ */ jsx("td", { class: "value", children: fieldText(row.fields[name], kind) }),
      /* @__PURE__ */ jsxs("td", { children: [
        description,
        values.length > 0 && /* @__PURE__ */ jsx("div", { class: "named-values", children: values.map((named) => /* @__PURE__ */ jsx("span", { class: named.name === row.fields[name] ? "is-value" : "", children: `${named.value} ${named.name}` })) })
      ] })
    ] })) })
  ] });
}
function eventOf(app, command) {
  const events = app.events?.events;
  if (!events) {
    return null;
  }
  const { event } = app.store.get();
  const [selected, before] = [events[event], events[event - 1]];
  if (selected && isReached(selected, command) && !(before && isReached(before, command))) {
    return selected.event;
  }
  return events.find((row) => isReached(row, command))?.event ?? events.length;
}
function isReached(event, command) {
  return event.kind === "cpu" ? command < event.command : command <= event.command;
}
function fieldText(value, kind) {
  if (value === null || value === void 0) {
    return "not finite";
  }
  if (Array.isArray(value)) {
    return colorText(value);
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return kind === "hexadecimal" && typeof value === "number" ? hex(value, 1) : String(value);
}
export {
  create
};
