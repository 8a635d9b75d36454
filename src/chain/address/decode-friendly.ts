/** Value of each character of both base64 alphabets, by its code; -1 for all others. */
const VALUES = new Int8Array(128).fill(-1);
for (const [value, char] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  VALUES[char.charCodeAt(0)] = value;
}
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

const FRIENDLY_CHARS = 48;

/**
 * Decodes 48 characters of base64 in either alphabet, also mixed, into 36 bytes; undefined if any of them is foreign.
 * A table instead of a pattern and Node's decoder: both are called for every request that names an account.
 */
export function decodeFriendly(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(36);
  for (let at = 0, out = 0; at < FRIENDLY_CHARS; at += 4, out += 3) {
    const bits =
      (valueAt(text, at) << 18) |
      (valueAt(text, at + 1) << 12) |
      (valueAt(text, at + 2) << 6) |
      valueAt(text, at + 3);
    // A foreign character is -1, which sets every bit.
    if (bits < 0) return undefined;
    bytes[out] = bits >> 16;
    bytes[out + 1] = bits >> 8;
    bytes[out + 2] = bits;
  }
  return bytes;
}

function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? VALUES[code]! : -1;
}
