// Random numbers with a fixed seed, and files that are damaged by them.

/**
 * Returns a source of the same numbers from 0 to 1 for the same seed (mulberry32).
 * @param {number} seed
 * @returns {() => number}
 */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a damaged copy of a file: bytes that are flipped, cut off or repeated.
 * @param {Uint8Array} bytes
 * @param {() => number} random
 * @returns {Uint8Array}
 */
export function damaged(bytes, random) {
  const below = (/** @type {number} */ end) => Math.floor(random() * end);
  const copy = Uint8Array.from(bytes);
  const way = below(4);
  if (way === 0) {
    return copy.subarray(0, below(copy.length));
  }
  if (way === 1) {
    const [from, length, times] = [below(copy.length), 1 + below(256), 1 + below(50)];
    const part = copy.subarray(from, from + length);
    return Buffer.concat([copy.subarray(0, from), ...Array.from({ length: times }, () => part), copy.subarray(from)]);
  }
  // Headers matter most, so half of the files are damaged near their start.
  const end = way === 2 ? Math.min(copy.length, 256) : copy.length;
  for (let left = 1 + below(24); left > 0; left -= 1) {
    const at = below(end);
    copy[at] = way === 3 && random() < 0.5 ? [0, 0x7f, 0x80, 0xff][below(4)] ?? 0 : (copy[at] ?? 0) ^ (1 << below(8));
  }
  return copy;
}
