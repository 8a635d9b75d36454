import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { NotDecoded, unreadableCell } from './not-decoded.ts';
import type { Program } from './program/create-program.ts';
import { type Environment, NO_NUMBERS, type Run } from './program/run.ts';

/** Reads a body that lists its actions in a chain of cells, whose length the layout has to be told. */
export type WalletForm = (run: Run, slice: Slice) => string | undefined | NotDecoded;

/** The forms of wallets: those with an opcode by it, and one for all that begin with a signature. */
export interface WalletForms {
  readonly byOpcode: ReadonlyMap<number, WalletForm>;
  readonly signed: WalletForm;
}

const W5_EXTERNAL = 0x7369676e;
const W5_INTERNAL = 0x73696e74;
const W5_EXTENSION = 0x6578746e;
const HIGHLOAD_V3_INTERNAL = 0xae42e5a4;

const OPCODE_BITS = 32;
const QUERY_ID_BITS = 64;
const SIGNATURE_BITS = 512;
/** Wallet, time and seqno. */
const SIGNED_HEAD_BITS = 3 * 32;

/** Tried one after another; of some the number of messages is that of the references. */
const SIGNED_FORMS: readonly [name: string, countsRefs: boolean][] = [
  ['HighloadV3MsgBody', false],
  ['HighloadV2MsgBody', false],
  ['HighloadV1MsgBody', false],
  ['W4MsgBody', true],
  ['W3MsgBody', true],
  ['W1W2MsgBody', true],
];

/** Makes the readers of bodies of wallets. */
export function createWalletForms(program: Program): WalletForms {
  const read = (run: Run, slice: Slice, name: string, numbers: Environment): string | undefined =>
    program.type(name)(run, slice, numbers);

  const w5 =
    (headBits: number): WalletForm =>
    (run, slice) => {
      const counts = countW5Actions(run, slice, headBits);
      return counts instanceof NotDecoded ? counts : read(run, slice, 'W5MsgBody', counts);
    };
  const highload: WalletForm = (run, slice) => {
    const actions = slice.refsLeft === 0 ? 0 : countBelow(run, slice.cells, firstRef(slice));
    return read(run, slice, 'HighloadV3InternalRequest', [actions]);
  };

  /** Anything may follow 32 bits that are nobody's opcode, so nothing may be left over. */
  const signed: WalletForm = (run, slice) => {
    const { bit, refAt, refsLeft } = slice;
    const attempt = (name: string, numbers: Environment): string | undefined => {
      slice.bit = bit;
      slice.refAt = refAt;
      const json = read(run, slice, name, numbers);
      return slice.bitsLeft === 0 && slice.refsLeft === 0 ? json : undefined;
    };
    const actions = countPreprocessed(run, slice);
    if (actions instanceof NotDecoded) return actions;
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

/** How many messages the body of a fifth wallet sends, and how many of its other actions are below the first one. */
function countW5Actions(run: Run, slice: Slice, headBits: number): Environment | NotDecoded {
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

/** How many messages a preprocessed wallet of the second version sends. */
function countPreprocessed(run: Run, slice: Slice): number | NotDecoded {
  if (slice.refsLeft === 0) return 0;
  const { cells } = slice;
  const inner = firstRef(slice);
  if (cells.isExotic(inner)) return unreadableCell(cells, inner);
  return cells.refCount(inner) === 0 ? 0 : countBelow(run, cells, cells.ref(inner, 0));
}

/** How many cells are below one along first references, as far as they can be read. */
function countBelow(run: Run, cells: Cells, top: number): number {
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
