import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import type { CompiledScheme } from './compile-scheme.ts';
import { DecodeFailure, type DecodeRun, OPCODE_BITS, unreadableCell } from './decode-run.ts';
import { type Environment, NO_NUMBERS } from './value-readers.ts';

/** Reads a body with a chain of actions, whose length is counted first: the layout takes it as a parameter. */
type WalletBodyReader = (run: DecodeRun, slice: Slice) => string | undefined | DecodeFailure;

const W5_EXTERNAL = 0x7369676e;
const W5_INTERNAL = 0x73696e74;
const W5_EXTENSION = 0x6578746e;
const HIGHLOAD_V3_INTERNAL = 0xae42e5a4;

const QUERY_ID_BITS = 64;
const SIGNATURE_BITS = 512;
/** Wallet id, expiration time and seqno. */
const SIGNED_HEAD_BITS = 3 * 32;

/** Tried in this order; some take the number of references as the number of messages. */
const SIGNED_FORMS: readonly [name: string, countsRefs: boolean][] = [
  ['HighloadV3MsgBody', false],
  ['HighloadV2MsgBody', false],
  ['HighloadV1MsgBody', false],
  ['W4MsgBody', true],
  ['W3MsgBody', true],
  ['W1W2MsgBody', true],
];

/** Readers of wallet bodies: by opcode, and one for all that start with a signature instead. */
export function createWalletBodyReaders(compiled: CompiledScheme) {
  const read = (run: DecodeRun, slice: Slice, name: string, numbers: Environment): string | undefined =>
    compiled.type(name)(run, slice, numbers);

  const w5 =
    (headBits: number): WalletBodyReader =>
    (run, slice) => {
      const counts = countW5Actions(run, slice, headBits);
      return counts instanceof DecodeFailure ? counts : read(run, slice, 'W5MsgBody', counts);
    };
  const highload: WalletBodyReader = (run, slice) => {
    const actions = slice.refsLeft === 0 ? 0 : countBelow(run, slice.cells, firstRef(slice));
    return read(run, slice, 'HighloadV3InternalRequest', [actions]);
  };

  /** Any body without a known opcode gets here, so a layout counts only if it reads everything. */
  const signed: WalletBodyReader = (run, slice) => {
    const { bit, refAt, refsLeft } = slice;
    const attempt = (name: string, numbers: Environment): string | undefined => {
      slice.bit = bit;
      slice.refAt = refAt;
      const json = read(run, slice, name, numbers);
      return slice.bitsLeft === 0 && slice.refsLeft === 0 ? json : undefined;
    };
    const actions = countPreprocessed(run, slice);
    if (actions instanceof DecodeFailure) return actions;
    if (slice.bitsLeft < SIGNATURE_BITS) return undefined;
    if (actions > 0) {
      const json = attempt('PreprocessedWalletV2MsgBody', [actions]);
      if (json !== undefined) return json;
    }
    for (const [name, countsRefs] of SIGNED_FORMS) {
      const json = attempt(name, countsRefs ? [refsLeft] : NO_NUMBERS);
      if (json !== undefined) return json;
    }
    return undefined;
  };

  return {
    byOpcode: new Map([
      [W5_EXTERNAL, w5(SIGNED_HEAD_BITS)],
      [W5_INTERNAL, w5(SIGNED_HEAD_BITS)],
      [W5_EXTENSION, w5(QUERY_ID_BITS)],
      [HIGHLOAD_V3_INTERNAL, highload],
    ]),
    signed,
  };
}

/** How many messages a v5 wallet body sends, and how many extended actions it has. */
function countW5Actions(run: DecodeRun, slice: Slice, headBits: number): Environment | DecodeFailure {
  const { cells, cell } = slice;
  const look = slice.clone();
  if (look.bitsLeft < OPCODE_BITS + headBits + 2) return [0, 0];
  look.skip(OPCODE_BITS + headBits);
  const [hasMessages, hasOthers] = [look.boolean(), look.boolean()];
  const messages = hasMessages && look.refsLeft > 0 ? countBelow(run, cells, look.ref()) : 0;
  let others = 0;
  if (hasOthers && look.refsLeft > 0) {
    let next = cells.ref(cell, look.refAt);
    for (; ; next = cells.ref(next, 0)) {
      run.spend(1);
      if (cells.isExotic(next)) return unreadableCell(cells, next);
      others++;
      if (cells.refCount(next) === 0) break;
    }
  }
  return [messages, others];
}

/** How many messages a preprocessed wallet v2 sends. */
function countPreprocessed(run: DecodeRun, slice: Slice): number | DecodeFailure {
  if (slice.refsLeft === 0) return 0;
  const { cells } = slice;
  const inner = firstRef(slice);
  if (cells.isExotic(inner)) return unreadableCell(cells, inner);
  return cells.refCount(inner) === 0 ? 0 : countBelow(run, cells, cells.ref(inner, 0));
}

/** The length of the chain of first references below a cell, up to an exotic cell. */
function countBelow(run: DecodeRun, cells: Cells, top: number): number {
  let count = 0;
  for (let cell = top; !cells.isExotic(cell) && cells.refCount(cell) > 0; cell = cells.ref(cell, 0)) {
    run.spend(1);
    count++;
  }
  return count;
}

function firstRef({ cells, cell, refAt }: Slice): number {
  return cells.ref(cell, refAt);
}
