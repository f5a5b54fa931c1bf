// The calls around a command, and its reference text.

import { hex } from "pspge/base/dom.js";
import { type ComponentChild, useLayoutEffect, useRef } from "pspge/base/preact.js";
import type { CommandDocument, OpcodeDocument } from "pspge/documents.js";
import { openWith } from "pspge/state/wishes.js";
import { Facts, Link, SmallTable } from "pspge/widgets/controls.js";
import { valueText } from "pspge/widgets/field-editor.js";
import { useAnswer, useApp, usePanel } from "pspge/widgets/panel.js";

export type Command = CommandDocument;

/** Commands that go on at another address. */
export const BRANCHES = ["CALL", "JUMP", "BJUMP"];

/** A command, and what is listed around it. */
export interface Place {
  row: Command;
  /** The calls around it, the outermost first: their commands, or their addresses if they are not listed. */
  calls: (Command | number)[];
  commands: Command[];
  goTo: (command: number) => void;
}

/** Returns the calls around a command. `callers` are the addresses of those around the first of the listed commands. */
export function callsAround(row: Command, { commands, callers }: { commands: Command[]; callers: number[] }): Place["calls"] {
  const calls: Place["calls"] = [...callers];
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
export function Stack({ place: { row, calls, goTo } }: { place: Place }) {
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
export function Reference({ place, children }: { place: Place | null; children: ComponentChild }) {
  const element = useRef<HTMLDivElement>(null);
  const kept = useRef<{ place: Place; text: OpcodeDocument } | null>(null);
  const { answer } = useAnswer("reference", place && { request: "reference", name: place.row.name });
  if (place && answer?.request.name === place.row.name) {
    kept.current = { place, text: answer.json.document };
  }
  const shown = kept.current;
  useLayoutEffect(() => element.current?.scrollTo(0, 0), [shown?.place.row]);
  return (
    <div ref={element} class="command-reference" tabIndex={0} role="region" aria-label="Reference of the selected command">
      {shown && <Description {...shown}>{children}</Description>}
    </div>
  );
}

function Description({ place, text, children }: { place: Place; text: OpcodeDocument; children: ComponentChild }) {
  const { app, selection } = usePanel();
  const { row, calls, commands, goTo } = place;
  const openMemory = (address: number) => openWith(app, "memory", { address });
  const facts = [
    `command ${hex(text.code, 2)}`,
    text.context_saved ? "saved with the context" : "not saved with the context",
    `known from ${text.evidence === "hardware" ? "hardware tests" : "documents"} (${text.source})`,
  ];
  const { target } = row;
  const event = app.eventOfCommand(row.command);
  const caller = calls.at(-1);
  const over = row.name === "CALL" ? commands.find((other) => other && other.command > row.command && other.depth <= row.depth) : null;
  return (
    <>
      <h3>{text.name}</h3>
      <p>{text.description}</p>
      <pre class="command-line">{row.text}</pre>
      <p class="links">
        <Link onClick={() => openMemory(row.address)}>Show its word in memory</Link>
        {target !== null && <Link onClick={() => openMemory(target)}>{`Show ${hex(target)} in memory`}</Link>}
        {children}
        {event !== null && event !== selection.event && (
          <Link title="Select the first event after this command" onClick={() => app.selectEvent(event)}>{`Run to here: select event ${event}`}</Link>
        )}
        {over && over.command > row.command + 1 && (
          <Link title="Go to the command after the call" onClick={() => goTo(over.command)}>{`Step over to ${over.command}`}</Link>
        )}
        {typeof caller === "object" && <Link title="Go to the call that the command is in" onClick={() => goTo(caller.command)}>{`Step out to ${caller.command}`}</Link>}
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

function Fields({ row, text }: { row: Command; text: OpcodeDocument }) {
  const rows = text.fields.map(({ name, low, high, kind, values, description }) => [
    name,
    <span class="bits">{low === high ? low : `${low}–${high}`}</span>,
    <span class="value">{valueText(kind, row.fields[name])}</span>,
    <>
      {description}
      {values.length > 0 && (
        <div class="named-values">
          {values.map((named) => <span class={named.name === row.fields[name] ? "is-value" : ""}>{`${named.value} ${named.name}`}</span>)}
        </div>
      )}
    </>,
  ]);
  return <SmallTable heads={["field", "bits", "value", "meaning"]} rows={rows} hasNames />;
}
