// members.tsx
import { Button, Mono } from "pspge/controls.js";
import { count, h } from "pspge/dom.js";
import { remember, setting } from "pspge/layout.js";
import { WHOLE } from "pspge/parts.js";
import { render } from "pspge/preact.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/preact.js";
var SHOWN = "members";
var WIDE = 1600;
var COLUMNS = [
  {
    title: "member",
    width: 16,
    grows: true,
    cell: ({ member, depth }) => /* @__PURE__ */ jsxs("span", { class: "member-name", title: member.path, children: [
      /* @__PURE__ */ jsx("span", { class: "call-depth", "aria-hidden": "true", style: { width: `${depth * 2}ch` } }),
      nameOf(member)
    ] })
  },
  { title: "format", width: 9, cell: ({ member: { info } }) => info.format ?? info.kind ?? "–" },
  { title: "bytes", width: 10, isNumber: true, cell: ({ member }) => count(member.info.length) }
];
function nameOf({ info: { name, index } }) {
  return name === null || name === "" ? `number ${index}` : name;
}
function createMembers(app) {
  const table = new VirtualTable("Members");
  table.table = {
    columns: COLUMNS,
    onActive: ({ member }) => void app.choosePart({ ...WHOLE, member: member.path }),
    rowClass: ({ member }) => member.info.format !== null || member.info.drawable ? "" : "is-muted"
  };
  const head = h("div", { class: "pane-head" });
  const element = h("nav", { class: "members", "aria-label": "Members of the file", hidden: true }, head, table.element);
  const listed = /* @__PURE__ */ new Map();
  let file = "";
  let isOpen = false;
  async function list(path) {
    const asked = file;
    const member = path === "" ? null : path;
    const { json } = await app.engine.request({ request: "members", run: { input: 0 }, member });
    if (asked === file) {
      listed.set(path, json.members);
    }
  }
  function rows(path = "", depth = 0) {
    const chosen = app.input?.part.member ?? "";
    return (listed.get(path) ?? []).flatMap((member) => {
      const isOpen2 = member.path === chosen || chosen.startsWith(`${member.path}/`);
      return [{ member, depth }, ...isOpen2 && member.holds_members ? rows(member.path, depth + 1) : []];
    });
  }
  async function listAll() {
    for (let path = ""; path !== void 0; ) {
      if (!listed.has(path)) {
        await list(path);
      }
      const chosen = app.input?.part.member ?? "";
      const inside = (listed.get(path) ?? []).find((member) => member.holds_members && (member.path === chosen || chosen.startsWith(`${member.path}/`)));
      path = inside?.path;
    }
  }
  async function update() {
    const { input } = app;
    const known = `${input?.hash} ${input?.container}`;
    if (known !== file) {
      file = known;
      listed.clear();
      isOpen = setting(SHOWN, window.innerWidth >= WIDE ? "yes" : "no") === "yes";
    }
    isOpen ||= input?.is_runnable === false;
    const isShown = Boolean(input?.has_members) && isOpen;
    element.hidden = !isShown;
    if (!isShown || !input) {
      return;
    }
    await app.attempt(listAll());
    const all = rows();
    render(/* @__PURE__ */ jsx(Head, { name: input.container, members: listed.get("")?.length ?? 0 }), head);
    table.showColumns();
    table.setItems(all);
    table.setActive(all.findIndex(({ member }) => member.path === app.input?.part.member));
  }
  return {
    element,
    update: () => void update(),
    /** Shows the list, or hides it. */
    toggle() {
      isOpen = !isOpen;
      remember(SHOWN, isOpen ? "yes" : "no");
      void update();
      app.announce(isOpen ? "The members are shown." : "The members are hidden.");
    },
    isShown: () => !element.hidden
  };
}
function Head({ name, members }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h2", { title: name, children: name.split("/").filter(Boolean).pop() ?? name }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: count(members) })
  ] });
}
function MembersButton({ app, isShown, toggle }) {
  const { input } = app;
  return input?.has_members && input.is_runnable ? /* @__PURE__ */ jsx(Button, { class: "toggle", "aria-pressed": isShown, title: "Show the members of the file, to choose another one", onClick: toggle, children: "Members" }) : null;
}
function ShownName({ app }) {
  const { input } = app;
  const base = (input?.container ?? "").split("/").filter(Boolean).pop() ?? input?.container;
  return /* @__PURE__ */ jsxs("h1", { class: "file-name", title: input?.container, children: [
    input ? base : "pspge inspector",
    input?.part.member && /* @__PURE__ */ jsx(Mono, { class: "mono member-path", children: ` › ${input.part.member.replaceAll("/", " › ")}` })
  ] });
}
export {
  MembersButton,
  ShownName,
  createMembers
};
