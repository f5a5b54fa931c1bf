// Errors as a list under the header, and texts for screen readers.

import { h, honest, sentence } from "pspge/base/dom.js";
import { render, signal } from "pspge/base/preact.js";
import { EngineError, messageOf } from "pspge/state/engine.js";
import { Button, IconButton } from "pspge/widgets/controls.js";

/** Most errors that are shown at once; older ones go. */
const MOST = 3;

type Message = Pick<EngineError, "message" | "code" | "place">;
interface Options {
  /** Asks for further files of a model that cannot be opened alone. */
  complete: () => void;
  /** Asks the server again. */
  retry: () => void;
  /** Returns the names of the open files, which messages name without folders, as the header does. */
  paths: () => (string | undefined)[];
}

/** Creates the region in which screen readers hear what has happened. */
export function announcer() {
  const element = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  return {
    element,
    say(text: string) {
      // The same text twice would not be read again.
      const shown = honest(text);
      element.textContent = element.textContent === shown ? `${shown}\u00a0` : shown;
    },
  };
}

/** Creates the list of errors. */
export function errorList({ complete, retry, paths }: Options) {
  const element = h("div", { class: "errors", role: "alert" });
  const messages = signal<Message[]>([]);
  const without = (message: string) => messages.peek().filter((known) => known.message !== message);
  const remove = ({ message }: Message) => {
    messages.value = without(message);
  };
  const Errors = () =>
    messages.value.map((shown) => (
      <div key={shown.message} class="error" data-message={shown.message} data-code={shown.code}>
        <span class="error-mark" aria-hidden="true">{shown.code === "address" ? "i" : "!"}</span>
        <span class="error-text">{fileText(shown.place.file, shown.message)}{sentence(shown.message)}{placeText(shown.place)}</span>
        {shown.code === "connection" && <Button onClick={() => (remove(shown), retry())}>Try again</Button>}
        {shown.code === "mesh-data-missing" && <Button onClick={() => (complete(), remove(shown))}>Choose its second file</Button>}
        <IconButton name="close" label="Close this message" onClick={() => remove(shown)} />
      </div>
    ));
  render(<Errors />, element);
  return {
    element,
    /** Takes all messages away, as when another file opens. */
    clear() {
      messages.value = [];
    },
    add(error: unknown) {
      const message = shortened(withoutFolders(messageOf(error), paths()));
      const { code, place } = error instanceof EngineError ? error : { code: "page", place: {} };
      messages.value = [...without(message), { message, code, place }].slice(-MOST);
    },
  };
}

/** Describes the place of an error in its file, and further errors of an assembly text. */
function placeText({ offset, line, column, others = [], omitted = 0 }: Message["place"]): string {
  const at = [
    typeof line === "number" ? ` Line ${line}, column ${column ?? 1}.` : "",
    typeof offset === "number" ? ` At offset 0x${offset.toString(16)} of the file.` : "",
  ].join("");
  const more = others.map(({ message, line: other }) => `\n${typeof other === "number" ? `Line ${other}: ` : ""}${sentence(message)}`).join("");
  return `${at}${more}${omitted > 0 ? `\n${omitted} more are not shown.` : ""}`;
}

/** Cuts words that no one reads to their ends, such as an edit of thousands of letters. */
function shortened(message: string): string {
  return message.replace(/\S{300,}/g, (word) => `${word.slice(0, 80)}…${word.slice(-20)}`);
}

/** Names the file of an error, if its message does not. */
function fileText(file: string | null | undefined, message: string): string {
  const name = baseName(file ?? "");
  return name === "" || message.includes(name) ? "" : `${name}: `;
}

/** Returns the name of a file without its folders. */
function baseName(path: string): string {
  return path.split("/").pop() ?? path;
}

/** Names files in a message without their folders. */
function withoutFolders(message: string, paths: (string | undefined)[]): string {
  return paths.reduce((text: string, path) => (path ? text.replaceAll(path, baseName(path)) : text), message);
}
