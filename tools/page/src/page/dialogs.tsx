// The dialogs: help, and notes on the file and its run.

import { counted, h, hex } from "pspge/base/dom.js";
import { KEYS, shownKey, VIEW_KEYS } from "pspge/base/keys.js";
import { type ComponentChildren, render } from "pspge/base/preact.js";
import type { App, Note } from "pspge/state/app-types.js";
import { allNotes } from "pspge/state/run.js";
import { Button, Heads, Link } from "pspge/widgets/controls.js";

const QUESTIONS = [
  ["Why is this pixel this colour?", "Click it in the picture. The panel Pixel has the verdict and its history; its links select draws."],
  ["Which pixels does a draw cover?", "Select it. The picture marks them; f flips between before and after it."],
  ["Who set this register?", "The panel State names the writer of each value; the link shows the command."],
  ["Is that the fault?", "Click a value in State and change it. The picture follows; Edits lists all changes."],
  ["Why is this triangle missing?", "The panel Mesh lists the primitives of a draw with their result and its reason."],
  ["Which draws use this texture?", "The panel Textures names them; its button filters the events."],
  ["Where does this texture come from?", "The panel Passes shows which pass drew it."],
  ["Who draws this target, and who reads it?", "Click its address in the list of events; the panel Passes names both."],
  ["Which command drew this?", "Double-click the event, or press Enter on it: the panel Commands shows its commands and calls."],
  ["Which draw differs first?", "Drop a second file on the panel Diff, or compare edits with the file there."],
  ["Where does the time go?", "Events have bars of their cost; the heat maps of the picture show it by pixel."],
];

/** A dialog with a heading and a button that closes it. */
function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const id = `dialog-${title.toLowerCase()}`;
  return (
    <dialog class="dialog" aria-labelledby={id} onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button onClick={(event) => event.currentTarget.closest("dialog")?.close()}>Close</Button>
      </div>
      {children}
    </dialog>
  );
}

/** Creates the place of a dialog, whose contents are drawn when it is shown. */
function dialogOf(contents: (close: () => void) => ComponentChildren) {
  const element = h("div", { class: "host" });
  const dialog = () => element.querySelector("dialog");
  return {
    element,
    show() {
      render(
        contents(() => dialog()?.close()),
        element,
      );
      dialog()?.showModal();
    },
  };
}

/** Creates the help: all keys, and how to start. */
export function helpDialog() {
  return dialogOf(() => <Help />);
}

function Help() {
  const all = [...KEYS, ...VIEW_KEYS];
  return (
    <Dialog title="Help">
      <div class="help">
        <dl class="questions">
          {QUESTIONS.map(([question, answer]) => <><dt>{question}</dt><dd>{answer}</dd></>)}
        </dl>
        <div class="key-tables">
          {[...new Set(all.map(({ group }) => group))].map((group) => (
            <table class="keys">
              <caption>{group}</caption>
              <Heads class="visually-hidden" names={["Key", "Effect"]} />
              <tbody>
                {all
                  .filter((key) => key.group === group)
                  .map(({ keys, text }) => (
                    <tr>
                      <td>
                        {(keys.length > 3 ? [`${keys[0]} – ${keys.at(-1)}`] : keys.map(shownKey)).map((key) => <><kbd>{key}</kbd>{" "}</>)}
                      </td>
                      <td>{text}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

/** Creates the dialog of the notes. */
export function notesDialog(app: App) {
  return dialogOf((close) => <Notes app={app} close={close} />);
}

function Notes({ app, close }: { app: App; close: () => void }) {
  const { events } = app;
  const notes = allNotes(app);
  return (
    <Dialog title="Notes">
      <div class="notes">
        {events && <p>{`The run: ${events.ended}${events.is_complete ? "" : "; it is not complete"}.`}</p>}
        {notes.length > 0 ? (
          <table>
            <Heads names={["Kind", "Note", "Place"]} />
            <tbody>
              {notes.map((note) => (
                <tr class={`note-${note.severity}`}>
                  <td>{note.severity === "problem" ? "Problem" : "Information"}</td>
                  <td>{note.message}{note.count > 1 && ` (${counted(note.count, "time")})`}</td>
                  <td><Place note={note} show={(command) => (close(), app.showCommand(command))} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : <p>There are no notes: nothing is missing, guessed or left out.</p>}
      </div>
    </Dialog>
  );
}

function Place({ note: { command, address, offset, part }, show }: { note: Note; show: (command: number) => void }) {
  if (typeof command === "number") {
    return <Link onClick={() => show(command)}>{`command ${command} at ${hex(address)}`}</Link>;
  }
  return <>{[part, typeof offset === "number" ? `offset ${hex(offset, 1)}` : null].filter(Boolean).join(", ")}</>;
}
