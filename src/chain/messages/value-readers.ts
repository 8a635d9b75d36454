import { isUtf8 } from 'node:buffer';
import { Slice } from '../boc/slice.ts';
import { CHARS_PER_STEP, type DecodeRun } from './decode-run.ts';

/** Reads a value at the cursor of a slice as JSON; undefined if the data do not match. */
export type Reader = (run: DecodeRun, slice: Slice, env: Environment) => string | undefined;

/** The numbers that a constructor was given or has read. */
export type Environment = number[];

export const NO_NUMBERS: Environment = [];

const SAFE_HIGH = 2 ** 21;
const TWO_32 = 2 ** 32;
const AMOUNT_LENGTH_BITS = 4;

export function hasBits(slice: Slice, bits: number): boolean {
  return slice.bitEnd - slice.bit >= bits;
}

export function uintReader(bits: number): Reader {
  return (_run, slice) => (hasBits(slice, bits) ? `"${readUint(slice, bits)}"` : undefined);
}

export function intReader(bits: number): Reader {
  return (_run, slice) => {
    if (!hasBits(slice, bits)) return undefined;
    return bits <= 32 ? `"${slice.int(bits)}"` : `"${slice.bigInt(bits)}"`;
  };
}

export const readBool: Reader = (_run, slice) =>
  hasBits(slice, 1) ? (slice.uint(1) === 1 ? 'true' : 'false') : undefined;

export const readBit: Reader = (_run, slice) =>
  hasBits(slice, 1) ? `{"bit":"${slice.uint(1)}"}` : undefined;

export function varUintReader(lengthBits: number): Reader {
  return (_run, slice) => readVarUint(slice, lengthBits);
}

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

/** A number, known to be inside; a bigint costs several times as much, so it is used only where needed. */
function readUint(slice: Slice, bits: number): number | bigint {
  if (bits <= 32) return slice.uint(bits);
  if (bits > 64 || slice.peek(bits - 32) >= SAFE_HIGH) return slice.bigUint(bits);
  return slice.uint(bits - 32) * TWO_32 + slice.uint(32);
}

// Reused for every string; no callback runs while it is in use.
const scratch = Buffer.alloc(128);

export function bitsReader(bits: number): Reader {
  return (_run, slice) => (hasBits(slice, bits) ? `"${readHex(slice, bits)}"` : undefined);
}

export function bitsOfReader(length: (env: Environment) => number): Reader {
  return (_run, slice, env) => {
    const bits = length(env);
    return hasBits(slice, bits) ? `"${readHex(slice, bits)}"` : undefined;
  };
}

/** Bits in hex, known to be inside. A partial last digit is completed by a one and zeros, and marked with `_`. */
function readHex(slice: Slice, bits: number): string {
  slice.copyBits(bits, scratch, 0);
  const isCompleted = (bits & 3) !== 0;
  if (isCompleted) scratch[bits >> 3]! |= 0x80 >> (bits & 7);
  const hex = scratch.toString('hex', 0, (bits + 7) >> 3).toUpperCase();
  const digits = (bits + 3) >> 2;
  return (hex.length === digits ? hex : hex.slice(0, digits)) + (isCompleted ? '_' : '');
}

const NONE = 0;
const EXTERNAL = 1;
const STANDARD = 2;
const LENGTH_BITS = 9;
const MAX_ANYCAST_BITS = 30;

const ADDR_NONE = '{"@type":"addr_none"}';
const NOT_ANYCAST = '{"@type":"nothing_from_maybe"}';

export function addressReader(allowed: 'any' | 'internal' | 'external'): Reader {
  return (_run, slice) => {
    if (!hasBits(slice, 2)) return undefined;
    const kind = slice.uint(2);
    if (allowed !== 'any' && kind >= STANDARD !== (allowed === 'internal')) return undefined;
    if (kind === NONE) return ADDR_NONE;
    return kind === EXTERNAL ? readExternal(slice) : readInternal(slice, kind === STANDARD);
  };
}

function readExternal(slice: Slice): string | undefined {
  if (!hasBits(slice, LENGTH_BITS)) return undefined;
  const bits = slice.uint(LENGTH_BITS);
  if (!hasBits(slice, bits)) return undefined;
  return `{"@type":"addr_external","len":"${bits}","external_address":"${readHex(slice, bits)}"}`;
}

function readInternal(slice: Slice, isStandard: boolean): string | undefined {
  const anycast = readAnycast(slice);
  if (anycast === undefined) return undefined;
  if (isStandard) {
    if (!hasBits(slice, 8 + 256)) return undefined;
    return `{"@type":"addr_std","anycast":${anycast},"workchain_id":"${slice.int(8)}","address":"${readHex(slice, 256)}"}`;
  }
  if (!hasBits(slice, LENGTH_BITS)) return undefined;
  const bits = slice.uint(LENGTH_BITS);
  if (!hasBits(slice, 32 + bits)) return undefined;
  return `{"@type":"addr_var","anycast":${anycast},"addr_len":"${bits}","workchain_id":"${slice.int(32)}","address":"${readHex(slice, bits)}"}`;
}

