// Messages of the page and its engine: the length of a JSON text, the text, and bytes.

/**
 * @param {Record<string, unknown>} request
 * @returns {Buffer}
 */
export function encodeMessage(request) {
  const json = Buffer.from(JSON.stringify(request));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json]);
}

/**
 * @param {Buffer} message
 * @returns {{json: any, bytes: Buffer}}
 */
export function decodeMessage(message) {
  const end = 4 + message.readUInt32LE(0);
  return { json: JSON.parse(message.subarray(4, end).toString("utf8")), bytes: message.subarray(end) };
}
