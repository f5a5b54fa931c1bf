// The panel of a model: a camera that turns around it, its animations, and its parts.

import { counted, h, replace } from "pspge/dom.js";
import { exportButtons } from "pspge/export.js";
import { float } from "pspge/mesh-columns.js";
import { listenToGestures } from "pspge/orbit.js";
import { numberInput } from "pspge/typed-number.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { button, paint, select, tabs } from "pspge/widgets.js";

/** @typedef {import("pspge/app.js").App} App */
/** @typedef {import("pspge/store.js").Camera} Camera */
/** @typedef {import("pspge/store.js").Pose} Pose */
/** @typedef {import("pspge/store.js").Selection} Selection */
/** @typedef {"animations" | "bones" | "textures" | "parts" | "facts"} Part */

/** Viewpoints: name, yaw, pitch, in degrees. */
const PRESETS = /** @type {const} */ ([
  ["Front", 0, 0],
  ["Three-quarter", 35, 20],
  ["Left", 90, 0],
  ["Back", 180, 0],
  ["Right", 270, 0],
  ["Top", 0, 90],
  ["Bottom", 0, -90],
]);
/** The camera of runs without one. */
const USUAL = { yaw: 35, pitch: 20, zoom: 1 };
/** Degrees that the camera turns for a CSS pixel. */
const TURN = 0.5;
/** Largest sides of the picture at rest and while it moves. */
const SIZE = { rest: 1024, moving: 400 };
/** Frames in a second of animations whose file does not tell it. */
const USUAL_RATE = 30;
/** Milliseconds of a change after which the picture is drawn at its full size. */
const REST = 160;

/**
 * Creates the panel of a model.
 * @param {App} app
 */
export function create(app) {
  const panel = new ModelPanel(app);
  return {
    id: "model",
    title: "Model",
    key: "9",
    element: panel.element,
    show: () => panel.open(),
    update: (/** @type {Selection} */ selection, /** @type {Set<string>} */ changed) => panel.update(selection, changed),
  };
}

class ModelPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Camera} */
    this.camera = { ...USUAL };
    /** @type {Pose | null} */
    this.pose = null;
    /** @type {import("pspge/app.js").Input | null} The input that is shown. */
    this.input = null;
    this.isPlaying = false;
    this.speed = 1;
    this.lastTick = 0;
    /** The request that was drawn last. */
    this.drawn = "";
    /** @type {number | undefined} */
    this.restTimer = undefined;
    this.canvas = h("canvas", { class: "model-canvas", width: 1, height: 1, "aria-hidden": true });
    this.stage = h(
      "div",
      {
        class: "model-stage",
        tabindex: 0,
        role: "application",
        "aria-label": "View of the model. Arrow keys turn the camera, plus and minus magnify, Home shows all.",
      },
      this.canvas,
    );
    listenToGestures(this.stage, {
      turn: (dx, dy) => this.turn(dx, dy),
      zoom: (factor) => this.setCamera({ zoom: Math.max(0.05, Math.min(50, this.camera.zoom * factor)) }),
      reset: () => this.setCamera(USUAL),
      rest: () => this.draw(false),
    });
    this.stage.addEventListener("keydown", (event) => this.press(event));
    this.cameraText = h("span", { class: "camera-text mono" });
    this.place = h("span", { class: "muted" });
    this.more = button("Add files", () => void app.completeInput?.(), "Open the model again with files of textures, skeleton or animations");
    const presets = PRESETS.map(([name, yaw, pitch]) => button(name, () => this.setCamera({ yaw, pitch }), `Yaw ${yaw}°, pitch ${pitch}°`));
    this.apart = h(
      "button",
      { type: "button", class: "primary", title: "Make the events, the state and the pixels those of this camera and pose", onclick: () => this.takeApart() },
      "Inspect this view",
    );
    this.animation = select("Animation", [{ value: "", text: "rest pose" }], (value) =>
      this.setPose(value === "" ? null : { animation: Number(value), frame: 0 }),
    );
    this.play = button("Play", () => this.togglePlay(), "Play or stop the animation (space)");
    this.timeline = h("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 0.25,
      value: 0,
      "aria-label": "Frame",
      oninput: () => this.setFrame(Number(this.timeline.value), true),
    });
    this.frame = numberInput(
      { most: () => Number(this.timeline.max), isWhole: false, value: 0, "aria-label": "Frame number", class: "frame-number" },
      (frame) => this.setFrame(frame, false),
    );
    this.frames = h("span", { class: "muted" });
    const speed = select(
      "Speed",
      [0.25, 0.5, 1, 2].map((value) => ({ value: String(value), text: `× ${value}` })),
      (value) => {
        this.speed = Number(value);
      },
    );
    speed.input.value = "1";
    this.timelineRow = h("div", { class: "toolbar timeline" }, this.animation.element, this.play, this.timeline, this.frame, this.frames, speed.element);
    this.parts = tabs(
      "Contents",
      [
        { value: "animations", text: "Animations" },
        { value: "bones", text: "Bones" },
        { value: "textures", text: "Textures" },
        { value: "parts", text: "Parts" },
        { value: "facts", text: "File" },
      ],
      (part) => this.showPart(part),
    );
    this.content = h("div", { class: "model-content", role: "tabpanel" });
    this.element = h(
      "section",
      { class: "model-panel", "aria-label": "Model" },
      h("div", { class: "toolbar" }, presets, this.cameraText),
      this.stage,
      this.timelineRow,
      h("div", { class: "toolbar" }, this.apart, this.place, exportButtons(app, ["gltf", "png", "dump"]), this.more),
      this.parts.element,
      this.content,
    );
    new ResizeObserver(() => this.draw(false)).observe(this.stage);
  }

  /** Takes over the camera and the pose of the page. */
  open() {
    const { camera, pose } = this.app.store.get();
    if (camera) {
      this.camera = { ...camera };
    }
    if (pose) {
      this.pose = { ...pose };
    }
  }

  /**
   * @param {Selection} selection
   * @param {Set<string>} changed
   */
  update(selection, changed) {
    const { input } = this.app;
    if (!input || input.kind !== "model") {
      replace(this.content, h("p", { class: "panel-message" }, "The file is no model."));
      return;
    }
    // The page does not have the bytes of a file that the server came with.
    this.more.hidden = this.app.completeInput === null;
    if (this.input !== input) {
      this.input = input;
      this.drawn = "";
      this.camera = { ...USUAL };
      this.pose = null;
      this.open();
      if (input.info) {
        this.showInfo(input.info);
      }
    }
    if (changed.has("camera") || changed.has("pose")) {
      this.open();
    }
    this.showCamera(selection);
    this.showTimeline();
    this.draw(false);
  }

  /** @param {import("pspge/documents.js").InfoDocument} info */
  showInfo(info) {
    const animations = info?.animation_list ?? [];
    const names = animations.map((animation) => ({
      value: String(animation.index),
      text: animation.name ?? `animation ${animation.index}`,
    }));
    replace(
      this.animation.input,
      [{ value: "", text: "rest pose" }, ...names].map(({ value, text }) => h("option", { value }, text)),
    );
    this.timelineRow.hidden = animations.length === 0;
    this.parts.setText("animations", `Animations (${animations.length})`);
    this.parts.setText("bones", `Bones (${info?.bone_list?.length ?? 0})`);
    this.parts.setText("textures", `Textures (${info?.texture_list?.length ?? 0})`);
    this.showPart(this.parts.get());
  }

  /** @param {Selection} selection */
  showCamera(selection) {
    const { yaw, pitch, zoom } = this.camera;
    this.cameraText.textContent = `yaw ${Math.round(yaw)}°, pitch ${Math.round(pitch)}°, zoom ${Number(zoom.toFixed(2))}`;
    const isSame = JSON.stringify([selection.camera ?? USUAL, selection.pose]) === JSON.stringify([this.camera, this.pose]);
    this.place.textContent = isSame ? "The events show this camera and pose." : "The events show another camera or pose.";
    this.apart.disabled = isSame;
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  turn(dx, dy) {
    const yaw = (this.camera.yaw - dx * TURN + 360) % 360;
    this.setCamera({ yaw, pitch: Math.max(-90, Math.min(90, this.camera.pitch + dy * TURN)) });
  }

  /** @param {Partial<Camera>} change */
  setCamera(change) {
    this.camera = { ...this.camera, ...change };
    this.showCamera(this.app.store.get());
    this.draw(true);
    this.rest();
  }

  /** Draws the picture at its full size after a pause. */
  rest() {
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      if (!this.isPlaying) {
        this.draw(false);
      }
    }, REST);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === " ") {
      this.togglePlay();
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** @param {Pose | null} pose */
  setPose(pose) {
    this.pose = pose;
    this.showTimeline();
    this.showCamera(this.app.store.get());
    this.draw(false);
  }

  /**
   * @param {number} frame
   * @param {boolean} isMoving
   */
  setFrame(frame, isMoving) {
    if (!this.pose || !Number.isFinite(frame)) {
      return;
    }
    const last = Math.max(0, this.frameCount() - 1);
    this.pose = { ...this.pose, frame: Math.max(0, Math.min(last, frame)) };
    this.showTimeline();
    this.showCamera(this.app.store.get());
    this.draw(isMoving);
    this.rest();
  }

  /** @returns {import("pspge/documents.js").AnimationInfo | null} */
  currentAnimation() {
    return this.app.input?.info?.animation_list.find((animation) => animation.index === this.pose?.animation) ?? null;
  }

  frameCount() {
    return this.currentAnimation()?.frames ?? 0;
  }

  showTimeline() {
    const { pose } = this;
    const last = Math.max(0, this.frameCount() - 1);
    this.animation.input.value = pose ? String(pose.animation) : "";
    this.timeline.max = String(last);
    this.timeline.value = String(pose?.frame ?? 0);
    if (document.activeElement !== this.frame) {
      this.frame.value = String(Number((pose?.frame ?? 0).toFixed(2)));
    }
    const rate = this.currentAnimation()?.frames_per_second;
    this.frames.textContent = pose ? `of ${last}, ${rate ? `${rate} in a second` : `${USUAL_RATE} in a second (the file tells no rate)`}` : "";
    for (const control of [this.timeline, this.frame]) {
      control.disabled = !pose;
    }
  }

  togglePlay() {
    const first = this.app.input?.info?.animation_list[0];
    if (!this.pose && first) {
      this.setPose({ animation: first.index, frame: 0 });
    }
    this.isPlaying = !this.isPlaying && Boolean(this.pose);
    this.play.textContent = this.isPlaying ? "Stop" : "Play";
    this.lastTick = performance.now();
    if (this.isPlaying) {
      requestAnimationFrame((now) => this.tick(now));
    } else {
      this.draw(false);
    }
  }

  /** @param {number} now */
  tick(now) {
    if (!this.isPlaying || !this.pose || !this.element.isConnected || this.app.store.get().panel !== "model") {
      this.isPlaying = false;
      this.play.textContent = "Play";
      return;
    }
    const rate = this.currentAnimation()?.frames_per_second ?? USUAL_RATE;
    const frames = Math.max(1, this.frameCount() - 1);
    const frame = (this.pose.frame + ((now - this.lastTick) / 1000) * rate * this.speed) % frames;
    this.lastTick = now;
    this.pose = { ...this.pose, frame };
    this.showTimeline();
    this.draw(true);
    requestAnimationFrame((next) => this.tick(next));
  }

  /**
   * Draws the model. Pictures that come too late are left out.
   * @param {boolean} isMoving Whether a smaller picture is enough.
   */
  draw(isMoving) {
    const { clientWidth, clientHeight } = this.stage;
    if (clientWidth < 8 || clientHeight < 8 || this.app.input?.kind !== "model") {
      return;
    }
    const density = isMoving ? 1 : window.devicePixelRatio || 1;
    const most = isMoving ? SIZE.moving : SIZE.rest;
    const scale = Math.min(density, most / clientWidth, most / clientHeight);
    const [width, height] = [Math.max(16, Math.round(clientWidth * scale)), Math.max(16, Math.round(clientHeight * scale))];
    const run = { ...this.app.store.run(), camera: this.camera, ...(this.pose && { pose: this.pose }) };
    const key = JSON.stringify([run, width, height]);
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    void this.request(run, width, height);
  }

  /**
   * @param {import("pspge/store.js").RunSpec} run
   * @param {number} width
   * @param {number} height
   */
  async request(run, width, height) {
    try {
      const answer = await this.app.engine.latest("model")({ request: "model", run, width, height });
      if (answer) {
        paint(this.canvas, answer.json.width, answer.json.height, answer.bytes, true);
      }
    } catch (error) {
      this.drawn = "";
      this.isPlaying = false;
      this.play.textContent = "Play";
      this.app.fail(error);
    }
  }

  takeApart() {
    this.app.store.set({ camera: { ...this.camera }, pose: this.pose && { ...this.pose } });
    this.app.announce("The events are those of this camera and pose.");
  }

  /** @param {Part} part */
  showPart(part) {
    const info = this.app.input?.info;
    if (!info) {
      replace(this.content, h("p", { class: "panel-message" }, "Nothing is known about this file."));
      return;
    }
    const lists = {
      animations: () => this.animations(info),
      bones: () => bones(info),
      textures: () => textures(info),
      parts: () => parts(info),
      facts: () => facts(info),
    };
    const shown = lists[part]();
    if (shown instanceof VirtualTable) {
      replace(this.content, shown.element);
      shown.resize();
    } else {
      replace(this.content, h("div", { class: "scroll" }, shown));
    }
  }

  /** @param {import("pspge/documents.js").InfoDocument} info */
  animations(info) {
    return tableOf(
      "Animations",
      info.animation_list,
      [
        { title: "number", width: 9, isNumber: true, cell: (row) => row.index },
        { title: "name", width: 24, grows: true, cell: (row) => row.name ?? "–" },
        { title: "frames", width: 9, isNumber: true, cell: (row) => row.frames },
        { title: "rate", about: "Frames in a second", width: 8, isNumber: true, cell: (row) => row.frames_per_second ?? "–" },
        { title: "values", about: "Animated values", width: 9, isNumber: true, cell: (row) => row.channels },
        { title: "keys", about: "Keys of all values", width: 9, isNumber: true, cell: (row) => row.keys },
      ],
      "The model has no animations.",
      (row) => this.setPose({ animation: row.index, frame: 0 }),
    );
  }
}

