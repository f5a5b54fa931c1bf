// picture/heat-map.ts
import { canvasOf } from "pspge/picture/picture-pixels.js";
var HEAT_STOPS = [
  [13, 8, 135],
  [84, 2, 163],
  [139, 10, 165],
  [185, 50, 137],
  [219, 92, 104],
  [244, 136, 73],
  [254, 188, 43],
  [240, 249, 33]
];
function heatColor(share) {
  const position = Math.max(0, Math.min(1, share)) * (HEAT_STOPS.length - 1);
  const index = Math.min(Math.floor(position), HEAT_STOPS.length - 2);
  const part = position - index;
  const [low = [], high = []] = [HEAT_STOPS[index], HEAT_STOPS[index + 1]];
  const mix = (axis) => Math.round((low[axis] ?? 0) * (1 - part) + (high[axis] ?? 0) * part);
  return [mix(0), mix(1), mix(2)];
}
function heatScale(range) {
  const { smallest = 1, largest } = range;
  if (largest <= smallest) {
    return () => 0.5;
  }
  if (!isLogarithmic(range)) {
    return (value) => (value - smallest) / (largest - smallest);
  }
  return (value) => Math.log(value / smallest) / Math.log(largest / smallest);
}
function isLogarithmic({ smallest = 1, largest }) {
  return largest > 16 * smallest;
}
function drawHeat(heat) {
  const { width, height, values } = heat;
  const image = new ImageData(width, height);
  const table = Array.from({ length: 256 }, (_, index) => heatColor(index / 255));
  const scale = heatScale(heat);
  for (let index = 0; index < width * height; index += 1) {
    const value = values[index] ?? 0;
    if (value > 0) {
      const [red, green, blue] = table[Math.round(255 * scale(value))] ?? [0, 0, 0];
      image.data.set([red, green, blue, 235], 4 * index);
    }
  }
  return canvasOf(image);
}
export {
  drawHeat,
  heatColor,
  heatScale,
  isLogarithmic
};
