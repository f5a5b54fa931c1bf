// The packages of the page, in one module. Deceptive characters of files are made visible here, where all text passes.

import { Signal } from "@preact/signals";
import { options } from "preact";
import { honest } from "pspge/base/dom.js";

export * from "preact";
export * from "preact/hooks";
export { jsx, jsxs } from "preact/jsx-runtime";
export { batch, computed, effect, Signal, signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export type { ReadonlySignal } from "@preact/signals";

/** Attributes that people read or hear. */
const READ = /^(title|alt|label|placeholder|aria-.*)$/;

const { vnode: next } = options;
options.vnode = (vnode) => {
  const node = vnode as { type: unknown; props: unknown };
  if (node.type === null) {
    node.props = honest(String(node.props));
  } else if (typeof node.type === "string") {
    const props = node.props as Record<string, unknown>;
    for (const [name, value] of Object.entries(props)) {
      if (name === "dangerouslySetInnerHTML") {
        throw new Error("texts of files never become markup");
      }
      if (value instanceof Signal) {
        // The package would write later values into the page itself, past this place.
        throw new Error(`read the value of the signal for ${name}`);
      }
      if (typeof value === "string" && READ.test(name)) {
        props[name] = honest(value);
      }
    }
  }
  next?.(vnode);
};

/** Shows a signal that stands where a text belongs: the package would write its values past the place above. */
function SignalText({ data }: { data: { value: unknown } }) {
  return data.value;
}
Object.defineProperty(Signal.prototype, "type", { value: SignalText });
