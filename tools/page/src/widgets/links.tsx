// Links to events, draws and commands.

import { hex } from "pspge/base/dom.js";
import { type ComponentChild, useEffect, useState } from "pspge/base/preact.js";
import type { WriterInfo } from "pspge/documents.js";
import type { App } from "pspge/state/app-types.js";
import { openWith } from "pspge/state/wishes.js";
import { Link } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";

/** A link to an event, or to the moment after it, named by its draw if it is one. */
export function EventLink({ event, after = false, ...props }: { event: number; after?: boolean; class?: string; tabIndex?: number }) {
  const app = useApp();
  const select = () => app.selectEvent(event, after ? { after } : {});
  return <Link title={app.events?.events[event]?.text ?? `Select event ${event}`} onClick={select} {...props}>{nameOfEvent(app, event)}</Link>;
}

/** A link from the target of a pass to the panel that tells who draws to it and reads it. */
export function TargetLink({ app, pass, children }: { app: App; pass: number; children: ComponentChild }) {
  const open = (event: MouseEvent) => {
    // The row around it would open or close.
    event.stopPropagation();
    openWith(app, "passes", { pass });
  };
  // The list around it has a single tab stop, and a row is chosen by the arrow keys.
  return <Link title="Show who draws to it and who reads it" tabIndex={-1} onClick={open}>{children}</Link>;
}

/** A link to the command that wrote a value. */
export function Writer({ writer }: { writer: WriterInfo }) {
  const app = useApp();
  const { kind, command, address, record } = writer;
  if (kind === "command" && command !== null) {
    return (
      <Link class="mono" title={`Written by command ${command}${address === null ? "" : ` at ${hex(address)}`}. Show it`} onClick={() => app.showCommand(command)}>
        {`#${command}`}
      </Link>
    );
  }
  return kind === "cpu" ? (
    <span class="muted" title={`Action ${record} of the CPU`}>CPU</span>
  ) : <span class="muted" title="The value is that of the start">start</span>;
}

/** Names an event by its draw, if it is one. */
export function nameOfEvent(app: App, event: number): string {
  const draw = app.events?.events[event]?.draw ?? null;
  return draw === null ? `event ${event}` : `draw ${draw}`;
}

/** Links to draws: the first ones, and a number of the others that unfolds them. */
export function DrawLinks({ draws, most = 24 }: { draws: readonly number[]; most?: number }) {
  const app = useApp();
  const [shown, setShown] = useState(most);
  useEffect(() => setShown(most), [draws]);
  return (
    <span class="draw-links">
      {draws.slice(0, shown).map((draw) => {
        const event = app.eventOfDraw(draw);
        return event === null ? (
          <span key={draw}>{draw}</span>
        ) : <Link key={draw} title={`Select draw ${draw}`} onClick={() => app.selectEvent(event)}>{draw}</Link>;
      })}
      {shown < draws.length && <Link onClick={() => setShown(shown + 500)}>{`${draws.length - shown} more`}</Link>}
    </span>
  );
}
