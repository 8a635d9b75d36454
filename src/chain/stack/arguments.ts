import { BitString, type Builder, beginCell, Cell } from '@ton/core';
import { Failure, type FailureKind } from '../../lib/errors.ts';
import type { AccountId } from '../address.ts';
import { type CellBag, readBoc } from '../boc/bag.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, MAX_DEPTH } from '../boc/cells.ts';
import { readRootBoc } from '../boc/read-root-boc.ts';
import { fromCoreCell } from '../boc/ton-core.ts';
import { decodeBase64Digits } from '../hash.ts';
import { MAX_INT, MIN_INT, type SliceEntry, type StackEntry, wholeSliceEntry } from './entries.ts';

/** Decimal, or with a base prefix as in Python. */
const NUMBER = /^([+-]?)(0x[0-9a-f]+|0o[0-7]+|0b[01]+|[0-9]+)$/i;
/** Enough for 257 binary digits; longer texts cannot fit. */
const MAX_NUMBER_CHARS = 300;
const MAX_ECHO_CHARS = 256;

/** Parses an integer; undefined if it is none or does not fit TVM's 257 bits. */
export function parseNumber(text: string): bigint | undefined {
  const match = text.length <= MAX_NUMBER_CHARS ? NUMBER.exec(text) : null;
  if (match === null) return undefined;
  const size = BigInt(match[2]!);
  return fitting(match[1] === '-' ? -size : size);
}

/** Reads an integer of the classic dialect: a JSON integer or a text. */
export function readClassicNumber(value: unknown): bigint {
  if (typeof value === 'string') return parseNumber(value) ?? refuseNumber(value);
  if (typeof value === 'bigint') return fitting(value) ?? refuseNumber(`${value}`);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new Failure('invalid', 'Wrong type of number in stack entry');
}

/** Throws for an invalid number; long texts are truncated. */
function refuseNumber(text: string): never {
  const shown = text.length <= MAX_ECHO_CHARS ? text : `${text.slice(0, MAX_ECHO_CHARS)}…`;
  throw new Failure('invalid', `Invalid number: ${shown}`);
}

function fitting(value: bigint): bigint | undefined {
  return value >= MIN_INT && value <= MAX_INT ? value : undefined;
}

export function unsupportedType(type: string): Failure {
  return new Failure('unsupported', `Unsupported stack entry type: ${type.slice(0, MAX_ECHO_CHARS)}`);
}

export type CellKind = 'cell' | 'slice';

/** Reads a cell, or a slice over all of it, from a bag of cells in base64. A malformed bag fails with `faultKind`. */
export function readBocEntry(kind: CellKind, base64: string, faultKind: FailureKind): StackEntry {
  const bytes = decodeBase64(base64);
  try {
    return rootEntry(kind, readRootBoc(bytes));
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure(faultKind, error.message, { cause: error });
  }
}

export function rootEntry(kind: CellKind, bag: CellBag): StackEntry {
  return kind === 'cell' ? { type: 'cell', cells: bag, cell: bag.root } : wholeSliceEntry(bag, bag.root);
}

const MAX_REFS = 4;

/** Reads a cell in JSON form: `{data: {b64, len}, refs, special}`; undefined if it is invalid. */
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
    // This also checks the layout of an exotic cell.
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

export function writeCellObject(cell: Cell): object {
  const { bits, refs, isExotic } = cell;
  const padded = beginCell()
    .storeBits(bits)
    .storeUint(0, (8 - (bits.length % 8)) % 8)
    .endCell();
  const bytes = padded.bits.subbuffer(0, padded.bits.length) ?? Buffer.alloc(0);
  return {
    data: { b64: bytes.toString('base64'), len: bits.length },
    refs: refs.map(writeCellObject),
    special: isExotic,
  };
}

const SPACE = /[\t\n\v\f\r ]/g;

/**
 * Decodes base64 of clients: either alphabet, with or without padding, with line breaks. Anything else is rejected
 * with the wording of TON Center.
 */
export function decodeBase64(text: string): Buffer {
  const spelled = text.replace(SPACE, '');
  const digits = spelled.replace(/={1,2}$/, '');
  const padding = spelled.length - digits.length;
  if (digits.endsWith('=')) throw refusal('Wrong padding length');
  const bytes = decodeBase64Digits(digits, 'mixed');
  if (bytes === 'character') throw refusal('Wrong character in the string');
  if (bytes === 'length' || (padding > 0 && (digits.length + padding) % 4 !== 0))
    throw refusal('Wrong string padding');
  if (bytes === 'spare_bits') throw refusal('Wrong padding in the string');
  return bytes;
}

function refusal(reason: string): Failure {
  return new Failure('invalid', `invalid base64 encoded bytes: ${reason}`);
}

/** Up to 127 bytes as a slice argument. */
export function bytesArgument(bytes: Buffer): SliceEntry {
  return sliceOf(beginCell().storeBuffer(bytes));
}

/** The start of a bag of one cell, without references and of 267 bits. */
const ADDRESS_BAG = Buffer.from('b5ee9c72010101010024000043', 'hex');

/** Detection makes one for each token: written directly, it takes a tenth of the time. */
export function addressArgument({ workchain, hash }: AccountId): SliceEntry {
  // The last bits mark the end.
  const cell = new CellBuilder().uint(0b100, 3).int(workchain, 8).hash(hash).uint(0b10000, 5);
  const bag = readBoc(Buffer.concat([ADDRESS_BAG, cell.data.subarray(0, cell.bitCount / 8)]));
  return wholeSliceEntry(bag, bag.root);
}

function sliceOf(builder: Builder): SliceEntry {
  const bag = fromCoreCell(builder.endCell());
  return wholeSliceEntry(bag, bag.root);
}
