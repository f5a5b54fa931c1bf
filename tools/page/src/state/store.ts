// The selection: the place that the page shows, the edits of the run, and their undo. The URL's hash names it, so that
// an address can be sent to somebody else.

import { normalEdit, placeOf } from "pspge/base/edit-text.js";
import { partOfHash, putPart } from "pspge/base/parts.js";
import type { BufferInfo as Buffer, CameraSpec, PartSpec, PoseSpec, RunRequest } from "pspge/documents.js";

export type Camera = Required<CameraSpec>;
export type Pose = Required<PoseSpec>;
export type Selection = ReturnType<typeof initialSelection>;
type Subscriber = (selection: Selection, changed: Set<string>) => void;
export type Store = ReturnType<typeof createStore>;

/** Members of the selection that change the run itself. */
export const RUN_MEMBERS = ["input", "part", "edits", "arithmetic", "camera", "pose"];

/** Returns the selection of an address without any. */
export function initialSelection() {
  return {
    input: 0,
    part: null as PartSpec | null,
    event: 0,
    after: true,
    pixel: null as [number, number] | null,
    panel: "frame",
    edits: [] as string[],
    arithmetic: "hardware" as "hardware" | "single",
    view: "color" as "color" | "depth",
    target: null as Buffer | null,
    vertex: null as number | null,
    primitive: null as number | null,
    command: null as number | null,
    camera: null as Camera | null,
    pose: null as Pose | null,
    rival: null as RunRequest | null,
    rivalEvent: null as number | null,
    notes: [] as { event: number; text: string }[],
  };
}

/**
 * Creates the store of the selection. `file` returns the hash of the open file for the address. `isPossible` returns
 * whether the run with other edits is one, after it has said why not; edits that are none never become a part of the
 * selection.
 */
