// Heat maps: the colours and the scale of a number per pixel.

import { canvasOf } from "pspge/picture/picture-pixels.js";

export interface Heat {
  width: number;
  height: number;
  values: Uint32Array;
  smallest?: number;
  largest: number;
}

/** Colours of the heat map from cold to hot, evenly spaced. */
const HEAT_STOPS = [
  [13, 8, 135],
  [84, 2, 163],
  [139, 10, 165],
  [185, 50, 137],
  [219, 92, 104],
  [244, 136, 73],
  [254, 188, 43],
  [240, 249, 33],
];

/** Returns the colour of a share of the largest value, 0 to 1. */
export function heatColor(share: number): [number, number, number] {
  const position = Math.max(0, Math.min(1, share)) * (HEAT_STOPS.length - 1);
  const index = Math.min(Math.floor(position), HEAT_STOPS.length - 2);
  const part = position - index;
  const [low = [], high = []] = [HEAT_STOPS[index], HEAT_STOPS[index + 1]];
  const mix = (axis: number) => Math.round((low[axis] ?? 0) * (1 - part) + (high[axis] ?? 0) * part);
  return [mix(0), mix(1), mix(2)];
}

/** The range of the values that are not 0. */
interface Range {
  smallest?: number;
  largest: number;
}

/**
 * Returns the scale of a heat map, from a value to a share, 0 to 1: linear if the largest value is at most 16 times the
 * smallest, else logarithmic, because most pixels then have small values.
 */
export function heatScale(range: Range): (value: number) => number {
  const { smallest = 1, largest } = range;
  if (largest <= smallest) {
    return () => 0.5;
  }
  if (!isLogarithmic(range)) {
    return (value) => (value - smallest) / (largest - smallest);
  }
  return (value) => Math.log(value / smallest) / Math.log(largest / smallest);
}

/** Returns whether the heat map of these values has a logarithmic scale. */
export function isLogarithmic({ smallest = 1, largest }: Range): boolean {
  return largest > 16 * smallest;
}

/** Draws a heat map. Pixels of value 0 stay clear. */
export function drawHeat(heat: Heat): HTMLCanvasElement {
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
