// state/store.ts
import { normalEdit, placeOf } from "pspge/base/edit-text.js";
import { partOfHash, putPart } from "pspge/base/parts.js";
var RUN_MEMBERS = ["input", "part", "edits", "arithmetic", "camera", "pose"];
function initialSelection() {
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
    notes: []
  };
}
function createStore(file, isPossible) {
  let selection = initialSelection();
  const subscribers = /* @__PURE__ */ new Set();
  let steps = [[]];
  let step = 0;
  let pending = Promise.resolve();
  const publish = (changed) => {
    for (const subscriber of [...subscribers]) {
      subscriber(selection, changed);
    }
  };
  const address = createAddressWriter(() => toHash(selection, file()));
  const set = (partial, { replace = false, also = [] } = {}) => {
    const names = Object.keys(partial);
    const changed = new Set(names.filter((name) => differs(selection[name], partial[name])));
    if (changed.size > 0) {
      selection = { ...selection, ...partial };
      if (changed.has("edits") && differs(steps[step], selection.edits)) {
        step += 1;
        steps = [...steps.slice(0, step), selection.edits];
      }
      address.write(replace);
    }
    if (changed.size + also.length > 0) {
      publish(/* @__PURE__ */ new Set([...changed, ...also]));
    }
  };
  const run = () => {
    const { input, part, arithmetic, edits, camera, pose } = selection;
    return { input, arithmetic, edits, ...part && { part }, ...camera && { camera }, ...pose && { pose } };
  };
  const change = (change2) => {
    const changed = pending.then(async () => {
      const edits = change2(selection.edits);
      const isTaken = edits.length === 0 || await isPossible({ ...run(), edits });
      if (isTaken) {
        set({ edits });
      }
      return isTaken;
    });
    pending = changed.then(() => void 0);
    return changed;
  };
  const goTo = (other) => {
    const edits = steps[other];
    if (edits) {
      step = other;
      set({ edits });
    }
    return edits !== void 0;
  };
  return {
    get: () => selection,
    set,
    /** Calls back after each change; returns a function that ends this. */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    /** Tells all panels that something beside the selection is new, such as the events. */
    publish,
    /** Returns the run of the selection for requests. */
    run,
    isPossible,
    /** Adds an edit; one of the same place is replaced. */
    addEdit: (text) => change((edits) => {
      const place = placeOf(text);
      const position = edits.findIndex((edit) => placeOf(edit) === place);
      return position < 0 ? [...edits, text] : edits.with(position, text);
    }),
    removeEdit: (text) => change((edits) => edits.filter((edit) => edit !== text)),
    setEdits: (edits) => change(() => edits),
    /** Replaces edits that turn out to be impossible, which leaves nothing to undo. */
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
     */
    reset(part = null) {
      [steps, step] = [[[]], 0];
      selection = { ...initialSelection(), part, panel: selection.panel };
      address.write(part === null);
    },
    /**
     * Takes the selection of the page's address. With `isStep` it is a step of the browser's history: the edits are those
     * of an earlier or later step, which stays one that can be undone and made again.
     */
    readAddress({ isStep = false } = {}) {
      const read = fromHash(location.hash);
      selection = { ...initialSelection(), panel: selection.panel, ...read };
      const isSame = (edits) => !differs(edits, selection.edits);
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
    writeAddress: address.flush
  };
}
function differs(before, now) {
  return before !== now && JSON.stringify(before) !== JSON.stringify(now);
}
function createAddressWriter(hash) {
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
    write(replace) {
      mayReplace &&= replace;
      clearTimeout(timer);
      timer = setTimeout(flush, 300);
    }
  };
}
function toHash(selection, file) {
  const parts = new URLSearchParams();
  const put = (name, value, usual = null) => {
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
function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name) => parts.get(name) ?? "";
  const whole = (name) => /^\d{1,9}$/.test(text(name)) ? Number(text(name)) : null;
  const [event, x, y] = [whole("event"), whole("x"), whole("y")];
  return {
    ...event !== null && { event },
    ...parts.has("after") && { after: text("after") === "1" },
    .../^[a-z]+$/.test(text("panel")) && { panel: text("panel") },
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
    notes: parts.getAll("note").flatMap(noteOf)
  };
}
function fileOfHash(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("file");
}
function targetOf(text) {
  const [found, address = "", stride, format, width, height] = /^([0-9a-f]{1,8}),(\d+),([A-Z0-9]+),(\d+),(\d+)$/.exec(text) ?? [];
  if (found === void 0) {
    return null;
  }
  return { address: parseInt(address, 16), stride: Number(stride), format, width: Number(width), height: Number(height) };
}
function cameraOf(text) {
  const numbers = text.split(",").map(Number);
  const [yaw = 0, pitch = 0, zoom = 1] = numbers;
  return numbers.length === 3 && numbers.every(Number.isFinite) ? { yaw, pitch, zoom } : null;
}
function poseOf(text) {
  const [animation = NaN, frame = NaN] = text.split(",").map(Number);
  return text !== "" && Number.isFinite(animation) && Number.isFinite(frame) ? { animation, frame } : null;
}
function noteOf(text) {
  const found = /^(\d{1,9}) (.*)$/s.exec(text);
  return found ? [{ event: Number(found[1]), text: found[2] ?? "" }] : [];
}
function runOf(text) {
  try {
    const run = JSON.parse(text);
    return typeof run === "object" && !Array.isArray(run) ? run : null;
  } catch {
    return null;
  }
}
export {
  RUN_MEMBERS,
  createStore,
  fileOfHash,
  fromHash,
  initialSelection,
  toHash
};
