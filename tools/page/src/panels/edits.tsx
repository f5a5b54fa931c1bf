// The panel Edits: the changes that are tried on the run, with undo and as a command line.

import { ARITHMETICS, normalEdit } from "pspge/base/edit-text.js";
import { keyOf } from "pspge/base/keys.js";
import { quote, wordsOf } from "pspge/base/parts.js";
import { useRef } from "pspge/base/preact.js";
import type { App, Input, Selection } from "pspge/state/app-types.js";
import { runKey } from "pspge/state/run.js";
import { Button, CopyButton, IconButton, Link, Select, useKeptFocus } from "pspge/widgets/controls.js";
import { valueText } from "pspge/widgets/field-editor.js";
import { nameOfEvent } from "pspge/widgets/links.js";
import { panelOf, useLoaded, usePanel } from "pspge/widgets/panel.js";

export const create = panelOf({ id: "edits", title: "Edits", className: "panel edits-panel" }, EditsPanel);

function EditsPanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const { edits, arithmetic, input, part, camera, pose } = selection;
  const undo = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useKeptFocus<HTMLOListElement>(undo);
  const submit = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (text !== "") {
      void store.addEdit(normalEdit(text)).then((isTaken) => {
        if (isTaken && field.current?.value.trim() === text) {
          field.current.value = "";
        }
      });
    }
  };
  const line = commandLine(app.input, selection);
  const selectLine = () => {
    // Without the permission the user copies it by hand.
    area.current?.focus();
    area.current?.select();
    app.announce("The command line is selected; copy it with Ctrl C.");
  };
  const compare = () => store.set({ rival: { input, ...(part && { part }), ...(camera && { camera }), ...(pose && { pose }) }, panel: "diff" });
  return (
    <>
      <div class="pane-head">
        <IconButton ref={undo} name="undo" label={`Undo (${keyOf("undo")})`} disabled={!store.canUndo()} onClick={() => store.undo()} />
        <IconButton name="redo" label={`Redo (${keyOf("redo")})`} disabled={!store.canRedo()} onClick={() => store.redo()} />
        <Button disabled={edits.length === 0} onClick={() => void store.setEdits([])}>Remove all</Button>
        <span class="spacer" />
        <Select class="check" label="Arithmetic" choices={ARITHMETICS} chosen={arithmetic} onChoose={(chosen) => store.set({ arithmetic: chosen })} />
      </div>
      <div class="scroll">
        <p class="muted" hidden={edits.length > 0}>There are no edits: the run is that of the file. Change a value in the panel State, or skip an event.</p>
        <ol class="edit-list" {...list}>
          {edits.map((edit) => {
            const event = eventOf(app, edit);
            return (
              <li key={edit}>
                <code>{edit}</code>
                <Change edit={edit} />
                {event !== null && <Link onClick={() => app.selectEvent(event)}>{edit.includes("event:") ? `event ${event}` : nameOfEvent(app, event)}</Link>}
                <span class="spacer" />
                <IconButton name="close" label={`Remove ${edit}`} onClick={() => void store.removeEdit(edit)} />
              </li>
            );
          })}
        </ol>
        <form class="edit-form" onSubmit={submit}>
          <input ref={field} type="text" class="mono" placeholder="--set ZTEST=ALWAYS@57" aria-label="New edit" spellcheck={false} autocomplete="off" />
          <button type="submit">Add</button>
        </form>
        <p class="muted">
          Forms: --set NAME=VALUE@DRAWS, --skip DRAWS, --solo DRAWS, --wireframe, --wireframe=DRAWS, --cache off@DRAWS. DRAWS are draws (4,7-9) or events (event:9).
        </p>
        <h2>The same on the command line</h2>
        <textarea ref={area} class="mono command-line" readOnly rows={3} aria-label="Command line" spellcheck={false} value={line} />
        <div class="button-row">
          <CopyButton app={app} label="Copy as command line" text={() => line} onRefused={selectLine} />
          <Button title="Compare this run with the file's own run in the panel Diff" disabled={edits.length === 0 && arithmetic === "hardware"} onClick={compare}>
            Compare with the file
          </Button>
        </div>
      </div>
    </>
  );
}

/** Says which value an edit replaces, as soon as the engine tells it: off → on. */
function Change({ edit }: { edit: string }) {
  const { app, selection } = usePanel();
  const [, register = "", field = null] = /^--set ([^=.]+)(?:\.([^=]+))?=/.exec(edit) ?? [];
  const event = eventOf(app, edit) ?? app.drawAtOrBefore(selection.event)?.event;
  const run = app.store.run();
  const key = register === "" || event === undefined ? null : runKey(app, edit, event);
  const { answer } = useLoaded(key, async () => {
    const ask = (edits: string[]) => app.engine.request({ request: "state", run: { ...run, edits }, event: event ?? 0 });
    const { edits } = selection;
    // The edit itself says enough, if its values cannot be had.
    const answers = await Promise.all([ask(edits.filter((other) => other !== edit)), ask(edits)]).catch(() => []);
    return answers.map(({ json }) => {
      const rows = json.groups.flatMap((group) => group.registers);
      const fields = rows.find(({ name }) => name === register)?.fields ?? [];
      return fields
        .filter(({ description }) => field === null || description.name === field)
        .map(({ description, value }) => valueText(description.kind, value))
        .join(" ");
    });
  });
  return <span class="edit-change muted">{answer?.[0] && ` ${answer.join(" → ")}`}</span>;
}

/** Returns the event of an edit; null if it has none. */
function eventOf(app: App, edit: string): number | null {
  const event = /(?:@|--skip )event:(\d+)/.exec(edit);
  const draw = /(?:@|--skip |--solo |--wireframe=)(\d+)/.exec(edit);
  return event ? Number(event[1]) : draw ? app.eventOfDraw(Number(draw[1])) : null;
}

/** Writes a run as a command line. Options that may be given once have their values joined. */
function commandLine(input: Input | null, { edits, arithmetic, camera, pose }: Selection): string {
  const values = (option: string) => edits.filter((edit) => edit.startsWith(option)).map((edit) => edit.slice(option.length).trim());
  const each = (option: string) => values(option).map((value) => option + quote(value));
  const joined = (option: string) => values(option).join(",") && option + quote(values(option).join(","));
  const uncached = values("--cache ").map((value) => value.split("@")[1]);
  const parts = [
    "pspge render",
    ...wordsOf(input, input?.name).map(quote),
    ...each("--set "),
    ...each("--replace-texture "),
    joined("--skip "),
    joined("--solo "),
    joined("--wireframe="),
    uncached.length > 0 && `--cache ${quote(uncached.some((place) => place === undefined) ? "off" : `off@${uncached.join(",")}`)}`,
    arithmetic !== "hardware" && `--arithmetic ${arithmetic}`,
    input?.kind === "model" && camera && `--view front --yaw ${camera.yaw} --pitch ${camera.pitch} --zoom ${camera.zoom}`,
    pose && `--anim ${pose.animation} --frame ${pose.frame}`,
    "-o picture.png",
  ];
  return parts.filter(Boolean).join(" ");
}
