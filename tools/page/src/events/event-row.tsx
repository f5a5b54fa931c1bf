// The rows of the list of events: passes, runs of equal events, events, and the end of the run.

import { count, counted, h, hex } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { type ComponentChild, render } from "pspge/base/preact.js";
import type { Column, Facts } from "pspge/events/event-columns.js";
import type { Fold, Group, ListRow } from "pspge/events/event-groups.js";
import { killedOf, nameOf, nameOfDraws } from "pspge/events/event-names.js";
import type { App, EventRow } from "pspge/state/app-types.js";
import { toggleSkip, toggleSolo } from "pspge/state/event-edits.js";
import { Icon, IconButton } from "pspge/widgets/controls.js";
import { TargetLink } from "pspge/widgets/links.js";

const KIND_NAMES = {
  draw: "draw",
  patch: "patch",
  immediate: "draw of registers",
  transfer: "block transfer",
  cpu: "action of the CPU",
};

interface List {
  app: App;
  columns: Column[];
  facts: Facts;
  /** Opens or closes a row of several events. */
  toggle: (index: number) => void;
}

/** Builds a row of the list. */
export function renderRow(list: List, row: ListRow | undefined): HTMLElement {
  const holder = h("div");
  render(<Row list={list} row={row} />, holder);
  return (holder.firstElementChild as HTMLElement | null) ?? holder;
}

/** Returns the number of the row around a control. */
function indexOf({ currentTarget }: { currentTarget: EventTarget | null }): number {
  return Number((currentTarget as Element).closest<HTMLElement>("[data-index]")?.dataset.index);
}

function Row({ list, row }: { list: List; row: ListRow | undefined }) {
  switch (row?.kind) {
    case "end":
      return (
        <div class="event-row is-end" role="row" aria-level={1}>
          <span role="gridcell" class="row-name muted">
            <Icon name="last" />
            End of the run
          </span>
        </div>
      );
    case "group":
      return <GroupRow list={list} group={row.group} isOpen={row.isOpen} />;
    case "fold":
      return <FoldRow list={list} fold={row.fold} isOpen={row.isOpen} level={row.level} />;
    case "event":
      return <OneRow list={list} row={row.row} level={row.level} />;
    default:
      return null;
  }
}

function GroupRow({ list: { app, toggle }, group, isOpen }: { list: List; group: Group; isOpen: boolean }) {
  const buffer = group.buffer === null ? null : app.events?.buffers[group.buffer];
  const target = buffer ? `${hex(buffer.address)} ${buffer.format}` : "";
  const title = `Pass ${group.pass}: ${counted(group.draws, "draw")} to ${target}, cost ${count(group.cost)}`;
  return (
    <div class="event-group" role="row" aria-level={1} aria-expanded={isOpen} title={title} onClick={(event) => toggle(indexOf(event))}>
      <span role="gridcell" class="group-name"><Icon name={isOpen ? "down" : "right"} />{`Pass ${group.pass}`}</span>
      <span role="gridcell" class="mono muted group-target">{buffer && <><TargetLink app={app} pass={group.pass}>{hex(buffer.address)}</TargetLink>{` ${buffer.format}`}</>}</span>
      <span role="gridcell" class="muted">{counted(group.draws, "draw")}</span>
    </div>
  );
}

function FoldRow({ list, fold: { sum, rows, draws }, isOpen, level }: { list: List; fold: Fold; isOpen: boolean; level: number }) {
  const copies = rows.length - draws;
  const last = rows.at(-1)?.event ?? sum.event;
  const parts = [draws > 0 && counted(draws, "equal draw"), copies > 0 && counted(copies, "copy by the CPU", "copies by the CPU")].filter(Boolean);
  const name = (
    <>
      <IconButton name={isOpen ? "down" : "right"} label={isOpen ? "Close these events" : "Open these events"} tabIndex={-1} onClick={(event) => list.toggle(indexOf(event))} />
      <span class="event-words">{draws > 0 ? nameOfDraws(sum, draws) : counted(copies, "copy", "copies")}</span>
      {draws > 0 && <span class="muted">{`in ${counted(draws, "draw")}`}</span>}
    </>
  );
  return (
    <div class={`event-row is-fold kind-${sum.kind}`} role="row" aria-level={level} aria-expanded={isOpen} title={`Events ${sum.event} to ${last}: ${parts.join(" and ")}`}>
      <Cells list={list} row={sum} special={{ name, draw: sum.draw ?? "" }} />
    </div>
  );
}

