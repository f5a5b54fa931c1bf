// widgets/links.tsx
import { hex } from "pspge/base/dom.js";
import { useEffect, useState } from "pspge/base/preact.js";
import { openWith } from "pspge/state/wishes.js";
import { Link } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";
import { jsx, jsxs } from "pspge/base/preact.js";
function EventLink({ event, after = false, ...props }) {
  const app = useApp();
  const select = () => app.selectEvent(event, after ? { after } : {});
  return /* @__PURE__ */ jsx(Link, { title: app.events?.events[event]?.text ?? `Select event ${event}`, onClick: select, ...props, children: nameOfEvent(app, event) });
}
function TargetLink({ app, pass, children }) {
  const open = (event) => {
    event.stopPropagation();
    openWith(app, "passes", { pass });
  };
  return /* @__PURE__ */ jsx(Link, { title: "Show who draws to it and who reads it", tabIndex: -1, onClick: open, children });
}
function Writer({ writer }) {
  const app = useApp();
  const { kind, command, address, record } = writer;
  if (kind === "command" && command !== null) {
    return /* @__PURE__ */ jsx(Link, { class: "mono", title: `Written by command ${command}${address === null ? "" : ` at ${hex(address)}`}. Show it`, onClick: () => app.showCommand(command), children: `#${command}` });
  }
  return kind === "cpu" ? /* @__PURE__ */ jsx("span", { class: "muted", title: `Action ${record} of the CPU`, children: "CPU" }) : /* @__PURE__ */ jsx("span", { class: "muted", title: "The value is that of the start", children: "start" });
}
function nameOfEvent(app, event) {
  const draw = app.events?.events[event]?.draw ?? null;
  return draw === null ? `event ${event}` : `draw ${draw}`;
}
function DrawLinks({ draws, most = 24 }) {
  const app = useApp();
  const [shown, setShown] = useState(most);
  useEffect(() => setShown(most), [draws]);
  return /* @__PURE__ */ jsxs("span", { class: "draw-links", children: [
    draws.slice(0, shown).map((draw) => {
      const event = app.eventOfDraw(draw);
      return event === null ? /* @__PURE__ */ jsx("span", { children: draw }, draw) : /* @__PURE__ */ jsx(Link, { title: `Select draw ${draw}`, onClick: () => app.selectEvent(event), children: draw }, draw);
    }),
    shown < draws.length && /* @__PURE__ */ jsx(Link, { onClick: () => setShown(shown + 500), children: `${draws.length - shown} more` })
  ] });
}
export {
  DrawLinks,
  EventLink,
  TargetLink,
  Writer,
  nameOfEvent
};
