// mesh/model-view.ts
import { h } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { effect, signal, untracked } from "pspge/base/preact.js";
import { listenToGestures } from "pspge/mesh/orbit.js";
import { paint } from "pspge/picture/paint.js";
var USUAL = { yaw: 35, pitch: 20, zoom: 1 };
var USUAL_RATE = 30;
var TURN = 0.5;
var SIZE = { rest: 1024, moving: 400 };
var REST = 160;
var view = null;
function modelViewOf(app) {
  return view ??= new ModelView(app);
}
var ModelView = class {
  constructor(app) {
    this.app = app;
    listenToGestures(this.element, {
      turn: (dx, dy) => this.turn(dx, dy),
      zoom: (factor) => this.zoom(factor),
      reset: () => this.reset(),
      rest: () => this.draw(false)
    });
    this.element.addEventListener("keydown", (event) => takeKey(event, { " ": () => this.togglePlay() }));
    new ResizeObserver(() => this.draw(false)).observe(this.element);
    effect(() => {
      this.isPlaying.value;
      untracked(() => this.draw(false));
    });
  }
  app;
  camera = signal({ ...USUAL });
  pose = signal(null);
  isPlaying = signal(false);
  speed = 1;
  canvas = h("canvas", { class: "model-canvas", width: 1, height: 1, "aria-hidden": true });
  element = h(
    "div",
    {
      class: "model-stage",
      tabindex: 0,
      role: "application",
      "aria-label": "View of the model. Arrow keys turn the camera, plus and minus magnify, Home shows all."
    },
    this.canvas
  );
  lastTick = 0;
  /** The request that was drawn last. */
  drawn = "";
  /** The file and the part that are shown, and the camera and pose that the selection named for them. */
  shown = { file: "", named: "" };
  restTimer;
  zoom(factor) {
    this.setCamera({ zoom: Math.max(0.05, Math.min(50, this.camera.peek().zoom * factor)) });
  }
  /** Shows the whole model from its best side. */
  reset() {
    this.setCamera(this.usual());
  }
  /** The camera that shows the model best. */
  usual() {
    return { ...USUAL, ...this.app.input?.camera };
  }
  /** Shows the model as the selection names it. Another camera or pose of this view stays until the selection changes. */
  follow({ camera, pose }) {
    const { input } = this.app;
    const file = `${input?.hash} ${input?.name}`;
    const named = JSON.stringify([camera, pose]);
    const isOther = file !== this.shown.file;
    if (isOther || named !== this.shown.named) {
      this.drawn = isOther ? "" : this.drawn;
      this.camera.value = camera ? { ...camera } : isOther ? this.usual() : this.camera.peek();
      this.pose.value = pose ? { ...pose } : isOther ? null : this.pose.peek();
    }
    this.shown = { file, named };
    this.draw(false);
  }
  turn(dx, dy) {
    const { yaw, pitch } = this.camera.peek();
    this.setCamera({ yaw: (yaw - dx * TURN + 360) % 360, pitch: Math.max(-90, Math.min(90, pitch + dy * TURN)) });
  }
  setCamera(change) {
    this.camera.value = { ...this.camera.peek(), ...change };
    this.draw(true);
    this.rest();
  }
  /** Draws the picture at its full size after a pause. */
  rest() {
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.isPlaying.peek() || this.draw(false), REST);
  }
  setPose(pose) {
    this.pose.value = pose;
    this.draw(false);
  }
  setFrame(frame, isMoving) {
    const pose = this.pose.peek();
    if (!pose || !Number.isFinite(frame)) {
      return;
    }
    this.pose.value = { ...pose, frame: Math.max(0, Math.min(this.lastFrame(), frame)) };
    this.draw(isMoving);
    this.rest();
  }
  animation() {
    return this.app.input?.info?.animation_list.find(({ index }) => index === this.pose.value?.animation) ?? null;
  }
  /** The number of the animation's last frame. */
  lastFrame() {
    return Math.max(0, (this.animation()?.frames ?? 0) - 1);
  }
  togglePlay() {
    const first = this.app.input?.info?.animation_list[0];
    if (!this.pose.peek() && first) {
      this.setPose({ animation: first.index, frame: 0 });
    }
    this.isPlaying.value = !this.isPlaying.peek() && this.pose.peek() !== null;
    this.lastTick = performance.now();
    if (this.isPlaying.peek()) {
      requestAnimationFrame((now) => this.tick(now));
    }
  }
  tick(now) {
    const pose = this.pose.peek();
    if (!this.isPlaying.peek() || !pose || !this.element.isConnected || this.app.store.get().panel !== "model") {
      this.isPlaying.value = false;
      return;
    }
    const rate = this.animation()?.frames_per_second ?? USUAL_RATE;
    const seconds = Math.max(0, now - this.lastTick) / 1e3;
    const frame = (pose.frame + seconds * rate * this.speed) % Math.max(1, this.lastFrame());
    this.lastTick = now;
    this.pose.value = { ...pose, frame };
    this.draw(true);
    requestAnimationFrame((next) => this.tick(next));
  }
  /** Draws the model. Pictures that come too late are left out. With `isMoving`, a smaller picture is enough. */
  draw(isMoving) {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 8 || clientHeight < 8 || this.app.input?.kind !== "model") {
      return;
    }
    const most = isMoving ? SIZE.moving : SIZE.rest;
    const scale = Math.min(isMoving ? 1 : window.devicePixelRatio || 1, most / clientWidth, most / clientHeight);
    const [width, height] = [clientWidth, clientHeight].map((side) => Math.max(16, Math.round(side * scale)));
    const pose = this.pose.peek();
    const run = { ...this.app.store.run(), camera: this.camera.peek(), ...pose && { pose } };
    const key = JSON.stringify([run, width, height]);
    if (key !== this.drawn) {
      this.drawn = key;
      void this.request(run, width, height);
    }
  }
  async request(run, width, height) {
    try {
      const answer = await this.app.engine.latest("model")({ request: "model", run, width, height });
      if (answer) {
        paint(this.canvas, answer.json.width, answer.json.height, answer.bytes, true);
      }
    } catch (error) {
      this.drawn = "";
      this.isPlaying.value = false;
      this.app.fail(error);
    }
  }
};
export {
  ModelView,
  USUAL,
  USUAL_RATE,
  modelViewOf
};
