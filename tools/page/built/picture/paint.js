// picture/paint.ts
function paint(canvas, width, height, pixels, hasAlpha = false) {
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
function greyOfDepth(bytes) {
  const pixels = new Uint8Array(bytes.length * 2);
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    pixels.fill(bytes[at + 1] ?? 0, at * 2, at * 2 + 3);
    pixels[at * 2 + 3] = 255;
  }
  return pixels;
}
async function requestPicture(app, request, channel = null) {
  const send = channel === null ? app.engine.request : app.engine.latest(channel);
  const answer = await send({ request: "picture", ...request });
  if (!answer) {
    return null;
  }
  const { json, bytes } = answer;
  return { width: json.width, height: json.height, pixels: json.pixels === "depth16" ? greyOfDepth(bytes) : bytes };
}
export {
  paint,
  requestPicture
};
