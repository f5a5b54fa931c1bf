// panels/command-reference.tsx
import { hex } from "pspge/base/dom.js";
import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { openWith } from "pspge/state/wishes.js";
import { Facts, Link, SmallTable } from "pspge/widgets/controls.js";
import { valueText } from "pspge/widgets/field-editor.js";
import { useAnswer, useApp, usePanel } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var BRANCHES = ["CALL", "JUMP", "BJUMP"];
function callsAround(row, { commands, callers }) {
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
function Stack({ place: { row, calls, goTo } }) {
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
function Reference({ place, children }) {
  const element = useRef(null);
  const kept = useRef(null);
  const { answer } = useAnswer("reference", place && { request: "reference", name: place.row.name });
  if (place && answer?.request.name === place.row.name) {
    kept.current = { place, text: answer.json.document };
  }
  const shown = kept.current;
  useLayoutEffect(() => element.current?.scrollTo(0, 0), [shown?.place.row]);
  return /* @__PURE__ */ jsx("div", { ref: element, class: "command-reference", tabIndex: 0, role: "region", "aria-label": "Reference of the selected command", children: shown && /* @__PURE__ */ jsx(Description, { ...shown, children }) });
}
function Description({ place, text, children }) {
  const { app, selection } = usePanel();
  const { row, calls, commands, goTo } = place;
  const openMemory = (address) => openWith(app, "memory", { address });
  const facts = [
    `command ${hex(text.code, 2)}`,
    text.context_saved ? "saved with the context" : "not saved with the context",
    `known from ${text.evidence === "hardware" ? "hardware tests" : "documents"} (${text.source})`
  ];
  const { target } = row;
  const event = app.eventOfCommand(row.command);
  const caller = calls.at(-1);
  const over = row.name === "CALL" ? commands.find((other) => other && other.command > row.command && other.depth <= row.depth) : null;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h3", { children: text.name }),
    /* @__PURE__ */ jsx("p", { children: text.description }),
    /* @__PURE__ */ jsx("pre", { class: "command-line", children: row.text }),
    /* @__PURE__ */ jsxs("p", { class: "links", children: [
      /* @__PURE__ */ jsx(Link, { onClick: () => openMemory(row.address), children: "Show its word in memory" }),
      target !== null && /* @__PURE__ */ jsx(Link, { onClick: () => openMemory(target), children: `Show ${hex(target)} in memory` }),
      children,
      event !== null && event !== selection.event && /* @__PURE__ */ jsx(Link, { title: "Select the first event after this command", onClick: () => app.selectEvent(event), children: `Run to here: select event ${event}` }),
      over && over.command > row.command + 1 && /* @__PURE__ */ jsx(Link, { title: "Go to the command after the call", onClick: () => goTo(over.command), children: `Step over to ${over.command}` }),
      typeof caller === "object" && /* @__PURE__ */ jsx(Link, { title: "Go to the call that the command is in", onClick: () => goTo(caller.command), children: `Step out to ${caller.command}` })
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
function Fields({ row, text }) {
  const rows = text.fields.map(({ name, low, high, kind, values, description }) => [
    name,
    /* @__PURE__ */ jsx("span", { class: "bits", children: low === high ? low : `${low}–${high}` }),
    /* @__PURE__ */ jsx("span", { class: "value", children: valueText(kind, row.fields[name]) }),
    /* @__PURE__ */ jsxs(Fragment, { children: [
      description,
      values.length > 0 && /* @__PURE__ */ jsx("div", { class: "named-values", children: values.map((named) => /* @__PURE__ */ jsx("span", { class: named.name === row.fields[name] ? "is-value" : "", children: `${named.value} ${named.name}` })) })
    ] })
  ]);
  return /* @__PURE__ */ jsx(SmallTable, { heads: ["field", "bits", "value", "meaning"], rows, hasNames: true });
}
export {
  BRANCHES,
  Reference,
  Stack,
  callsAround
};
