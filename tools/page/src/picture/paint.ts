// Pictures of the engine on canvases.

import type { App } from "pspge/state/app-types.js";
import type { Asked } from "pspge/state/engine.js";

/** Copies RGBA pixels to a canvas. Alpha is the stencil of a buffer, so it is only shown if it is asked for. */
export function paint(canvas: HTMLCanvasElement, width: number, height: number, pixels: Uint8Array, hasAlpha = false) {
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  image.data.set(pixels.subarray(0, image.data.length));
  if (!hasAlpha) {
    for (let at = 3; at < image.data.length; at += 4) {
      image.data[at] = 255;
    }
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}

/** Returns depths as grey pixels. */
function greyOfDepth(bytes: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(bytes.length * 2);
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    pixels.fill(bytes[at + 1] ?? 0, at * 2, at * 2 + 3);
    pixels[at * 2 + 3] = 255;
  }
  return pixels;
}

/**
 * Asks for a picture and returns it as RGBA, whatever its storage; null if another one replaced it in its channel. Without a
 * channel, all requests are answered.
 */
export async function requestPicture(app: App, request: Omit<Asked<"picture">, "request">, channel: string | null = null) {
  const send = channel === null ? app.engine.request : app.engine.latest(channel);
  const answer = await send({ request: "picture", ...request });
  if (!answer) {
    return null;
  }
  const { json, bytes } = answer;
  return { width: json.width, height: json.height, pixels: json.pixels === "depth16" ? greyOfDepth(bytes) : bytes };
}