function readAnycast(slice: Slice): string | undefined {
  if (!hasBits(slice, 1)) return undefined;
  if (slice.uint(1) === 0) return NOT_ANYCAST;
  if (!hasBits(slice, 5)) return undefined;
  const depth = slice.uint(5);
  if (depth < 1 || depth > MAX_ANYCAST_BITS || !hasBits(slice, depth)) return undefined;
  const info = `{"@type":"anycast_info","depth":"${depth}","rewrite_pfx":"${readHex(slice, depth)}"}`;
  return `{"@type":"something_from_maybe","value":${info}}`;
}

const EMPTY = '{"@type":"hashmap_empty"}';
const UNARY_ZERO = '{"@type":"unary_zero"}';
const UNARY_ONE = '{"@type":"unary_succ","x":';
/** The edge, its label and its node. */
const STEPS_PER_EDGE = 3;

export function dictionaryReader(keyBits: number, value: Reader): Reader {
  const readTree = treeReader(keyBits, value);
  return (run, slice, env) => {
    if (!hasBits(slice, 1)) return undefined;
    if (slice.uint(1) === 0) return EMPTY;
    const root = childOf(slice);
    const tree = root && readTree(run, root, env);
    return tree && `{"@type":"hashmap_root","root":${tree}}`;
  };
}

/** Reads a Hashmap. The JSON shows the tree, not its entries. */
export function treeReader(keyBits: number, value: Reader): Reader {
  const readEdge = (run: DecodeRun, slice: Slice, env: Environment, left: number): string | undefined => {
    run.spend(STEPS_PER_EDGE);
    const label = readLabel(run, slice, left);
    if (label === undefined || !run.enter()) return undefined;
    const node =
      label.bits === left ? readLeaf(run, slice, env) : readFork(run, slice, env, left - label.bits - 1);
    run.leave();
    return node && `{"@type":"hashmap_edge","label":${label.json},"node":${node}}`;
  };
  const readLeaf: Reader = (run, slice, env) => {
    const json = value(run, slice, env);
    return json && `{"@type":"hashmap_node_leaf","value":${json}}`;
  };
  const readFork = (run: DecodeRun, slice: Slice, env: Environment, left: number): string | undefined => {
    const zero = childOf(slice);
    const one = zero && childOf(slice);
    const json = one && readEdge(run, zero, env, left);
    const other = json && readEdge(run, one, env, left);
    return other && `{"@type":"hashmap_node_fork","left":${json},"right":${other}}`;
  };
  return (run, slice, env) => readEdge(run, slice, env, keyBits);
}

interface Label {
  readonly bits: number;
  readonly json: string;
}

/** Reads a label of at most `max` bits, in any of its three forms. */
function readLabel(run: DecodeRun, slice: Slice, max: number): Label | undefined {
  if (!hasBits(slice, 1)) return undefined;
  if (slice.uint(1) === 0) return readShortLabel(run, slice, max);
  // The width of a number from 0 to `max`.
  const width = 32 - Math.clz32(max);
  if (!hasBits(slice, 1)) return undefined;
  if (slice.uint(1) === 1) {
    if (!hasBits(slice, 1 + width)) return undefined;
    const bit = slice.uint(1) === 1;
    const bits = slice.uint(width);
    return bits > max ? undefined : { bits, json: `{"@type":"hashmap_label_same","v":${bit},"n":"${bits}"}` };
  }
  if (!hasBits(slice, width)) return undefined;
  const bits = slice.uint(width);
  if (bits > max || !hasBits(slice, bits)) return undefined;
  return { bits, json: `{"@type":"hashmap_label_long","n":"${bits}","s":"${readHex(slice, bits)}"}` };
}

/** Reads hml_short, whose unary length is shown as nested records. */
function readShortLabel(run: DecodeRun, slice: Slice, max: number): Label | undefined {
  let bits = 0;
  for (; hasBits(slice, 1) && slice.peek(1) === 1; bits++) slice.skip(1);
  if (bits > max || !hasBits(slice, 1 + bits)) return undefined;
  slice.skip(1);
  run.spend(Math.ceil((bits * UNARY_ONE.length) / CHARS_PER_STEP));
  const length = UNARY_ONE.repeat(bits) + UNARY_ZERO + '}'.repeat(bits);
  return { bits, json: `{"@type":"hashmap_label_short","len":${length},"s":"${readHex(slice, bits)}"}` };
}

/**
 * Reads text in a chain of cells up to its end. Undefined if it is not UTF-8 or a cell has more than one
 * reference. Unlike `readSnake`, each cell is padded to whole bytes with zeros, as in TON Center's decoder.
 */
export function readSnakeText(run: DecodeRun, slice: Slice): string | undefined {
  const parts: Buffer[] = [];
  for (let part: Slice | undefined = slice; ; ) {
    const { bitsLeft, refsLeft } = part;
    if (refsLeft > 1) return undefined;
    run.spend(1 + Math.ceil(bitsLeft / 8 / CHARS_PER_STEP));
    const bytes = Buffer.alloc((bitsLeft + 7) >> 3);
    part.copyBits(bitsLeft, bytes, 0);
    parts.push(bytes);
    if (refsLeft === 0) break;
    part = childOf(part);
    if (part === undefined) return undefined;
  }
  const text = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return isUtf8(text) ? text.toString('utf8') : undefined;
}

/** A cursor over the next reference, if it is an ordinary cell. */
export function childOf(slice: Slice): Slice | undefined {
  if (slice.refsLeft === 0) return undefined;
  const cell = slice.ref();
  return slice.cells.isExotic(cell) ? undefined : new Slice(slice.cells, cell);
}
