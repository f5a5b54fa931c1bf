// The selection: the place that the page shows, the edits of the run, and their undo. The URL's hash names it, so that
// an address can be sent to somebody else.

/**
 * @typedef {{address: number, stride: number, format: string, width: number, height: number}} Buffer
 * @typedef {{yaw: number, pitch: number, zoom: number}} Camera
 * @typedef {{animation: number, frame: number}} Pose
 * @typedef {{input?: number, arithmetic?: string, edits?: string[], camera?: Camera, pose?: Pose}} RunSpec
 * @typedef {{
 *   input: number,
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
 * }} Selection
 * @typedef {(selection: Selection, changed: Set<string>) => void} Subscriber
 * @typedef {ReturnType<typeof createStore>} Store
 */

/** Members of the selection that change the run itself. */
export const RUN_MEMBERS = ["input", "edits", "arithmetic", "camera", "pose"];

/** Returns the selection of an address without any. @returns {Selection} */
export function initialSelection() {
  return {
    input: 0,
    event: 0,
    after: true,
    pixel: null,
    panel: "state",
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
  };
}

/**
 * Creates the store of the selection. `file` returns the hash of the open file for the address.
 * @param {() => string | null} file
 */
export function createStore(file) {
  let selection = initialSelection();
  /** @type {Set<Subscriber>} */
  const subscribers = new Set();
  /** @type {string[][]} */
  const undone = [];
  /** @type {string[][]} */
  const done = [];

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
      address.write(replace);
    }
    if (changed.size + also.length > 0) {
      publish(new Set([...changed, ...also]));
    }
  };

  const setEdits = (/** @type {string[]} */ edits) => {
    done.push(selection.edits);
    undone.length = 0;
    set({ edits });
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
    run() {
      const { input, arithmetic, edits, camera, pose } = selection;
      return { input, arithmetic, edits, ...(camera && { camera }), ...(pose && { pose }) };
    },
    /**
     * Adds an edit; one of the same place is replaced.
     * @param {string} text
     */
    addEdit(text) {
      const place = placeOf(text);
      const position = selection.edits.findIndex((edit) => placeOf(edit) === place);
      const edits = position < 0 ? [...selection.edits, text] : selection.edits.with(position, text);
      setEdits(edits);
    },
    /** @param {number} index */
    removeEdit(index) {
      setEdits(selection.edits.filter((_, position) => position !== index));
    },
    /** @param {string[]} edits */
    setEdits,
    undo() {
      const edits = done.pop();
      if (edits) {
        undone.push(selection.edits);
        set({ edits });
      }
      return edits !== undefined;
    },
    redo() {
      const edits = undone.pop();
      if (edits) {
        done.push(selection.edits);
        set({ edits });
      }
      return edits !== undefined;
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    /** Forgets everything that belongs to the last file. The chosen panel stays. */
    reset() {
      done.length = 0;
      undone.length = 0;
      selection = { ...initialSelection(), panel: selection.panel };
      address.write(true);
    },
    /** Takes the selection of the page's address. */
    readAddress() {
      const read = fromHash(location.hash);
      done.length = 0;
      undone.length = 0;
      selection = { ...initialSelection(), panel: selection.panel, ...read };
      return new Set(Object.keys(selection));
    },
    /** Writes the address at once, as before a reload. */
    writeAddress: () => address.write(true),
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
 * Returns the part of an edit that says what it is on, without its value.
 * @param {string} edit
 * @returns {string}
 */
export function placeOf(edit) {
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
  const { pixel, target, camera, pose, rival } = selection;
  put("file", file);
  put("input", selection.input, 0);
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
  for (const edit of selection.edits) {
    parts.append("edit", edit);
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
  selection.edits = parts.getAll("edit").filter((edit) => edit.startsWith("--"));
  selection.camera = cameraOf(parts.get("camera") ?? "");
  selection.pose = poseOf(parts.get("pose") ?? "");
  selection.rival = runOf(parts.get("rival") ?? "");
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
  const [, address = "", stride, format = "", width, height] = found;
  return {
    address: parseInt(address, 16),
    stride: Number(stride),
    format,
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
