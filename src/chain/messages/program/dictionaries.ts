import type { Slice } from '../../boc/slice.ts';
import { readHex } from './bit-strings.ts';
import { childOf } from './child-of.ts';
import { hasBits } from './numbers.ts';
import { CHARACTERS_A_STEP, type Environment, type Reader, type Run } from './run.ts';

const EMPTY = '{"@type":"hashmap_empty"}';
const UNARY_ZERO = '{"@type":"unary_zero"}';
const UNARY_ONE = '{"@type":"unary_succ","x":';
/** An edge, its label and its node. */
const STEPS_AN_EDGE = 3;

/** A dictionary that may be empty, with its root in a reference. */
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

/** The root of a dictionary that is not empty. What is shown is the tree as it is, not its entries. */
export function treeReader(keyBits: number, value: Reader): Reader {
  const readEdge = (run: Run, slice: Slice, env: Environment, left: number): string | undefined => {
    run.spend(STEPS_AN_EDGE);
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
  const readFork = (run: Run, slice: Slice, env: Environment, left: number): string | undefined => {
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

/** A label of at most `max` bits, in one of its three forms. */
function readLabel(run: Run, slice: Slice, max: number): Label | undefined {
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

/** Its length stands in ones before a zero, each of which is a record. */
function readShortLabel(run: Run, slice: Slice, max: number): Label | undefined {
  let bits = 0;
  for (; hasBits(slice, 1) && slice.peek(1) === 1; bits++) slice.skip(1);
  if (bits > max || !hasBits(slice, 1 + bits)) return undefined;
  slice.skip(1);
  run.spend(Math.ceil((bits * UNARY_ONE.length) / CHARACTERS_A_STEP));
  const length = UNARY_ONE.repeat(bits) + UNARY_ZERO + '}'.repeat(bits);
  return { bits, json: `{"@type":"hashmap_label_short","len":${length},"s":"${readHex(slice, bits)}"}` };
}
