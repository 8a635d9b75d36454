/** Standard base64 with padding, 44 characters. */
export function formatHashBase64(hash: Buffer): string {
  return hash.toString('base64');
}

/** Base64url without padding, 43 characters. */
export function formatHashBase64Url(hash: Buffer): string {
  return hash.toString('base64url');
}

/** 64 lower-case hex digits. */
export function formatHashHex(hash: Buffer): string {
  return hash.toString('hex');
}
