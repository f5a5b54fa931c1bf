// The panel of the commands that lead to an event, or of all commands of the run.

import { counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { BRANCHES, callsAround, type Command, type Listed, Reference, Stack } from "pspge/panels/command-reference.js";
import { runKey } from "pspge/state/run.js";
import { WholeRun } from "pspge/state/whole-run.js";
import { Button, Link, Segments, Splitter, Toggle, useNarrow } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { SearchField } from "pspge/widgets/fields.js";
import { nameOfEvent } from "pspge/widgets/links.js";
import { panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

type Scope = "event" | "run";

/** Most commands that are asked for at once. */
const LIMIT = 50_000;

const SCOPES: { value: Scope; text: string; title: string }[] = [
  { value: "event", text: "Event", title: "The commands from the event before up to this one" },
  { value: "run", text: "Whole run", title: "All commands of the run" },
];

export const create = panelOf({ id: "commands", title: "Commands", className: "commands-panel", label: "Commands" }, CommandsPanel);

function CommandsPanel() {
  const { app, selection, changed } = usePanel();
  const { store } = app;
  const [scope, setScope] = useState<Scope>("event");
  const [filter, setFilter] = useState("");
  const [onlyChanges, setOnlyChanges] = useState(false);
  const [body, isNarrow] = useNarrow(60);
  const field = useRef<HTMLInputElement>(null);
  const table = useRef<{ csv: () => string }>(null);
  // What a search has found, in place of the summary.
  const [notice, setNotice] = useState<string | null>(null);
  // The command that was clicked, until the selection has it.
  const [picked, setPicked] = useState<Command | null>(null);
  const isWhole = scope === "run";
  const { command } = selection;
  const isStale = changed.has("event") && !changed.has("command") && command !== null && app.eventOfCommand(command) !== selection.event;
  const wanted = isStale ? null : command;
  const event = wanted === null ? selection.event : (app.eventOfCommand(wanted) ?? selection.event);
  const { answer, problem } = useAnswer("commands", isWhole ? null : { request: "commands", run: store.run(), event, limit: LIMIT });
  const changing = useChanging(answer?.request.event ?? null);
  const rowCommand = app.row()?.command ?? null;
  const whole = useWholeRun(isWhole ? (wanted ?? rowCommand ?? Infinity) : null);

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
    const passes = (row: Command) => text === "" || `${row.text} ${hex(row.address)} ${row.command}`.toLowerCase().includes(text);
    return (commands ?? []).filter((row) => passes(row) && (!onlyChanges || changing.has(row.command)));
  }, [commands, filter, onlyChanges, changing]);
  const eventCommand = isWhole ? rowCommand : (answer?.json.event_command ?? null);
  const found = commands?.find((row) => row.command === (wanted ?? eventCommand)) ?? commands?.at(-1) ?? null;
  const shown = picked ?? (isWhole ? whole.run.wantedCommand() : found);
  const shownEvent = answer?.request.event ?? -1;

  /** Selects a command as a step of the browser's history, with the event that it leads to. */
  const goTo = (next: number) => (isWhole ? store.set({ command: next }) : app.showCommand(next));
  const listed: Listed = isWhole ? { isWhole, goTo, commands: whole.run.items, callers: [] } : { isWhole, goTo, commands: commands ?? [], callers: answer?.json.callers ?? [] };
  const columns = useMemo(() => columnsOf(changing, goTo), [changing, isWhole]);
  /** Goes to the next command of the run with the text of the filter, or to the last one before. */
  const find = async (backwards: boolean) => {
    const text = filter.trim();
    const from = store.get().command ?? shown?.command ?? eventCommand ?? 0;
    if (text === "") {
      field.current?.focus();
      return;
    }
    const { json } = (await app.attempt(app.engine.request({ request: "find-command", run: store.run(), text, from, backwards }))) ?? {};
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
  const choose = (row: Command) => {
    setPicked(row);
    store.set({ command: row.command }, { replace: true });
  };
  const message = isWhole ? whole.problem : problem;
  const shared = { label: "Commands since the event before", columns, onActive: choose, tableRef: table };
  const rowClass = (row: Command) => [changing.has(row.command) && "is-changing", row.command === eventCommand && "is-event"].filter(Boolean).join(" ");
  return (
    <>
      <div class="toolbar">
        <Segments label="Commands" choices={SCOPES} chosen={scope} onChoose={setScope} />
        <SearchField
          label="Filter"
          size={18}
          placeholder="TEX, 0x0880…"
          title="Part of the text, of the address or of the number"
          value={filter}
          onSearch={setFilter}
          inputRef={field}
          onKeyDown={(press) => press.key === "Enter" && void find(press.shiftKey)}
        />
        <Button title="Go to the next command of the whole run with this text, address or number (Enter)" onClick={() => void find(false)}>Run to</Button>
        <Button title="Go to the last such command before (Shift Enter)" onClick={() => void find(true)}>Back to</Button>
        <Toggle text="Only changes" isOn={onlyChanges} isDisabled={isWhole} onChange={setOnlyChanges} title="Only commands that changed a register since the event before" />
        {/* Only some of all commands are there to be saved; `pspge trace` prints them. */}
        <SaveTable name={`commands-to-event-${shownEvent}`} table={table} hidden={isWhole} />
        <p class="panel-summary" aria-live="polite">
          {notice ?? (isWhole ? wholeText(whole.run) : answer && <Summary event={shownEvent} total={answer.json.commands.length} shown={rows.length} changing={changing.size} leftOut={answer.json.left_out ?? 0} />)}
        </p>
      </div>
      {message !== null && <p class="panel-message">{message}</p>}
      <p class="command-stack" aria-label="Calls around the selected command">
        {shown && <Stack row={shown} calls={callsAround(shown, whole.run, listed)} goTo={goTo} />}
      </p>
      <div class={`commands-body${isNarrow ? " is-narrow" : ""}`} ref={body} hidden={message !== null}>
        {isWhole ? (
          <Table key={scope} {...shared} rows={whole.run.items} active={whole.run.wanted - whole.run.first} state={whole.parts} missing={(index) => whole.run.load(whole.run.first + index)} rowClass={rowClass} />
        ) : (
          <Table key={scope} {...shared} rows={rows} active={shown ? rows.findIndex((row) => row.command === shown.command) : -1} state={eventCommand} rowClass={rowClass} />
        )}
        <Splitter label="Size of the reference" name="commands" usual={60} least={20} most={85} isVertical={!isNarrow} />
        <Reference row={shown} calls={shown ? callsAround(shown, whole.run, listed) : []} listed={listed}>
          {eventCommand !== shown?.command || shownEvent === selection.event || shownEvent < 0 ? null : <Link onClick={() => app.selectEvent(shownEvent)}>Select its event</Link>}
        </Reference>
      </div>
    </>
  );
}

/** Returns the numbers of the commands that changed registers since the event before. Without them the list shows as much. */
function useChanging(event: number | null): ReadonlySet<number> {
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

/** Lists the commands of the whole run around one of them; null leaves the list as it is. */
function useWholeRun(command: number | null) {
  const app = useApp();
  const [parts, setParts] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [run] = useState(
    () =>
      new WholeRun(
        app,
        () => {
          setProblem(null);
          setParts((count) => count + 1);
        },
        setProblem,
      ),
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

function wholeText({ items, total, first }: WholeRun): string {
  const part = items.length < total ? `, ${first} to ${first + items.length - 1} are listed` : "";
  return total > 0 ? `${counted(total, "command")} in the run${part}.` : "Loading the commands of the run.";
}

function Summary({ event, total, shown, changing, leftOut }: { event: number; total: number; shown: number; changing: number; leftOut: number }) {
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
  return (
    <>
      {`${parts.join(", ")}.`}
      {event !== selection.event && <>{" "}<Link onClick={() => app.selectEvent(event)}>{`Select ${what}`}</Link></>}
    </>
  );
}

function columnsOf(changing: ReadonlySet<number>, goTo: (command: number) => void): Column<Command>[] {
  return [
    { title: "command", about: "Number of the command in the run", width: 11, isNumber: true, cell: (row) => row.command },
    { title: "●", about: "Whether the command changed a value", width: 3, cell: (row) => changing.has(row.command) && <span class="change-mark" title="Changed a register" children="●" /> },
    { title: "text", about: "The command as assembly text, indented by the depth of calls", width: 34, grows: true, cell: (row) => <Text row={row} goTo={goTo} /> },
    { title: "address", about: "Address of the word", width: 12, cell: (row) => hex(row.address) },
    { title: "file offset", about: "Offset of the word in its file", width: 11, cell: (row) => (row.file_offset === null ? "–" : hex(row.file_offset, 6)) },
    { title: "word", about: "The number of the command in the upper 8 bits, the argument in the lower 24", width: 10, cell: (row) => row.word.toString(16).padStart(8, "0") },
  ];
}

function Text({ row, goTo }: { row: Command; goTo: (command: number) => void }) {
  const space = row.text.indexOf(" ");
  const [name, rest] = space < 0 ? [row.text, ""] : [row.text.slice(0, space), row.text.slice(space)];
  return (
    <>
      <span class="call-depth" aria-hidden="true" style={{ width: `${Math.min(row.depth, 16) * 2}ch` }} />
      <span class="command-name">{name}</span>
      {BRANCHES.includes(row.name) ? (
        <>{" "}<Link title="Go to the command that follows in the run" onClick={() => goTo(row.command + 1)}>{rest.trim()}</Link></>
      ) : (
        rest
      )}
    </>
  );
}
