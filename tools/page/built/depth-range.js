// depth-range.js
import { h, hex } from "pspge/dom.js";
import { numberInput } from "pspge/typed-number.js";
import { button, toggle } from "pspge/widgets.js";
var BARS = 128;
var LARGEST = 65535;
function createDepthRange(view, onchange) {
  const histogram = h("canvas", { class: "depth-histogram", width: BARS, height: 24, role: "img" });
  const end = (which, label) => numberInput({ most: () => LARGEST, size: 6, "aria-label": label, title: label }, (number) => {
    const [low2, high2] = view.depths;
    view.setDepths(which === 0 ? [number, Math.max(number, high2)] : [Math.min(number, low2), number]);
    update();
  });
  const [low, high] = [end(0, "Depth that is black"), end(1, "Depth that is white")];
  const automatic = button("Automatic", () => (view.setDepths(null), update()), "From the smallest to the largest depth that is drawn; the cleared ends are left out");
  const whole = button("All", () => (view.setDepths([0, LARGEST]), update()), "From 0 to 65535");
  const inverted = toggle("Invert", false, (isOn) => (view.setInverted(isOn), update()), "Near and far change places");
  const element = h("div", { class: "depth-range", role: "group", "aria-label": "Range of depths", hidden: true }, low, histogram, high, automatic, whole, inverted);
  function update() {
    const { picture } = view;
    const isDepth = picture?.pixels === "depth16";
    element.hidden = !isDepth;
    if (picture && isDepth) {
      const [first, last] = view.depths;
      low.value = hex(first, 4);
      high.value = hex(last, 4);
      automatic.setAttribute("aria-pressed", String(view.isAutomatic));
      drawHistogram(histogram, picture, view.depths, view.color("--accent"));
    }
    onchange();
  }
  return { element, update };
}
function drawHistogram(canvas, { data }, [low, high], color) {
  const bars = new Uint32Array(BARS);
  let inside = 0;
  for (const depth of data) {
    if (depth >= low && depth <= high) {
      const bar = Math.floor((depth - low) * BARS / (high - low + 1));
      bars[bar] = (bars[bar] ?? 0) + 1;
      inside += 1;
    }
  }
  canvas.setAttribute("aria-label", `Histogram: ${inside} of ${data.length} pixels are within the range`);
  const context = canvas.getContext("2d");
  const most = Math.log1p(bars.reduce((largest, bar) => Math.max(largest, bar), 1));
  context?.clearRect(0, 0, BARS, canvas.height);
  bars.forEach((bar, index) => {
    if (context && bar > 0) {
      const height = Math.max(1, canvas.height * Math.log1p(bar) / most);
      context.fillStyle = color;
      context.fillRect(index, canvas.height - height, 1, height);
    }
  });
}
export {
  createDepthRange
};
