import type { BocSource } from '../boc/cell-list.ts';
import { CellError, type Cells, LIBRARY_REFERENCE, PRUNED_BRANCH } from '../boc/cells.ts';
import { readRootBoc } from '../boc/read-root-boc.ts';
import { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { parseScheme, type Scheme } from './notation.ts';
import { createProgram, type Program } from './program.ts';
import { ALL_PROTOCOLS } from './protocols/all-protocols.ts';
import {
  BudgetExceeded,
  CHARACTERS_PER_STEP,
  DecodeRun,
  type Environment,
  NO_NUMBERS,
} from './value-readers.ts';

/** What could not be decoded, with the reason in the words that clients know. */
class DecodeFailure {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The reason why a cell cannot be opened that is not an ordinary one: what a machine without libraries says. */
function unreadableCell(cells: Cells, cell: number): DecodeFailure {
  const kind = cells.kind(cell);
  if (kind === LIBRARY_REFERENCE)
    return new DecodeFailure('vm error - failed to load library cell (no vm_state_interface available)');
  if (kind === PRUNED_BRANCH) return new DecodeFailure('vm error - trying to load prunned cell');
  return new DecodeFailure('vm error - unexpected special cell');
}

/** A body as JSON, or why there is none. */
export type DecodedBody = { readonly json: string } | { readonly error: string };

/** Tells what bodies of messages mean. Equal bodies have equal meanings, whoever sent them. */
export interface BodyDecoder {
  /** The name of what begins with these 32 bits, if anything known does. */
  readonly opcodeName: (opcode: number) => string | undefined;
  /** Decodes a cell. */
  readonly decodeCell: (cells: Cells, cell: number, budget?: DecodeBudget) => DecodedBody;
  /** Decodes a bag of one cell. */
  readonly decodeBoc: (boc: Buffer, budget?: DecodeBudget) => DecodedBody;
  /** Decodes a bag of one cell in base64 or hex. */
  readonly decodeText: (text: string, budget?: DecodeBudget) => DecodedBody;
}

interface Tables {
  readonly scheme: Scheme;
  readonly program: Program;
  readonly wallets: WalletBodyReaders;
}

const OPCODE_BITS = 32;
/** Bags of cells in text that may be decoded in their turn. */
const NESTED_START = 'te6c';
/** Cells are decoded within cells to this depth, the first one being 0. */
const MAX_NESTING = 10;

/** What it takes to write the smallest bag. */
const STEPS_PER_BAG = 8;

const EMPTY_CELL = '{"@type":"empty_cell"}';
const NO_LAYOUT_FITS = new DecodeFailure('no parser succeeded');
const TOO_MUCH = new DecodeFailure('too much to decode');

/** Makes a decoder, of all that is known unless told otherwise. It is read when it is first needed, and then kept. */
export function createBodyDecoder(readScheme = () => parseScheme(ALL_PROTOCOLS)): BodyDecoder {
  let tables: Tables | undefined;

  function known(): Tables {
    if (tables === undefined) {
      const scheme = readScheme();
      const program = createProgram(scheme, { rest: readRest, cell: readCell, text: readText });
      tables = { scheme, program, wallets: createWalletBodyReaders(program) };
    }
    return tables;
  }

  /** Tries everything that the first bits of a slice may mean. */
  function decode(run: DecodeRun, slice: Slice): string | DecodeFailure {
    const { bit, refAt, bitsLeft } = slice;
    if (bitsLeft === 0 && slice.refsLeft === 0) return EMPTY_CELL;
    if (bitsLeft < OPCODE_BITS) return new DecodeFailure(`boc is too small, size ${bitsLeft}`);
    run.spend(1);
    const opcode = slice.peek(OPCODE_BITS);
    const { program, wallets } = known();
    const readers = program.messages(opcode);
    const form = readers.length === 0 ? wallets.signed : wallets.byOpcode.get(opcode);
    const special = form?.(run, slice);
    if (special !== undefined) return special;
    for (const read of readers) {
      slice.bit = bit + OPCODE_BITS;
      slice.refAt = refAt;
      const json = read(run, slice, NO_NUMBERS);
      if (json !== undefined) return json;
    }
    return NO_LAYOUT_FITS;
  }

  /** Decodes a cell within a body; undefined if it stays a bag of cells. */
  function decodeNested(run: DecodeRun, slice: Slice): string | undefined {
    if (run.nesting > MAX_NESTING) return undefined;
    run.nesting++;
    const json = decode(run, slice);
    run.nesting--;
    return json instanceof DecodeFailure ? undefined : json;
  }

  function readRest(run: DecodeRun, slice: Slice): string {
    const { bit, refAt } = slice;
    const json = decodeNested(run, slice);
    slice.bit = bit;
    slice.refAt = refAt;
    const shown = json ?? writeBag(run, slice);
    slice.bit = slice.bitEnd;
    slice.refAt = slice.refEnd;
    return shown;
  }

  function readCell(run: DecodeRun, { cells }: Slice, cell: number): string {
    const json = cells.isExotic(cell) ? undefined : decodeNested(run, new Slice(cells, cell));
    return json ?? writeBag(run, { cells, roots: [cell] });
  }

  /** Text that is a bag of cells itself counts as one. */
  function readText(run: DecodeRun, text: string): string {
    const bag = text.startsWith(NESTED_START) ? readBag(readBodyText(text)) : undefined;
    const nested = bag && !(bag instanceof DecodeFailure) && !bag.cells.isExotic(bag.cell);
    return (nested && decodeNested(run, new Slice(bag.cells, bag.cell))) || JSON.stringify(text);
  }

  function decodeCell(cells: Cells, cell: number, budget = new DecodeBudget()): DecodedBody {
    const steps = budget.forBody;
    const run = new DecodeRun(steps);
    const result = cells.isExotic(cell) ? unreadableCell(cells, cell) : attempt(run, new Slice(cells, cell));
    budget.take(steps - run.stepsLeft);
    return result instanceof DecodeFailure ? unknown(result) : { json: result };
  }

  function attempt(run: DecodeRun, slice: Slice): string | DecodeFailure {
    try {
      return decode(run, slice);
    } catch (error) {
      if (error instanceof BudgetExceeded) return TOO_MUCH;
      // Readers look before they read; should one not have done so, the body is still only not decoded.
      if (error instanceof CellError) return new DecodeFailure(`vm error - ${error.message}`);
      throw error;
    }
  }

  function decodeBytes(bytes: Buffer | DecodeFailure, budget?: DecodeBudget): DecodedBody {
    const bag = readBag(bytes);
    return bag instanceof DecodeFailure ? unknown(bag) : decodeCell(bag.cells, bag.cell, budget);
  }

  return {
    opcodeName: (opcode) => known().scheme.messages.get(opcode)?.[0]?.name,
    decodeCell,
    decodeBoc: decodeBytes,
    decodeText: (text, budget) => decodeBytes(readBodyText(text), budget),
  };
}

function readBag(bytes: Buffer | DecodeFailure): { cells: Cells; cell: number } | DecodeFailure {
  if (bytes instanceof DecodeFailure) return bytes;
  try {
    const cells = readRootBoc(bytes);
    return { cells, cell: cells.root };
  } catch (error) {
    if (error instanceof CellError) return new DecodeFailure(`failed to deserialize boc: ${error.message}`);
    throw error;
  }
}

function writeBag(run: DecodeRun, source: BocSource): string {
  const boc = writeBoc(source, { order: 'tonlib', crc: false }).toString('base64');
  run.spend(STEPS_PER_BAG + Math.ceil(boc.length / CHARACTERS_PER_STEP));
  return `"${boc}"`;
}

function unknown({ reason }: DecodeFailure): DecodedBody {
  return { error: `unknown: ${reason}` };
}

/** Reads a body that lists its actions in a chain of cells, whose length the layout has to be told. */
type WalletBodyReader = (run: DecodeRun, slice: Slice) => string | undefined | DecodeFailure;

/** The forms of wallets: those with an opcode by it, and one for all that begin with a signature. */
interface WalletBodyReaders {
  readonly byOpcode: ReadonlyMap<number, WalletBodyReader>;
  readonly signed: WalletBodyReader;
}

const W5_EXTERNAL = 0x7369676e;
const W5_INTERNAL = 0x73696e74;
const W5_EXTENSION = 0x6578746e;
const HIGHLOAD_V3_INTERNAL = 0xae42e5a4;

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
function createWalletBodyReaders(program: Program): WalletBodyReaders {
  const read = (run: DecodeRun, slice: Slice, name: string, numbers: Environment): string | undefined =>
    program.type(name)(run, slice, numbers);

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

  /** Anything may follow 32 bits that are nobody's opcode, so nothing may be left over. */
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

/** How many messages the body of a fifth wallet sends, and how many of its other actions are below the first one. */
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

/** How many messages a preprocessed wallet of the second version sends. */
function countPreprocessed(run: DecodeRun, slice: Slice): number | DecodeFailure {
  if (slice.refsLeft === 0) return 0;
  const { cells } = slice;
  const inner = firstRef(slice);
  if (cells.isExotic(inner)) return unreadableCell(cells, inner);
  return cells.refCount(inner) === 0 ? 0 : countBelow(run, cells, cells.ref(inner, 0));
}

/** How many cells are below one along first references, as far as they can be read. */
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

/** How the base64 of a bag of cells begins. */
const BAG_START = 'te6';
const BASE64 = /^[A-Za-z0-9+/]*$/;
const HEX = /^[0-9a-fA-F]*$/;
/** Last digits of base64 whose unused bits are zero, by how many digits there are beyond whole groups. */
const LAST_DIGITS: Readonly<Record<number, RegExp>> = { 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ };

/** The bytes of a body as clients write it, in base64 or in hex. */
function readBodyText(text: string): Buffer | DecodeFailure {
  return text.startsWith(BAG_START) ? readBase64(text) : readHex(text);
}

function readBase64(text: string): Buffer | DecodeFailure {
  const fault = (reason: string) => new DecodeFailure(`failed to decode base64: ${reason}`);
  if (text.endsWith('===')) return fault('Wrong string padding');
  if (text.length % 4 !== 0) return fault('Wrong padding length');
  const digits = text.slice(0, text.endsWith('==') ? -2 : text.endsWith('=') ? -1 : undefined);
  if (!BASE64.test(digits)) return fault('Wrong character in the string');
  const last = LAST_DIGITS[digits.length % 4];
  if (last !== undefined && !last.test(digits.slice(-1))) return fault('Wrong padding in the string');
  return Buffer.from(digits, 'base64');
}

function readHex(text: string): Buffer | DecodeFailure {
  const fault = (reason: string) => new DecodeFailure(`failed to decode hex: ${reason}`);
  if (text.length % 2 !== 0) return fault('Wrong hex string length');
  return HEX.test(text) ? Buffer.from(text, 'hex') : fault('Wrong hex string');
}

// A step takes less than half a microsecond and writes about 50 characters. The largest bodies that a chain lets through,
// of 8192 cells, need some ten thousand steps; a trap of a few cells that lead to each other would need billions.
const MAX_STEPS_PER_BODY = 100_000;
const MAX_STEPS_PER_RESPONSE = 1_000_000;

/** How much may be done for the bodies of one answer together. */
export class DecodeBudget {
  #stepsLeft = MAX_STEPS_PER_RESPONSE;

  /** What the next body may cost. */
  get forBody(): number {
    return Math.min(this.#stepsLeft, MAX_STEPS_PER_BODY);
  }

  /** Takes what a body has cost. */
  take(steps: number): void {
    this.#stepsLeft = Math.max(0, this.#stepsLeft - steps);
  }
}
