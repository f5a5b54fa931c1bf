// picture/picture-difference.ts
function comparePictures(a, b) {
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  const values = new Uint32Array(width * height);
  const found = {
    count: 0,
    stencilCount: 0,
    largest: 0,
    first: null,
    left: width,
    top: height,
    right: -1,
    bottom: -1
  };
  const isDepth = a.pixels === "depth16";
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [at, bt] = [y * a.width + x, y * b.width + x];
      const value = isDepth ? Math.abs((a.data[at] ?? 0) - (b.data[bt] ?? 0)) : colorDifference(a.data, at * 4, b.data, bt * 4);
      if (value === 0) {
        found.stencilCount += Number(!isDepth && a.data[at * 4 + 3] !== b.data[bt * 4 + 3]);
        continue;
      }
      values[y * width + x] = value;
      found.first ??= [x, y];
      found.count += 1;
      found.largest = Math.max(found.largest, value);
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x);
      found.top = Math.min(found.top, y);
      found.bottom = y;
    }
  }
  const { count, stencilCount, largest, first, left, top, right, bottom } = found;
  const isSameSize = a.width === b.width && a.height === b.height;
  return { width, height, values, count, stencilCount, largest, first, box: count > 0 ? { left, top, right, bottom } : null, isSameSize };
}
function colorDifference(a, at, b, bt) {
  let largest = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    largest = Math.max(largest, Math.abs((a[at + channel] ?? 0) - (b[bt + channel] ?? 0)));
  }
  return largest;
}
function amplify(a, b, factor) {
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  const data = new Uint8Array(width * height * 4);
  const isDepth = a.pixels === "depth16";
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [at, bt, to] = [y * a.width + x, y * b.width + x, (y * width + x) * 4];
      for (let channel = 0; channel < 3; channel += 1) {
        const [left, right] = isDepth ? [(a.data[at] ?? 0) / 256, (b.data[bt] ?? 0) / 256] : [a.data[at * 4 + channel] ?? 0, b.data[bt * 4 + channel] ?? 0];
        data[to + channel] = Math.min(255, Math.abs(left - right) * factor);
      }
      data[to + 3] = 255;
    }
  }
  return { width, height, pixels: "rgba8", data };
}
function split(a, b, column) {
  const { width, height, pixels } = a;
  const size = pixels === "depth16" ? 1 : 4;
  const data = a.data.slice();
  for (let y = 0; y < Math.min(height, b.height); y += 1) {
    const from = y * b.width;
    const part = b.data.subarray((from + column) * size, (from + Math.min(width, b.width)) * size);
    data.set(part, (y * width + column) * size);
  }
  return { width, height, pixels, data };
}
function differenceSentence({ width, height, count, stencilCount, largest, box, isSameSize }) {
  const size = isSameSize ? "" : " The pictures have other sizes; the common part is compared.";
  const stencil = stencilCount > 0 ? ` ${stencilCount} more differ only in stencil.` : "";
  if (count === 0 || !box) {
    return `No pixel differs at the selected event.${stencil}${size}`;
  }
  const place = `columns ${box.left} to ${box.right}, rows ${box.top} to ${box.bottom}`;
  return `${count} of ${width * height} pixels ${count === 1 ? "differs" : "differ"} at the selected event, by ${largest} at most: ${place}.${stencil}${size}`;
}
export {
  amplify,
  comparePictures,
  differenceSentence,
  split
};
