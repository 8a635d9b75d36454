import { Failure } from '../../lib/failure.ts';
import { MAX_INT, MIN_INT } from './stack-limits.ts';

/** Decimal, or with a base in front as Python writes them. */
const NUMBER = /^([+-]?)(0x[0-9a-f]+|0o[0-7]+|0b[01]+|[0-9]+)$/i;
/** Room for 257 bits one by one; longer texts are not worth converting. */
const MAX_NUMBER_CHARS = 300;
const MAX_ECHO_CHARS = 256;

/** The integer that a text stands for, or undefined if it stands for none or for one that TVM cannot hold. */
export function parseNumber(text: string): bigint | undefined {
  const match = text.length <= MAX_NUMBER_CHARS ? NUMBER.exec(text) : null;
  if (match === null) return undefined;
  const size = BigInt(match[2]!);
  return fitting(match[1] === '-' ? -size : size);
}

/** An integer of the classic dialect: a JSON integer or a text. */
export function readNumber(value: unknown): bigint {
  if (typeof value === 'string') return parseNumber(value) ?? refuseNumber(value);
  if (typeof value === 'bigint') return fitting(value) ?? refuseNumber(`${value}`);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new Failure('invalid', 'Wrong type of number in stack entry');
}

/** Throws that a text is no number; long texts are cut. */
function refuseNumber(text: string): never {
  const shown = text.length <= MAX_ECHO_CHARS ? text : `${text.slice(0, MAX_ECHO_CHARS)}…`;
  throw new Failure('invalid', `Invalid number: ${shown}`);
}

function fitting(value: bigint): bigint | undefined {
  return value >= MIN_INT && value <= MAX_INT ? value : undefined;
}
