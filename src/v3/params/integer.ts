const DECIMAL = /^[+-]?[0-9]+$/;
/** Longer runs of digits are out of every range, or padded with zeros to no purpose. */
const MAX_DIGITS = 64;

/** Reads a plain decimal integer of any size that is inside the range; undefined for anything else. */
export function parseDecimal(text: string, min: bigint, max: bigint): bigint | undefined {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return undefined;
  // BigInt takes a minus but no plus.
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= min && value <= max ? value : undefined;
}

const HEX = /^[0-9a-fA-F]+$/;

/** Reads hex digits without a prefix as an unsigned number of at most `bits` bits. */
export function parseHexDigits(digits: string, bits: number): bigint | undefined {
  if (digits.length > MAX_DIGITS || !HEX.test(digits)) return undefined;
  const value = BigInt(`0x${digits}`);
  return value < 1n << BigInt(bits) ? value : undefined;
}
