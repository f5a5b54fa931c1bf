// The members of a container or a folder, as a list at the left of the page. Choosing one shows it in place of the one before.

import { count, h } from "pspge/base/dom.js";
import { remember, setting } from "pspge/base/layout.js";
import { WHOLE } from "pspge/base/parts.js";
import { render } from "pspge/base/preact.js";
import type { MemberRow } from "pspge/documents.js";
import type { App } from "pspge/state/app-types.js";
import { Button, Mono } from "pspge/widgets/controls.js";
import { type Column, VirtualTable } from "pspge/widgets/virtual-table.js";

/** The setting that tells whether the list is shown beside something that runs. */
const SHOWN = "members";
/** Width of the window from which the list is shown unless somebody has closed it. */
const WIDE = 1600;
/** Most files that a message names. */
const NAMED = 3;

/** A row: a member, and the number of containers around it. */
interface Row {
  member: MemberRow;
  depth: number;
}

const COLUMNS: Column<Row>[] = [
  {
    title: "member",
    width: 16,
    grows: true,
    cell: ({ member, depth }) => (
      <span class="member-name" title={member.path}>
        <span class="call-depth" aria-hidden="true" style={{ width: `${depth * 2}ch` }} />
        {nameOf(member)}
      </span>
    ),
  },
  { title: "format", width: 9, cell: ({ member: { info } }) => info.format ?? info.kind ?? "–" },
  { title: "bytes", width: 10, isNumber: true, cell: ({ member }) => count(member.info.length) },
];

function nameOf({ info: { name, index } }: MemberRow): string {
  return name === null || name === "" ? `number ${index}` : name;
}

/** Creates the list. `update` follows the file that is open. */
export function createMembers(app: App) {
  const table = new VirtualTable<Row>("Members");
  table.table = {
    columns: COLUMNS,
    onActive: ({ member }) => void choose(member.path),
    rowClass: ({ member }) => (member.info.format !== null || member.info.drawable ? "" : "is-muted"),
  };
  const head = h("div", { class: "host" });
  const element = h("nav", { class: "members", "aria-label": "Members of the file", hidden: true }, head, table.element);
  /** The members of each container that was listed, by its path. */
  let listed = new Map<string, MemberRow[]>();
  let file = "";
  /** Whether the list is shown beside something that runs. */
  let isOpen = false;
  /** Which files have come and gone since the list was read first. */
  let news = "";

  /** Lists a container. Returns whether the same file is still open. */
  async function list(path: string): Promise<boolean> {
    const asked = file;
    const member = path === "" ? null : path;
    const { json } = await app.engine.request({ request: "members", run: { input: 0 }, member });
    if (asked === file) {
      listed.set(path, json.members);
    }
    return asked === file;
  }

  async function choose(member: string) {
    news = "";
    await app.choosePart({ ...WHOLE, member });
    if (app.input?.part.member !== member) {
      // A file that does not open may be gone.
      await refresh();
    }
  }

  /** Reads the list again, because files of a folder may have come or gone, and says which. */
  async function refresh() {
    const before = listed.get("");
    // A server that does not answer says so when something is asked for.
    if (element.hidden || !before || !(await list("").catch(() => false))) {
      return;
    }
    const now = listed.get("") ?? [];
    const [added, gone] = [without(now, before), without(before, now)];
    if (added.length + gone.length > 0) {
      news = [added.length > 0 && `New: ${names(added)}.`, gone.length > 0 && `Gone: ${names(gone)}.`].filter(Boolean).join(" ");
    }
    // The members of containers may be others, too.
    listed = new Map([["", now]]);
    await update();
  }

  /** The rows: all members, and below a container that is shown, or of which a member is, its own. */
  function rows(path = "", depth = 0): Row[] {
    const chosen = app.input?.part.member ?? "";
    return (listed.get(path) ?? []).flatMap((member) => {
      const isOpen = member.path === chosen || chosen.startsWith(`${member.path}/`);
      return [{ member, depth }, ...(isOpen && member.holds_members ? rows(member.path, depth + 1) : [])];
    });
  }

  /** Lists the containers on the way to the shown member. */
  async function listAll() {
    for (let path: string | undefined = ""; path !== undefined; ) {
      if (!listed.has(path)) {
        await list(path);
      }
      const chosen: string = app.input?.part.member ?? "";
      const inside: MemberRow | undefined = (listed.get(path) ?? []).find((member) => member.holds_members && (member.path === chosen || chosen.startsWith(`${member.path}/`)));
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
    // A list from which something was chosen stays.
    isOpen ||= input?.is_runnable === false;
    const isShown = Boolean(input?.has_members) && isOpen;
    element.hidden = !isShown;
    if (!isShown || !input) {
      return;
    }
    await app.attempt(listAll());
    const all = rows();
    render(<Head name={input.container} members={listed.get("")?.length ?? 0} news={news} />, head);
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
    isShown: () => !element.hidden,
  };
}

function Head({ name, members, news }: { name: string; members: number; news: string }) {
  return (
    <>
      <div class="pane-head">
        <h2 title={name}>{name.split("/").filter(Boolean).pop() ?? name}</h2>
        <span class="muted">{count(members)}</span>
      </div>
      <p class="members-news" role="status">{news}</p>
    </>
  );
}

/** Returns the members that are not among others. */
function without(members: MemberRow[], others: MemberRow[]): MemberRow[] {
  const known = new Set(others.map(({ path }) => path));
  return members.filter(({ path }) => !known.has(path));
}

function names(members: MemberRow[]): string {
  const more = members.length - NAMED;
  return `${members.slice(0, NAMED).map(nameOf).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

/** The button that shows the members of the file. */
export function MembersButton({ app, isShown, toggle }: { app: App; isShown: boolean; toggle: () => void }) {
  const { input } = app;
  return input?.has_members && input.is_runnable ? (
    <Button class="toggle" aria-pressed={isShown} title="Show the members of the file, to choose another one" onClick={toggle}>Members</Button>
  ) : null;
}

/** The name of the open file, and the path of the member that is shown. */
export function ShownName({ app }: { app: App }) {
  const { input } = app;
  const base = (input?.container ?? "").split("/").filter(Boolean).pop() ?? input?.container;
  return (
    <h1 class="file-name" title={input?.container}>
      {input ? base : "pspge inspector"}
      {input?.part.member && <Mono class="mono member-path">{` › ${input.part.member.replaceAll("/", " › ")}`}</Mono>}
    </h1>
  );
}
