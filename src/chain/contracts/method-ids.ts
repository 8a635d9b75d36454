import { Failure } from '../../lib/errors.ts';
import { readBoc } from '../boc/bag.ts';
import { undefinedOnCellError } from '../boc/cells.ts';
import { crc16 } from '../boc/checksums.ts';
import { Slice } from '../boc/slice.ts';
import { readDictionary } from '../tlb/dictionary.ts';

const INTEGER = /^-?(?:0x[0-9a-f]{1,16}|[0-9]{1,20})$/i;
export const MIN_METHOD_ID = -(2 ** 31);
export const MAX_METHOD_ID = 2 ** 31 - 1;

export function methodIdByName(name: string): number {
  const bytes = Buffer.from(name, 'utf8');
  return crc16(bytes, 0, bytes.length) | 0x10000;
}

/** The id of a get-method that is given as a number, a number written as text, or a name. */
export function parseMethodId(method: unknown): number {
  if (typeof method === 'string') {
    if (!INTEGER.test(method)) return methodIdByName(method);
    return checked(method.startsWith('-') ? -Number(method.slice(1)) : Number(method), method);
  }
  if (typeof method === 'number' || typeof method === 'bigint') return checked(Number(method), `${method}`);
  throw new Failure('invalid', 'method should be a string or an integer');
}

function checked(id: number, text: string): number {
  // A numeric text out of range is rejected too: no contract has a method with such a name.
  if (!Number.isInteger(id) || id < MIN_METHOD_ID || id > MAX_METHOD_ID)
    throw new Failure('invalid', `Invalid method id: ${text}`);
  // `+ 0` turns the -0 of "-0" into 0.
  return id + 0;
}

/** Compiled code starts with SETCP 0, then DICTPUSHCONST with the dictionary of methods. */
const SETCP0 = 0xff00;
const DICTPUSHCONST = 0b1111010010100_1;
/** Usually ids have 19 bits. */
const MAX_ID_BITS = 32;

/**
 * The ids of the methods in the dictionary at the start of code, as unsigned numbers; undefined for code of another
 * form. It takes a separate bag, not that of a block, so that the work is bounded by the size of the code.
 */
export function readMethodIds(boc: Buffer): number[] | undefined {
  return undefinedOnCellError(() => {
    const bag = readBoc(boc);
    if (bag.isExotic(bag.root)) return undefined;
    const slice = new Slice(bag, bag.root);
    if (slice.bitsLeft < 40 || slice.uint(16) !== SETCP0 || slice.uint(14) !== DICTPUSHCONST)
      return undefined;
    const idBits = slice.uint(10);
    if (idBits > MAX_ID_BITS) return undefined;
    return readDictionary(
      bag,
      slice.ref(),
      idBits,
      (key) => key.readUIntBE(0, key.length) / 2 ** (8 * key.length - idBits),
    );
  });
}