/**
 * @template T
 * @param {string} label
 * @param {T[]} rows
 * @param {import("pspge/virtual-table.js").Column<T>[]} columns
 * @param {string} nothing
 * @param {(row: T) => void} [onactive]
 */
function tableOf(label, rows, columns, nothing, onactive) {
  if (rows.length === 0) {
    return h("p", { class: "panel-message" }, nothing);
  }
  const table = new VirtualTable({ label, columns, ...(onactive && { onactive }) });
  table.setItems(rows);
  return table;
}

/** @param {import("pspge/documents.js").InfoDocument} info */
function bones(info) {
  /** @typedef {import("pspge/documents.js").BoneInfo} Bone */
  const list = info.bone_list;
  const depthOf = (/** @type {Bone} */ bone) => {
    let depth = 0;
    for (let at = /** @type {Bone | undefined} */ (bone); at && at.parent !== null && depth < 64; at = list[at.parent]) {
      depth += 1;
    }
    return depth;
  };
  const name = (/** @type {Bone} */ bone) => {
    const indent = h("span", { class: "call-depth", "aria-hidden": true });
    indent.style.width = `${depthOf(bone) * 2}ch`;
    return [indent, bone.name ?? `bone ${bone.id}`];
  };
  return tableOf(
    "Bones",
    list,
    [
      { title: "bone", about: "Name, below its parent", width: 30, grows: true, cell: name },
      { title: "id", width: 8, isNumber: true, cell: (row) => row.id },
      { title: "parent", width: 9, isNumber: true, cell: (row) => (row.parent === null ? "–" : (list[row.parent]?.id ?? row.parent)) },
      ...[0, 1, 2].map((axis) => ({
        title: `rest ${"xyz"[axis]}`,
        about: "Position at rest, in model space",
        width: 12,
        isNumber: true,
        cell: (/** @type {Bone} */ row) => float(row.position[axis]),
      })),
    ],
    "The model has no bones.",
  );
}

