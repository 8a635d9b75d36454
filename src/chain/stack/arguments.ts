import { BitString, type Builder, beginCell, Cell } from '@ton/core';
import { Failure, type FailureKind } from '../../lib/errors.ts';
import type { AccountId } from '../address.ts';
import type { CellBag } from '../boc/bag.ts';
import { CellError, MAX_DEPTH } from '../boc/cells.ts';
import { readRootBoc } from '../boc/read-root-boc.ts';
import { fromCoreCell } from '../boc/ton-core.ts';
import { MAX_INT, MIN_INT, type SliceEntry, type StackEntry, wholeSliceEntry } from './entries.ts';

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

/** The two kinds of cells that callers give. */
export type CellKind = 'cell' | 'slice';

/** A cell or a slice over all of it, from a bag of cells in base64. `faultKind` is what a broken bag is. */
export function readBocEntry(kind: CellKind, base64: string, faultKind: FailureKind): StackEntry {
  const bytes = decodeBase64(base64);
  try {
    return bagEntry(kind, readRootBoc(bytes));
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure(faultKind, error.message, { cause: error });
  }
}

/** The root of a bag as an entry. */
export function bagEntry(kind: CellKind, bag: CellBag): StackEntry {
  return kind === 'cell' ? { type: 'cell', cells: bag, cell: bag.root } : wholeSliceEntry(bag, bag.root);
}

const MAX_REFS = 4;

/** Reads a cell that is spelled out: `{data: {b64, len}, refs, special}`; undefined if it is not one. */
export function readCellObject(value: unknown): CellBag | undefined {
  const cell = readCell(value, 0);
  if (cell === undefined) return undefined;
  try {
    return fromCoreCell(cell);
  } catch {
    return undefined;
  }
}

function readCell(value: unknown, depth: number): Cell | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const { data, refs = [], special = false } = value as Record<string, unknown>;
  const bits = readBits(data);
  if (bits === undefined || !Array.isArray(refs) || refs.length > MAX_REFS || typeof special !== 'boolean')
    return undefined;
  const cells: Cell[] = [];
  for (const ref of refs) {
    const cell = readCell(ref, depth + 1);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  try {
    // An exotic cell is checked here: its kind says what must be in it.
    return new Cell({ bits, refs: cells, exotic: special });
  } catch {
    return undefined;
  }
}

function readBits(data: unknown): BitString | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { b64, len } = data as Record<string, unknown>;
  if (typeof b64 !== 'string' || typeof len !== 'number' || !Number.isInteger(len)) return undefined;
  const bytes = Buffer.from(b64, 'base64');
  return len >= 0 && len <= 1023 && len <= bytes.length * 8 ? new BitString(bytes, 0, len) : undefined;
}

const SPACE = /[\t\n\v\f\r ]/g;
const DIGITS = /^[A-Za-z0-9+/_-]*$/;
/** Digits that may come last where the bytes do not fill it: its low bits must be zero. */
const LAST_OF_TWO = /[AQgw]$/;
const LAST_OF_THREE = /[AEIMQUYcgkosw048]$/;

/**
 * Decodes base64 as callers spell it: either alphabet, with or without padding, with line breaks. Anything else is
 * refused in the words of the service that clients know.
 */
export function decodeBase64(text: string): Buffer {
  const spelled = text.replace(SPACE, '');
  const digits = spelled.replace(/={1,2}$/, '');
  const padding = spelled.length - digits.length;
  if (digits.endsWith('=')) throw refusal('Wrong padding length');
  if (!DIGITS.test(digits)) throw refusal('Wrong character in the string');
  const rest = digits.length % 4;
  if (rest === 1 || (padding > 0 && rest + padding !== 4)) throw refusal('Wrong string padding');
  if ((rest === 2 && !LAST_OF_TWO.test(digits)) || (rest === 3 && !LAST_OF_THREE.test(digits)))
    throw refusal('Wrong padding in the string');
  return Buffer.from(digits, 'base64');
}

function refusal(reason: string): Failure {
  return new Failure('invalid', `invalid base64 encoded bytes: ${reason}`);
}

/** Up to 127 bytes as an argument. */
export function bytesArgument(bytes: Buffer): SliceEntry {
  return sliceOf(beginCell().storeBuffer(bytes));
}

/** The address of an account as an argument. */
export function addressArgument({ workchain, hash }: AccountId): SliceEntry {
  return sliceOf(beginCell().storeUint(0b100, 3).storeInt(workchain, 8).storeBuffer(hash));
}

function sliceOf(builder: Builder): SliceEntry {
  const bag = fromCoreCell(builder.endCell());
  return wholeSliceEntry(bag, bag.root);
}
