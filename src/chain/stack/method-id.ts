import { Failure } from '../../lib/failure.ts';
import { crc16 } from '../address/crc16.ts';

const INTEGER = /^-?(?:0x[0-9a-f]{1,16}|[0-9]{1,20})$/i;
const MIN_ID = -(2 ** 31);
const MAX_ID = 2 ** 31 - 1;

/** The id of a get-method by its name. */
export function methodIdOfName(name: string): number {
  const bytes = Buffer.from(name, 'utf8');
  return crc16(bytes, 0, bytes.length) | 0x10000;
}

/** The id of a get-method that is given as a number, a number written as text, or a name. */
export function readMethodId(method: unknown): number {
  if (typeof method === 'string') {
    if (!INTEGER.test(method)) return methodIdOfName(method);
    return checked(method.startsWith('-') ? -Number(method.slice(1)) : Number(method), method);
  }
  if (typeof method === 'number' || typeof method === 'bigint') return checked(Number(method), `${method}`);
  throw new Failure('invalid', 'method should be a string or an integer');
}

function checked(id: number, text: string): number {
  // Text that is no number that an id can be is as wrong as a number: no contract has a method of that name.
  if (!Number.isInteger(id) || id < MIN_ID || id > MAX_ID)
    throw new Failure('invalid', `Invalid method id: ${text}`);
  // `+ 0` turns the -0 of "-0" into 0.
  return id + 0;
}
