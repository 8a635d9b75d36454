/** Memory besides their own that kept bytes may hold. */
const MAX_SLACK_BYTES = 1024;

/**
 * Bytes that are kept for long: a copy, if they are part of a much larger buffer, which would be kept with them. Nearly all
 * small buffers are: Node cuts them from pools.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength - bytes.length <= MAX_SLACK_BYTES) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
