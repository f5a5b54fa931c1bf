// The selection: the place that the page shows, the edits of the run, and their undo. The URL's hash names it, so that
// an address can be sent to somebody else.

import { partOfHash, putPart } from "pspge/parts.js";

/**
 * @typedef {import("pspge/documents.js").BufferInfo} Buffer
 * @typedef {Required<import("pspge/documents.js").CameraSpec>} Camera
 * @typedef {Required<import("pspge/documents.js").PoseSpec>} Pose
 * @typedef {import("pspge/documents.js").PartSpec} Part
 * @typedef {import("pspge/documents.js").RunRequest} RunSpec
 * @typedef {{
 *   input: number,
 *   part: Part | null,
 *   event: number,
 *   after: boolean,
 *   pixel: [number, number] | null,
 *   panel: string,
 *   edits: string[],
 *   arithmetic: "hardware" | "single",
 *   view: "color" | "depth",
 *   target: Buffer | null,
 *   vertex: number | null,
 *   primitive: number | null,
 *   command: number | null,
 *   camera: Camera | null,
 *   pose: Pose | null,
 *   rival: RunSpec | null,
 *   rivalEvent: number | null,
 *   notes: {event: number, text: string}[],
 * }} Selection
 * @typedef {(selection: Selection, changed: Set<string>) => void} Subscriber
 * @typedef {ReturnType<typeof createStore>} Store
 */

/** Members of the selection that change the run itself. */
export const RUN_MEMBERS = ["input", "part", "edits", "arithmetic", "camera", "pose"];

/** Returns the selection of an address without any. @returns {Selection} */
export function initialSelection() {
  return {
    input: 0,
    part: null,
    event: 0,
    after: true,
    pixel: null,
    panel: "frame",
    edits: [],
    arithmetic: "hardware",
    view: "color",
    target: null,
    vertex: null,
    primitive: null,
    command: null,
    camera: null,
    pose: null,
    rival: null,
    rivalEvent: null,
    notes: [],
  };
}

/**
 * Creates the store of the selection. `file` returns the hash of the open file for the address. `isPossible` returns
 * whether the run with other edits is one, after it has said why not; edits that are none never become a part of the
 * selection.
 * @param {() => string | null} file
 * @param {(run: RunSpec) => Promise<boolean>} isPossible
 */