/** @param {import("pspge/documents.js").InfoDocument} info */
function textures(info) {
  return tableOf(
    "Textures",
    info.texture_list,
    [
      { title: "number", width: 9, isNumber: true, cell: (row) => row.index },
      { title: "name", width: 24, grows: true, cell: (row) => row.name ?? "–" },
      { title: "size", width: 12, cell: (row) => `${row.width} × ${row.height}` },
      { title: "format", width: 10, cell: (row) => row.format },
      { title: "palettes", width: 10, isNumber: true, cell: (row) => row.palettes },
      { title: "of", about: "Storage of the palettes' colours", width: 12, cell: (row) => row.palette_format ?? "–" },
    ],
    "The model has no textures.",
  );
}

/** @param {import("pspge/documents.js").InfoDocument} info */
function parts(info) {
  const levels = info.levels_of_detail.map((level) =>
    h("tr", null, h("th", { scope: "row" }, level.level), h("td", null, level.groups.join(", ")), h("td", null, level.hidden_meshes)),
  );
  const heads = ["level of detail", "groups", "hidden meshes"].map((text) => h("th", { scope: "col" }, text));
  const members = info.members
    .slice(0, 500)
    .map((member) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, member.index),
        h("td", null, member.name ?? "–"),
        h("td", null, member.format ?? member.kind ?? "–"),
        h("td", null, member.length),
        h("td", null, member.drawable ? "drawable" : ""),
      ),
    );
  const memberHeads = ["member", "name", "format", "bytes", ""].map((text) => h("th", { scope: "col" }, text));
  return [
    h(
      "p",
      { class: "muted" },
      `${counted(info.meshes ?? 0, "mesh", "meshes")}, ${counted(info.groups ?? 0, "group")}, ${counted(info.materials ?? 0, "material")}. Other levels and groups are drawn by the options --lod, --group and --hidden of the command.`,
    ),
    levels.length > 0 && h("table", { class: "plain-table" }, h("thead", null, h("tr", null, heads)), h("tbody", null, levels)),
    members.length > 0 && h("table", { class: "plain-table" }, h("thead", null, h("tr", null, memberHeads)), h("tbody", null, members)),
  ];
}

/** @param {import("pspge/documents.js").InfoDocument} info */
function facts(info) {
  const rows = [
    ["format", `${info.format}${info.version ? ` ${info.version}` : ""}`],
    ["bytes", info.file_bytes],
    ["hash", info.file_hash],
    ["vertices", info.vertices],
    ["triangles", info.triangles],
    ["draws", info.draws],
    ["other files", info.companions.map((companion) => `${companion.file} (${companion.role})`).join(", ")],
    ...info.fields.slice(0, 200).map((field) => [field.name, field.value]),
  ];
  const shown = rows.filter(([, value]) => value !== null && value !== "");
  return h(
    "dl",
    { class: "facts" },
    shown.map(([name, value]) => [h("dt", null, name), h("dd", null, String(value))]),
  );
}
