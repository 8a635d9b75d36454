import type { Slice } from '../../boc/slice.ts';
import type { Reader } from './run.ts';

const SAFE_HIGH = 2 ** 21;
const TWO_32 = 2 ** 32;
const AMOUNT_LENGTH_BITS = 4;

/** Whether a slice has so many bits left. */
export function hasBits(slice: Slice, bits: number): boolean {
  return slice.bitEnd - slice.bit >= bits;
}

/** An unsigned number of a fixed width. */
export function uintReader(bits: number): Reader {
  return (_run, slice) => (hasBits(slice, bits) ? `"${readUint(slice, bits)}"` : undefined);
}

/** A signed number of a fixed width. */
export function intReader(bits: number): Reader {
  return (_run, slice) => {
    if (!hasBits(slice, bits)) return undefined;
    return bits <= 32 ? `"${slice.int(bits)}"` : `"${slice.bigInt(bits)}"`;
  };
}

/** One bit as a truth. */
export const readBool: Reader = (_run, slice) =>
  hasBits(slice, 1) ? (slice.uint(1) === 1 ? 'true' : 'false') : undefined;

/** One bit as a record of its own. */
export const readBit: Reader = (_run, slice) =>
  hasBits(slice, 1) ? `{"bit":"${slice.uint(1)}"}` : undefined;

/** A number of whole bytes, after its length in bytes. */
export function varUintReader(lengthBits: number): Reader {
  return (_run, slice) => readVarUint(slice, lengthBits);
}

/** The same for an amount, which has a name. */
export function amountReader(name: string): Reader {
  const open = `{"@type":"${name}","amount":`;
  return (_run, slice) => {
    const amount = readVarUint(slice, AMOUNT_LENGTH_BITS);
    return amount && `${open}${amount}}`;
  };
}

function readVarUint(slice: Slice, lengthBits: number): string | undefined {
  if (!hasBits(slice, lengthBits)) return undefined;
  const length = slice.uint(lengthBits);
  if (!hasBits(slice, length * 8)) return undefined;
  return `{"@type":"var_uint","len":"${length}","value":"${readUint(slice, length * 8)}"}`;
}

/** A number whose bits are there; a bigint costs several times as much, so only where it must be. */
function readUint(slice: Slice, bits: number): number | bigint {
  if (bits <= 32) return slice.uint(bits);
  if (bits > 64 || slice.peek(bits - 32) >= SAFE_HIGH) return slice.bigUint(bits);
  return slice.uint(bits - 32) * TWO_32 + slice.uint(32);
}
