// The panel of the commands that lead to an event, or of all commands of the run.

import { counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { BRANCHES, callsAround, type Command, type Place, Reference, Stack } from "pspge/panels/command-reference.js";
import { runKey } from "pspge/state/run.js";
import { WholeRun } from "pspge/state/whole-run.js";
import { Button, Link, Segments, Splitter, Toggle, useNarrow } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { SearchField } from "pspge/widgets/fields.js";
import { nameOfEvent } from "pspge/widgets/links.js";
import { panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

/** Most commands that are asked for at once. */
const LIMIT = 50_000;

const SCOPES = [
  { value: "event", text: "Event", title: "The commands from the event before up to this one" },
  { value: "run", text: "Whole run", title: "All commands of the run" },
] as const;
type Scope = (typeof SCOPES)[number]["value"];

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
  const event = command === null ? selection.event : (app.eventOfCommand(command) ?? selection.event);
  const { answer, problem } = useAnswer("commands", isWhole ? null : { request: "commands", run: store.run(), event, limit: LIMIT });
  const changing = useChanging(answer?.request.event ?? null);
  const rowCommand = app.row()?.command ?? null;
  const whole = useWholeRun(isWhole ? (command ?? rowCommand ?? Infinity) : null);

  useLayoutEffect(() => {
    setNotice(null);
    setPicked(null);
  }, [changed, scope]);

  const { commands = [], callers = [], event_command: lastCommand = null, left_out: leftOut = 0 } = answer?.json ?? {};
  const rows = useMemo(() => {
    const text = filter.trim().toLowerCase();
    const passes = (row: Command) => text === "" || `${row.text} ${hex(row.address)} ${row.command}`.toLowerCase().includes(text);
    return commands.filter((row) => passes(row) && (!onlyChanges || changing.has(row.command)));
  }, [answer, filter, onlyChanges, changing]);
  const eventCommand = isWhole ? rowCommand : lastCommand;
  const found = isWhole ? whole.wantedCommand() : (commands.find((row) => row.command === (command ?? eventCommand)) ?? commands.at(-1) ?? null);
  const shown = picked ?? found;
  const shownEvent = answer?.request.event ?? -1;

  /** Selects a command as a step of the browser's history, with the event that it leads to. */
  const goTo = (next: number) => (isWhole ? store.set({ command: next }) : app.showCommand(next));
  const calls = shown && callsAround(shown, isWhole ? whole.upTo(shown.command) : { commands, callers });
  const place: Place | null = shown && calls && { row: shown, calls, commands: isWhole ? whole.items : commands, goTo };
  const columns = useMemo(() => columnsOf(changing, goTo), [changing, isWhole]);
  /** Goes to the next command of the run with the text of the filter, or to the last one before. */
  const find = async (backwards: boolean) => {
    const text = filter.trim();
    const from = store.get().command ?? shown?.command ?? eventCommand ?? 0;
    if (text === "") {
      return field.current?.focus();
    }
    const { json } = (await app.attempt(app.engine.request({ request: "find-command", run: store.run(), text, from, backwards }))) ?? {};
    if (json?.command === null) {
      const reply = `No command ${backwards ? "before" : "after"} number ${from} has this text; ${json.count} in the whole run have it.`;
      setNotice(reply);
      app.announce(reply);
    } else if (json) {
      goTo(json.command);
      app.announce(`Command ${json.command}, one of ${json.count} with this text.`);
    }
  };
  const choose = (row: Command) => {
    setPicked(row);
    store.set({ command: row.command }, { replace: true });
  };
  const eventName = shownEvent < (app.events?.count ?? 0) ? nameOfEvent(app, shownEvent) : "the end of the run";
  const facts = [
    `${counted(commands.length, "command")} up to ${eventName}`,
    rows.length < commands.length && `${rows.length} shown`,
    changing.size > 0 && `${changing.size} changed a register`,
    leftOut > 0 && `${leftOut} more are not listed`,
  ];
  const summary = answer && (
    <>
      {`${facts.filter(Boolean).join(", ")}.`}
      {shownEvent !== selection.event && <>{" "}<Link onClick={() => app.selectEvent(shownEvent)}>{`Select ${eventName}`}</Link></>}
    </>
  );
  const message = isWhole ? whole.problem : problem;
  const rowClass = (row: Command) => `${changing.has(row.command) ? "is-changing" : ""} ${row.command === eventCommand ? "is-event" : ""}`;
  const shared = { label: "Commands since the event before", columns, onActive: choose, tableRef: table, rowClass };
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
        <p class="panel-summary" aria-live="polite">{notice ?? (isWhole ? wholeText(whole) : summary)}</p>
      </div>
      {message !== null && <p class="panel-message">{message}</p>}
      <p class="command-stack" aria-label="Calls around the selected command">{place && <Stack place={place} />}</p>
      <div class={`commands-body${isNarrow ? " is-narrow" : ""}`} ref={body} hidden={message !== null}>
        {isWhole ? (
          <Table key={scope} {...shared} rows={whole.items} active={whole.wanted - whole.first} state={whole.changes} missing={(index) => whole.load(whole.first + index)} />
        ) : (
          <Table key={scope} {...shared} rows={rows} active={rows.findIndex((row) => row.command === shown?.command)} state={eventCommand} />
        )}
        <Splitter label="Size of the reference" name="commands" usual={60} least={20} most={85} isVertical={!isNarrow} />
        <Reference place={place}>
          {eventCommand === shown?.command && shownEvent !== selection.event && shownEvent >= 0 && <Link onClick={() => app.selectEvent(shownEvent)}>Select its event</Link>}
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
function useWholeRun(command: number | null): WholeRun {
  const app = useApp();
  const [, redraw] = useState({});
  const [whole] = useState(() => new WholeRun(app, () => redraw({})));
  useLayoutEffect(() => {
    if (command !== null) {
      whole.show(command);
    }
  }, [command === null ? null : runKey(app, command)]);
  return whole;
}

function wholeText({ items, total, first }: WholeRun): string {
  const part = items.length < total ? `, ${first} to ${first + items.length - 1} are listed` : "";
  return total > 0 ? `${counted(total, "command")} in the run${part}.` : "Loading the commands of the run.";
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

function Text({ row: { text, name, depth, command }, goTo }: { row: Command; goTo: (command: number) => void }) {
  // The arguments keep the space before them.
  const [first, ...words] = text.split(/(?= )/);
  const rest = words.join("");
  return (
    <>
      <span class="call-depth" aria-hidden="true" style={{ width: `${Math.min(depth, 16) * 2}ch` }} />
      <span class="command-name">{first}</span>
      {BRANCHES.includes(name) ? <>{" "}<Link title="Go to the command that follows in the run" onClick={() => goTo(command + 1)}>{rest.trim()}</Link></> : rest}
    </>
  );
}