function OneRow({ list, row, level }: { list: List; row: EventRow; level: number }) {
  const isEmpty = row.draw !== null && row.covered === 0 && !row.is_left_out;
  const open = ({ target }: MouseEvent) => (target as Element).closest("button") ?? list.app.openPanel("commands");
  const isKilled = row.draw !== null && row.covered > 0 && killedOf(row) === row.covered && !row.is_left_out;
  const name = (
    <>
      <span class="event-icon" title={row.clears ? "clear" : KIND_NAMES[row.kind]}><Icon name={row.clears ? "clear" : row.kind} /></span>
      {row.is_left_out && <em>skipped </em>}
      <span class="event-words" title={row.text}>{nameOf(row)}</span>
      {isKilled && <em>all killed</em>}
    </>
  );
  return (
    <div class={`event-row kind-${row.kind}${row.is_left_out ? " is-left-out" : ""}${isEmpty || isKilled ? " is-empty" : ""}`} role="row" aria-level={level} onDblClick={open}>
      <Cells list={list} row={row} special={{ name }} />
      <span role="gridcell" class="event-actions">
        {row.draw !== null && <SoloButton app={list.app} row={row} draw={row.draw} />}
        <SkipButton app={list.app} row={row} />
      </span>
    </div>
  );
}

/** The cells of a row. `special` has the contents of cells that are not those of their column. */
function Cells({ list: { app, columns, facts }, row, special }: { list: List; row: EventRow; special: Record<string, ComponentChild> }) {
  return (
    <>
      {columns.map((column, index) => {
        const content = special[column.id] ?? (column.cell ? column.cell(row, facts) : column.key(row, facts));
        const number = `Event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}`;
        const title = column.id === "event" ? number : typeof content === "string" && content.length > column.width - 2 ? content : undefined;
        return (
          // The buttons of the row lie over its last columns.
          <span role="gridcell" class={`event-${column.id === "event" ? "number" : column.id}${column.isNumber ? " is-number" : ""}`} title={title} style={{ gridColumn: String(index + 1) }}>
            {column.id === "target" && content !== "" && row.pass !== null ? <TargetLink app={app} pass={row.pass}>{content}</TargetLink> : content}
          </span>
        );
      })}
    </>
  );
}

function SkipButton({ app, row }: { app: App; row: EventRow }) {
  const isOwn = app.store.get().edits.includes(`--skip event:${row.event}`);
  if (row.is_left_out && !isOwn) {
    return <IconButton name="skip" label="An edit leaves this event out. Show the edits" tabIndex={-1} onClick={() => app.openPanel("edits")} />;
  }
  const label = isOwn ? "Run this event again" : `Skip this event (${keyOf("skip")})`;
  return <IconButton name={isOwn ? "skip" : "show"} label={label} tabIndex={-1} aria-pressed={isOwn} onClick={() => toggleSkip(app, row.event)} />;
}

function SoloButton({ app, row, draw }: { app: App; row: EventRow; draw: number }) {
  const isSolo = app.store.get().edits.includes(`--solo ${draw}`);
  const label = isSolo ? "Run all draws again" : `Run this draw alone (${keyOf("solo")})`;
  return <IconButton name="solo" label={label} tabIndex={-1} aria-pressed={isSolo} onClick={() => toggleSolo(app, row.event)} />;
}