export function createStore(file, isPossible) {
  let selection = initialSelection();
  /** @type {Set<Subscriber>} */
  const subscribers = new Set();
  /** @type {string[][]} The edits so far, and those that were undone. */
  let steps = [[]];
  /** The position of the selection's edits among them. */
  let step = 0;
  /** Changes of the edits come one after the other, each after the check of the one before. */
  let pending = Promise.resolve();

  const publish = (/** @type {Set<string>} */ changed) => {
    for (const subscriber of [...subscribers]) {
      subscriber(selection, changed);
    }
  };

  const address = createAddressWriter(() => toHash(selection, file()));

  /**
   * Changes members of the selection. With `replace` the change is no step of the browser's history. `also` names other
   * things that have changed, such as the events.
   * @param {Partial<Selection>} partial
   * @param {{replace?: boolean, also?: string[]}} [options]
   */
  const set = (partial, { replace = false, also = [] } = {}) => {
    const changed = new Set(
      Object.keys(partial).filter((name) => differs(member(selection, name), member(partial, name))),
    );
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

  /**
   * Changes the edits, if they are possible; returns whether they are.
   * @param {(edits: string[]) => string[]} change
   * @returns {Promise<boolean>}
   */
  const change = (change) => {
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

  /** Takes the edits of another step; returns whether there is one. @param {number} other */
  const goTo = (other) => {
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
    /**
     * Calls back after each change; returns a function that ends this.
     * @param {Subscriber} subscriber
     */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    /** Tells all panels that something beside the selection is new, such as the events. */
    publish,
    /**
     * Returns the run of the selection for requests.
     * @returns {RunSpec}
     */
    run,
    isPossible,
    /**
     * Adds an edit; one of the same place is replaced.
     * @param {string} text
     */
    addEdit: (text) =>
      change((edits) => {
        const place = placeOf(text);
        const position = edits.findIndex((edit) => placeOf(edit) === place);
        return position < 0 ? [...edits, text] : edits.with(position, text);
      }),
    /** @param {string} text */
    removeEdit: (text) => change((edits) => edits.filter((edit) => edit !== text)),
    /** @param {string[]} edits */
    setEdits: (edits) => change(() => edits),
    /** Replaces edits that turn out to be impossible, which leaves nothing to undo. @param {string[]} edits */
    correctEdits(edits) {
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
     * @param {Part | null} [part]
     */
    reset(part = null) {
      [steps, step] = [[[]], 0];
      selection = { ...initialSelection(), part, panel: selection.panel };
      address.write(part === null);
    },
    /**
     * Takes the selection of the page's address. With `isStep` it is a step of the browser's history: the edits are those
     * of an earlier or later step, which stays one that can be undone and made again.
     * @param {{isStep?: boolean}} [options]
     */
    readAddress({ isStep = false } = {}) {
      const read = fromHash(location.hash);
      selection = { ...initialSelection(), panel: selection.panel, ...read };
      const isSame = (/** @type {string[]} */ edits) => !differs(edits, selection.edits);
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

/**
 * @param {any} holder
 * @param {string} name
 */
function member(holder, name) {
  return holder[name];
}

/**
 * @param {unknown} before
 * @param {unknown} now
 */
function differs(before, now) {
  return before !== now && JSON.stringify(before) !== JSON.stringify(now);
}

/**
 * Writes an edit in the form that the engine takes, as the command line also takes others: --set is the usual one, a value
 * follows a space or an equals sign, and --wireframe alone is that of all draws.
 * @param {string} text
 * @returns {string}
 */
export function normalEdit(text) {
  const found = /^(--[a-z-]+)(?:[\s=]+(.*))?$/s.exec(text.trim());
  if (!found) {
    return `--set ${text.trim()}`;
  }
  const [, option = "", value = ""] = found;
  return option === "--wireframe" ? `--wireframe=${value || "0-"}` : `${option} ${value}`.trim();
}

/**
 * Returns the part of an edit that says what it is on, without its value.
 * @param {string} edit
 * @returns {string}
 */
export function placeOf(edit) {
  if (edit.startsWith("--solo ")) {
    // The command line takes the option once.
    return "--solo";
  }
  const set = /^--set[ =]\s*([^=]+)=(?:.*?)(@[^@]*)?$/.exec(edit);
  return set ? `--set ${set[1]}${set[2] ?? ""}` : edit;
}

/**
 * Writes the address after a pause, because browsers limit how often that is allowed.
 * @param {() => string} hash
 */
function createAddressWriter(hash) {
  /** @type {number | undefined} */
  let timer;
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
    write(/** @type {boolean} */ replace) {
      mayReplace &&= replace;
      clearTimeout(timer);
      timer = setTimeout(flush, 300);
    },
  };
}

/**
 * Writes a selection as the hash of an address.
 * @param {Selection} selection
 * @param {string | null} file
 * @returns {string}
 */
export function toHash(selection, file) {
  const parts = new URLSearchParams();
  const put = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {unknown} */ usual = null) => {
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
  put(
    "target",
    target && `${target.address.toString(16)},${target.stride},${target.format},${target.width},${target.height}`,
  );
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

/**
 * Reads the hash of an address. Parts that make no sense are left out.
 * @param {string} hash
 * @returns {Partial<Selection>}
 */
export function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {Partial<Selection>} */
  const selection = {};
  const whole = (/** @type {string} */ name) => {
    const text = parts.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  selection.part = partOfHash(hash);
  const event = whole("event");
  if (event !== null) {
    selection.event = event;
  }
  if (parts.has("after")) {
    selection.after = parts.get("after") === "1";
  }
  const [x, y] = [whole("x"), whole("y")];
  selection.pixel = x !== null && y !== null ? [x, y] : null;
  if (/^[a-z]+$/.test(parts.get("panel") ?? "")) {
    selection.panel = parts.get("panel") ?? "state";
  }
  selection.view = parts.get("view") === "depth" ? "depth" : "color";
  selection.arithmetic = parts.get("arithmetic") === "single" ? "single" : "hardware";
  selection.target = targetOf(parts.get("target") ?? "");
  selection.vertex = whole("vertex");
  selection.primitive = whole("primitive");
  selection.command = whole("command");
  selection.edits = parts.getAll("edit").filter((edit) => edit.startsWith("--")).map(normalEdit);
  selection.camera = cameraOf(parts.get("camera") ?? "");
  selection.pose = poseOf(parts.get("pose") ?? "");
  selection.rival = runOf(parts.get("rival") ?? "");
  selection.rivalEvent = whole("rival-event");
  selection.notes = parts.getAll("note").flatMap(noteOf);
  return selection;
}

/**
 * Returns the hash of the file that an address names.
 * @param {string} hash
 * @returns {string | null}
 */
export function fileOfHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("file");
}

/**
 * @param {string} text
 * @returns {Buffer | null}
 */
function targetOf(text) {
  const found = /^([0-9a-f]{1,8}),(\d+),([A-Z0-9]+),(\d+),(\d+)$/.exec(text);
  if (!found) {
    return null;
  }
  const [, address = "", stride, format, width, height] = found;
  return {
    address: parseInt(address, 16),
    stride: Number(stride),
    // The engine refuses a format that it does not know.
    format: /** @type {Buffer["format"]} */ (format),
    width: Number(width),
    height: Number(height),
  };
}

/**
 * @param {string} text
 * @returns {Camera | null}
 */
function cameraOf(text) {
  const numbers = text.split(",").map(Number);
  const [yaw = 0, pitch = 0, zoom = 1] = numbers;
  return numbers.length === 3 && numbers.every(Number.isFinite) ? { yaw, pitch, zoom } : null;
}

/**
 * @param {string} text
 * @returns {Pose | null}
 */
function poseOf(text) {
  const [animation = NaN, frame = NaN] = text.split(",").map(Number);
  return text !== "" && Number.isFinite(animation) && Number.isFinite(frame) ? { animation, frame } : null;
}

/**
 * @param {string} text
 * @returns {{event: number, text: string}[]}
 */
function noteOf(text) {
  const found = /^(\d{1,9}) (.*)$/s.exec(text);
  return found ? [{ event: Number(found[1]), text: found[2] ?? "" }] : [];
}

/**
 * @param {string} text
 * @returns {RunSpec | null}
 */
function runOf(text) {
  try {
    const run = JSON.parse(text);
    return typeof run === "object" && !Array.isArray(run) ? run : null;
  } catch {
    return null;
  }
}
