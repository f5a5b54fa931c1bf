// The panel of the commands that lead to an event, or of all commands of the run, with the reference text of the selected
// one.

import { colorText, counted, hex } from "pspge/base/dom.js";
import { type ComponentChild, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { CommandDocument, OpcodeDocument } from "pspge/documents.js";
import type { App, EventRow } from "pspge/state/app-types.js";
import { runKey } from "pspge/state/run.js";
import { WholeRun } from "pspge/state/whole-run.js";
import { openWith } from "pspge/state/wishes.js";
import { Button, Facts, Heads, Link, nameOfEvent, SearchField, Segments, Splitter, Toggle, useNarrow } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

type Command = CommandDocument;
type Scope = "event" | "run";

/** Most commands that are asked for at once. */
const LIMIT = 50_000;
/** Commands that go on at another address. */
const BRANCHES = ["CALL", "JUMP", "BJUMP"];

const SCOPES: { value: Scope; text: string; title: string }[] = [
  { value: "event", text: "Event", title: "The commands from the event before up to this one" },
  { value: "run", text: "Whole run", title: "All commands of the run" },
];

/** The listed commands around the selected one. */
interface Listed {
  isWhole: boolean;
  commands: Command[];
  /** Addresses of the calls around the first command. */
  callers: number[];
  goTo: (command: number) => void;
}

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
  const isStale = changed.has("event") && !changed.has("command") && command !== null && eventOf(app, command) !== selection.event;
  const wanted = isStale ? null : command;
  const event = wanted === null ? selection.event : (eventOf(app, wanted) ?? selection.event);
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

/** Returns the calls around a command, the outermost first: their commands, or their addresses if they are not listed. */
function callsAround(row: Command, whole: WholeRun, listed: Listed): (Command | number)[] {
  const { commands, callers } = listed.isWhole ? whole.upTo(row.command) : listed;
  const calls: (Command | number)[] = [...callers];
  let before: Command | null = null;
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

/** The calls around a command, with links. */
function Stack({ row, calls, goTo }: { row: Command; calls: (Command | number)[]; goTo: (command: number) => void }) {
  const app = useApp();
  return (
    <>
      <span class="muted">List</span>
      {calls.map((call) => (
        <>
          {" › "}
          {typeof call === "number" ? (
            <Link title="Show the word of the call in memory" onClick={() => openWith(app, "memory", { address: call })}>{hex(call)}</Link>
          ) : <Link title={`Go to ${call.text}`} onClick={() => goTo(call.command)}>{`${hex(call.address)} (${call.command})`}</Link>}
        </>
      ))}
      {" › "}
      <strong>{`${row.name} (${row.command})`}</strong>
    </>
  );
}

/** The reference text of a command. The last one stays until that of the next is there. */
function Reference({ row, calls, listed, children }: { row: Command | null; calls: (Command | number)[]; listed: Listed; children: ComponentChild }) {
  const app = useApp();
  const [texts] = useState(() => new Map<string, OpcodeDocument>());
  const place = useRef<HTMLDivElement>(null);
  const kept = useRef<{ row: Command; text: OpcodeDocument } | null>(null);
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
  return (
    <div ref={place} class="command-reference" tabIndex={0} role="region" aria-label="Reference of the selected command">
      {shown && <Description row={shown.row} text={shown.text} calls={calls} listed={listed}>{children}</Description>}
    </div>
  );
}

function Description({ row, text, calls, listed, children }: { row: Command; text: OpcodeDocument; calls: (Command | number)[]; listed: Listed; children: ComponentChild }) {
  const app = useApp();
  const openMemory = (address: number) => openWith(app, "memory", { address });
  const facts = [
    `command 0x${text.code.toString(16).padStart(2, "0")}`,
    text.context_saved ? "saved with the context" : "not saved with the context",
    `known from ${text.evidence === "hardware" ? "hardware tests" : "documents"} (${text.source})`,
  ];
  const { target } = row;
  return (
    <>
      <h3>{text.name}</h3>
      <p>{text.description}</p>
      <pre class="command-line">{row.text}</pre>
      <p class="links">
        <Link onClick={() => openMemory(row.address)}>Show its word in memory</Link>
        {target !== null && <Link onClick={() => openMemory(target)}>{`Show ${hex(target)} in memory`}</Link>}
        {children}
        <Steps row={row} calls={calls} listed={listed} />
      </p>
      {text.fields.length > 0 && <Fields row={row} text={text} />}
      {text.details && <p class="details">{text.details}</p>}
      <p class="muted">{`${facts.join("; ")}.`}</p>
      <Facts
        rows={[
          ["after reset", <code>{text.reset}</code>],
          ["example", <code>{text.example}</code>],
          ["reference", <>{text.sections.map((section) => <div><code>{section}</code></div>)}</>],
        ]}
      />
    </>
  );
}

/** Links to other commands of the run, and to the event that a command leads to. */
function Steps({ row, calls, listed: { commands, goTo } }: { row: Command; calls: (Command | number)[]; listed: Listed }) {
  const { app, selection } = usePanel();
  const event = eventOf(app, row.command);
  const caller = calls.at(-1);
  const over = row.name === "CALL" ? commands.find((other) => other && other.command > row.command && other.depth <= row.depth) : null;
  return (
    <>
      {event !== null && event !== selection.event && (
        <Link title="Select the first event after this command" onClick={() => app.selectEvent(event)}>{`Run to here: select event ${event}`}</Link>
      )}
      {over && over.command > row.command + 1 && (
        <Link title="Go to the command after the call" onClick={() => goTo(over.command)}>{`Step over to ${over.command}`}</Link>
      )}
      {typeof caller === "object" && <Link title="Go to the call that the command is in" onClick={() => goTo(caller.command)}>{`Step out to ${caller.command}`}</Link>}
    </>
  );
}

function Fields({ row, text }: { row: Command; text: OpcodeDocument }) {
  return (
    <table class="plain-table">
      <Heads names={["field", "bits", "value", "meaning"]} />
      <tbody>
        {text.fields.map(({ name, low, high, kind, values, description }) => (
          <tr>
            <th scope="row">{name}</th>
            <td class="bits">{low === high ? low : `${low}–${high}`}</td>
            <td class="value">{fieldText(row.fields[name], kind)}</td>
            <td>
              {description}
              {values.length > 0 && (
                <div class="named-values">
                  {values.map((named) => <span class={named.name === row.fields[name] ? "is-value" : ""}>{`${named.value} ${named.name}`}</span>)}
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the event that a command leads to: the first one that follows it, or the end of the run. */
function eventOf(app: App, command: number): number | null {
  const events = app.events?.events;
  if (!events) {
    return null;
  }
  const { event } = app.store.get();
  const [selected, before] = [events[event], events[event - 1]];
  // Actions of the CPU share the number of the next command. If the selected event fits, it is meant.
  if (selected && isReached(selected, command) && !(before && isReached(before, command))) {
    return selected.event;
  }
  return events.find((row) => isReached(row, command))?.event ?? events.length;
}

/** Returns whether a command was executed up to an event. */
function isReached(event: EventRow, command: number): boolean {
  return event.kind === "cpu" ? command < event.command : command <= event.command;
}

function fieldText(value: unknown, kind: string): string {
  if (value === null || value === undefined) {
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
