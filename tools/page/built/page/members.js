// page/members.tsx
import { count, h } from "pspge/base/dom.js";
import { remember, setting } from "pspge/base/layout.js";
import { WHOLE } from "pspge/base/parts.js";
import { render } from "pspge/base/preact.js";
import { Button, Mono } from "pspge/widgets/controls.js";
import { VirtualTable } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var SHOWN = "members";
var WIDE = 1600;
var NAMED = 3;
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
    onActive: ({ member }) => void choose(member.path),
    rowClass: ({ member }) => member.info.format !== null || member.info.drawable ? "" : "is-muted"
  };
  const head = h("div", { class: "host" });
  const element = h("nav", { class: "members", "aria-label": "Members of the file", hidden: true }, head, table.element);
  let listed = /* @__PURE__ */ new Map();
  let file = "";
  let isOpen = false;
  let news = "";
  async function list(path) {
    const asked = file;
    const member = path === "" ? null : path;
    const { json } = await app.engine.request({ request: "members", run: { input: 0 }, member });
    if (asked === file) {
      listed.set(path, json.members);
    }
    return asked === file;
  }
  async function choose(member) {
    news = "";
    await app.choosePart({ ...WHOLE, member });
    if (app.input?.part.member !== member) {
      await refresh();
    }
  }
  async function refresh() {
    const before = listed.get("");
    if (element.hidden || !before || !await list("").catch(() => false)) {
      return;
    }
    const now = listed.get("") ?? [];
    const [added, gone] = [without(now, before), without(before, now)];
    if (added.length + gone.length > 0) {
      news = [added.length > 0 && `New: ${names(added)}.`, gone.length > 0 && `Gone: ${names(gone)}.`].filter(Boolean).join(" ");
    }
    listed = /* @__PURE__ */ new Map([["", now]]);
    await update();
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
      news = "";
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
    render(/* @__PURE__ */ jsx(Head, { name: input.container, members: listed.get("")?.length ?? 0, news }), head);
    table.showColumns();
    table.setItems(all);
    table.setActive(all.findIndex(({ member }) => member.path === app.input?.part.member));
  }
  window.addEventListener("focus", () => void refresh());
  return {
    element,
    update: () => void update(),
    /** Shows the list, or hides it. */
    toggle() {
      isOpen = !isOpen;
      remember(SHOWN, isOpen ? "yes" : "no");
      void update().then(refresh);
      app.announce(isOpen ? "The members are shown." : "The members are hidden.");
    },
    isShown: () => !element.hidden
  };
}
function Head({ name, members, news }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "pane-head", children: [
      /* @__PURE__ */ jsx("h2", { title: name, children: name.split("/").filter(Boolean).pop() ?? name }),
      /* @__PURE__ */ jsx("span", { class: "muted", children: count(members) })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "members-news", role: "status", children: news })
  ] });
}
function without(members, others) {
  const known = new Set(others.map(({ path }) => path));
  return members.filter(({ path }) => !known.has(path));
}
function names(members) {
  const more = members.length - NAMED;
  return `${members.slice(0, NAMED).map(nameOf).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
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
