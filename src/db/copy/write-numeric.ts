const BASE = 10_000;
const BIG_BASE = 10_000n;
const NEGATIVE = 0x4000;
const HEAD_BYTES = 8;

// The digits of one number, the lowest first; nothing calls back while it is in use.
const digits = new Uint16Array(32);

/**
 * Writes a whole number as the binary form of `numeric`: digits of base 10 000, the highest first and without zeros at
 * the end, after their number, the power of the first one, the sign and the digits after the point. Gives where the
 * next thing goes.
 */
export function writeNumeric(target: Buffer, at: number, value: bigint): number {
  const count = value < 0n ? takeApart(-value) : takeApart(value);
  let zeros = 0;
  while (zeros < count && digits[zeros] === 0) zeros++;
  let end = put16(target, at, count - zeros);
  end = put16(target, end, count === 0 ? 0 : count - 1);
  end = put16(target, end, value < 0n ? NEGATIVE : 0);
  end = put16(target, end, 0);
  for (let i = count - 1; i >= zeros; i--) end = put16(target, end, digits[i]!);
  return end;
}

/** The most bytes that a number takes. */
export const MAX_NUMERIC_BYTES = HEAD_BYTES + 2 * digits.length;

/** How many digits a number has; they are in `digits` then. */
function takeApart(value: bigint): number {
  let count = 0;
  let rest = value;
  for (; rest > Number.MAX_SAFE_INTEGER; rest /= BIG_BASE) {
    if (count === digits.length - 4) throw new RangeError('the number is too large');
    digits[count++] = Number(rest % BIG_BASE);
  }
  for (let small = Number(rest); small > 0; small = Math.floor(small / BASE)) digits[count++] = small % BASE;
  return count;
}

function put16(target: Buffer, at: number, value: number): number {
  target[at] = value >> 8;
  target[at + 1] = value;
  return at + 2;
}
