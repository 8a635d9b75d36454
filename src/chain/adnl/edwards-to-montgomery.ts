/** The field of both curves. */
const P = 2n ** 255n - 19n;

/**
 * Turns an ed25519 public key into the x25519 key of the same point: u = (1 + y) / (1 - y). The sign of x is of no
 * matter there. Points of small order become keys that the exchange itself refuses.
 */
export function edwardsToMontgomery(publicKey: Uint8Array): Buffer {
  const bigEndian = Buffer.from(publicKey).reverse();
  bigEndian[0] = bigEndian[0]! & 0x7f;
  const y = BigInt(`0x${bigEndian.toString('hex')}`);
  const u = ((1n + y) * invert(P + 1n - (y % P))) % P;
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** The inverse by Fermat: value to the power of p - 2. The inverse of zero is zero. */
function invert(value: bigint): bigint {
  let result = 1n;
  let square = value % P;
  for (let exponent = P - 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