export function createStore(file: () => string | null, isPossible: (run: RunRequest) => Promise<boolean>) {
  let selection = initialSelection();
  const subscribers = new Set<Subscriber>();
  /** The edits so far, and those that were undone. */
  let steps: string[][] = [[]];
  /** The position of the selection's edits among them. */
  let step = 0;
  /** Changes of the edits come one after the other, each after the check of the one before. */
  let pending = Promise.resolve();

  const publish = (changed: Set<string>) => {
    for (const subscriber of [...subscribers]) {
      subscriber(selection, changed);
    }
  };

  const address = createAddressWriter(() => toHash(selection, file()));

  /**
   * Changes members of the selection. With `replace` the change is no step of the browser's history. `also` names other
   * things that have changed, such as the events.
   */
  const set = (partial: Partial<Selection>, { replace = false, also = [] }: { replace?: boolean; also?: string[] } = {}) => {
    const names = Object.keys(partial) as (keyof Selection)[];
    const changed = new Set<string>(names.filter((name) => differs(selection[name], partial[name])));
    if (changed.size > 0) {
      selection = { ...selection, ...partial };
      if (changed.has("edits") && differs(steps[step], selection.edits)) {
        step += 1;
        steps = [...steps.slice(0, step), selection.edits];
      }
      address.write(replace);
    }
    if (changed.size + also.length > 0) {
      publish(new Set([...changed, ...also]));
    }
  };

  const run = () => {
    const { input, part, arithmetic, edits, camera, pose } = selection;
    return { input, arithmetic, edits, ...(part && { part }), ...(camera && { camera }), ...(pose && { pose }) };
  };

  /** Changes the edits, if they are possible; returns whether they are. */
  const change = (change: (edits: string[]) => string[]): Promise<boolean> => {
    const changed = pending.then(async () => {
      const edits = change(selection.edits);
      const isTaken = edits.length === 0 || (await isPossible({ ...run(), edits }));
      if (isTaken) {
        set({ edits });
      }
      return isTaken;
    });
    pending = changed.then(() => undefined);
    return changed;
  };

  /** Takes the edits of another step; returns whether there is one. */
  const goTo = (other: number) => {
    const edits = steps[other];
    if (edits) {
      step = other;
      set({ edits });
    }
    return edits !== undefined;
  };

  return {
    get: () => selection,
    set,
    /** Calls back after each change; returns a function that ends this. */
    subscribe(subscriber: Subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    /** Tells all panels that something beside the selection is new, such as the events. */
    publish,
    /** Returns the run of the selection for requests. */
    run,
    isPossible,
    /** Adds an edit; one of the same place is replaced. */
    addEdit: (text: string) =>
      change((edits) => {
        const place = placeOf(text);
        const position = edits.findIndex((edit) => placeOf(edit) === place);
        return position < 0 ? [...edits, text] : edits.with(position, text);
      }),
    removeEdit: (text: string) => change((edits) => edits.filter((edit) => edit !== text)),
    setEdits: (edits: string[]) => change(() => edits),
    /** Replaces edits that turn out to be impossible, which leaves nothing to undo. */
    correctEdits(edits: string[]) {
      steps = steps.with(step, edits);
      set({ edits }, { replace: true });
    },
    undo: () => goTo(step - 1),
    redo: () => goTo(step + 1),
    canUndo: () => step > 0,
    canRedo: () => step < steps.length - 1,
    /**
     * Forgets everything that belongs to the last file. The chosen panel stays. With a part this is a step of the browser's
     * history: Back leads to the part before.
     */
    reset(part: PartSpec | null = null) {
      [steps, step] = [[[]], 0];
      selection = { ...initialSelection(), part, panel: selection.panel };
      address.write(part === null);
    },
    /**
     * Takes the selection of the page's address. With `isStep` it is a step of the browser's history: the edits are those
     * of an earlier or later step, which stays one that can be undone and made again.
     */
    readAddress({ isStep = false }: { isStep?: boolean } = {}) {
      const read = fromHash(location.hash);
      selection = { ...initialSelection(), panel: selection.panel, ...read };
      const isSame = (edits: string[]) => !differs(edits, selection.edits);
      const earlier = steps.slice(0, step + 1).findLastIndex(isSame);
      const known = earlier >= 0 ? earlier : steps.findIndex(isSame);
      if (isStep && known >= 0) {
        step = known;
      } else {
        steps = isStep ? [...steps.slice(0, step + 1), selection.edits] : [selection.edits];
        step = steps.length - 1;
      }
      return new Set(Object.keys(selection));
    },
    /** Writes the address at once, as before a reload. */
    writeAddress: address.flush,
  };
}

function differs(before: unknown, now: unknown) {
  return before !== now && JSON.stringify(before) !== JSON.stringify(now);
}

/** Writes the address after a pause, because browsers limit how often that is allowed. */
function createAddressWriter(hash: () => string) {
  let timer: number | undefined;
  let mayReplace = true;
  const flush = () => {
    const text = hash();
    if (text === location.hash) {
      return;
    }
    if (mayReplace || location.hash === "") {
      history.replaceState(null, "", text);
    } else {
      history.pushState(null, "", text);
    }
    mayReplace = true;
  };
  return {
    flush,
    write(replace: boolean) {
      mayReplace &&= replace;
      clearTimeout(timer);
      timer = setTimeout(flush, 300);
    },
  };
}

/** Writes a selection as the hash of an address. */
export function toHash(selection: Selection, file: string | null): string {
  const parts = new URLSearchParams();
  const put = (name: string, value: unknown, usual: unknown = null) => {
    if (value !== usual && value !== null) {
      parts.append(name, String(value));
    }
  };
  const { pixel, target, camera, pose, rival, rivalEvent } = selection;
  put("file", file);
  put("input", selection.input, 0);
  putPart(parts, selection.part);
  put("event", selection.event);
  put("after", selection.after ? 1 : 0);
  put("x", pixel?.[0] ?? null);
  put("y", pixel?.[1] ?? null);
  put("panel", selection.panel);
  put("view", selection.view, "color");
  put("target", target && `${target.address.toString(16)},${target.stride},${target.format},${target.width},${target.height}`);
  put("arithmetic", selection.arithmetic, "hardware");
  put("vertex", selection.vertex);
  put("primitive", selection.primitive);
  put("command", selection.command);
  put("camera", camera && [camera.yaw, camera.pitch, camera.zoom].map((number) => Number(number.toFixed(3))).join(","));
  put("pose", pose && `${pose.animation},${pose.frame}`);
  put("rival", rival && JSON.stringify(rival));
  put("rival-event", rivalEvent);
  for (const edit of selection.edits) {
    parts.append("edit", edit);
  }
  for (const { event, text } of selection.notes) {
    parts.append("note", `${event} ${text}`);
  }
  return `#${parts}`;
}

/** Reads the hash of an address. Parts that make no sense are left out. */
export function fromHash(hash: string): Partial<Selection> {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string) => parts.get(name) ?? "";
  const whole = (name: string) => (/^\d{1,9}$/.test(text(name)) ? Number(text(name)) : null);
  const [event, x, y] = [whole("event"), whole("x"), whole("y")];
  return {
    ...(event !== null && { event }),
    ...(parts.has("after") && { after: text("after") === "1" }),
    ...(/^[a-z]+$/.test(text("panel")) && { panel: text("panel") }),
    part: partOfHash(hash),
    pixel: x !== null && y !== null ? [x, y] : null,
    view: text("view") === "depth" ? "depth" : "color",
    arithmetic: text("arithmetic") === "single" ? "single" : "hardware",
    target: targetOf(text("target")),
    vertex: whole("vertex"),
    primitive: whole("primitive"),
    command: whole("command"),
    edits: parts.getAll("edit").filter((edit) => edit.startsWith("--")).map(normalEdit),
    camera: cameraOf(text("camera")),
    pose: poseOf(text("pose")),
    rival: runOf(text("rival")),
    rivalEvent: whole("rival-event"),
    notes: parts.getAll("note").flatMap(noteOf),
  };
}

/** Returns the hash of the file that an address names. */
export function fileOfHash(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("file");
}

function targetOf(text: string): Buffer | null {
  const [found, address = "", stride, format, width, height] = /^([0-9a-f]{1,8}),(\d+),([A-Z0-9]+),(\d+),(\d+)$/.exec(text) ?? [];
  if (found === undefined) {
    return null;
  }
  // The engine refuses a format that it does not know.
  return { address: parseInt(address, 16), stride: Number(stride), format: format as Buffer["format"], width: Number(width), height: Number(height) };
}

function cameraOf(text: string): Camera | null {
  const numbers = text.split(",").map(Number);
  const [yaw = 0, pitch = 0, zoom = 1] = numbers;
  return numbers.length === 3 && numbers.every(Number.isFinite) ? { yaw, pitch, zoom } : null;
}

function poseOf(text: string): Pose | null {
  const [animation = NaN, frame = NaN] = text.split(",").map(Number);
  return text !== "" && Number.isFinite(animation) && Number.isFinite(frame) ? { animation, frame } : null;
}

function noteOf(text: string): { event: number; text: string }[] {
  const found = /^(\d{1,9}) (.*)$/s.exec(text);
  return found ? [{ event: Number(found[1]), text: found[2] ?? "" }] : [];
}

function runOf(text: string): RunRequest | null {
  try {
    const run = JSON.parse(text);
    return typeof run === "object" && !Array.isArray(run) ? run : null;
  } catch {
    return null;
  }
}
