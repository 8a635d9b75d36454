import type { BocSource } from '../boc/cell-list.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { readRootBoc } from '../boc/read-root-boc.ts';
import { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { decodeBase64Digits } from '../hash.ts';
import { compileScheme } from './compile-scheme.ts';
import {
  CHARS_PER_STEP,
  DecodeBudget,
  DecodeBudgetExceeded,
  DecodeFailure,
  DecodeRun,
  OPCODE_BITS,
  unreadableCell,
} from './decode-run.ts';
import type { Scheme } from './notation.ts';
import { NO_NUMBERS } from './value-readers.ts';
import { createWalletBodyReaders } from './wallet-bodies.ts';

export type DecodedBody = { readonly json: string } | { readonly error: string };

/** Decodes message bodies by their opcodes, independent of sender and receiver. */
export type BodyDecoder = Readonly<ReturnType<typeof createBodyDecoder>>;

/** A text comment that starts like this may be a bag of cells, which is decoded as well. */
const NESTED_START = 'te6c';
/** The maximum nesting of bodies; the outermost one is at 0. */
const MAX_NESTING = 10;

const STEPS_PER_BAG = 8;

const EMPTY_CELL = '{"@type":"empty_cell"}';
const NO_LAYOUT_FITS = new DecodeFailure('no parser succeeded');
const TOO_MUCH = new DecodeFailure('too much to decode');

/** Creates a decoder. The scheme is read on first use. */
export function createBodyDecoder(readScheme: () => Scheme) {
  let tables: ReturnType<typeof compileTables> | undefined;
  const loadTables = () => (tables ??= compileTables());

  function compileTables() {
    const scheme = readScheme();
    const compiled = compileScheme(scheme, { rest: readRest, cell: readCell, text: readText });
    return { scheme, compiled, wallets: createWalletBodyReaders(compiled) };
  }

  /** Tries all layouts for the opcode at the start of a slice. */
  function decode(run: DecodeRun, slice: Slice): string | DecodeFailure {
    const { bit, refAt, bitsLeft } = slice;
    if (bitsLeft === 0 && slice.refsLeft === 0) return EMPTY_CELL;
    if (bitsLeft < OPCODE_BITS) return new DecodeFailure(`boc is too small, size ${bitsLeft}`);
    run.spend(1);
    const opcode = slice.peek(OPCODE_BITS);
    const { compiled, wallets } = loadTables();
    const readers = compiled.messages(opcode);
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

  /** Decodes a cell inside a body; undefined if it stays a bag of cells. */
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

  /** A text that is a bag of cells in base64 is decoded as one. */
  function readText(run: DecodeRun, text: string): string {
    const bag = text.startsWith(NESTED_START) ? readBag(readBodyText(text)) : undefined;
    const nested = bag && !(bag instanceof DecodeFailure) && !bag.cells.isExotic(bag.cell);
    return (nested && decodeNested(run, new Slice(bag.cells, bag.cell))) || JSON.stringify(text);
  }

  function decodeCell(cells: Cells, cell: number, budget?: DecodeBudget): DecodedBody {
    if (cells.isExotic(cell)) return unknown(unreadableCell(cells, cell));
    return decodeSlice(new Slice(cells, cell), budget);
  }

  function decodeSlice(slice: Slice, budget = new DecodeBudget()): DecodedBody {
    const steps = budget.forBody;
    const run = new DecodeRun(steps);
    const result = attempt(run, slice);
    budget.take(steps - run.stepsLeft);
    return result instanceof DecodeFailure ? unknown(result) : { json: result };
  }

  function attempt(run: DecodeRun, slice: Slice): string | DecodeFailure {
    try {
      return decode(run, slice);
    } catch (error) {
      if (error instanceof DecodeBudgetExceeded) return TOO_MUCH;
      // Readers check lengths before they read; a missed check must only fail this body.
      if (error instanceof CellError) return new DecodeFailure(`vm error - ${error.message}`);
      throw error;
    }
  }

  function decodeBytes(bytes: Buffer | DecodeFailure, budget?: DecodeBudget): DecodedBody {
    const bag = readBag(bytes);
    return bag instanceof DecodeFailure ? unknown(bag) : decodeCell(bag.cells, bag.cell, budget);
  }

  return {
    /** The name of the first body with an opcode. */
    opcodeName: (opcode: number): string | undefined => loadTables().scheme.messages.get(opcode)?.[0]?.name,
    decodeCell,
    decodeSlice,
    /** Decodes a bag with one root. */
    decodeBoc: (boc: Buffer, budget?: DecodeBudget) => decodeBytes(boc, budget),
    /** The same in base64 or hex. */
    decodeText: (text: string, budget?: DecodeBudget) => decodeBytes(readBodyText(text), budget),
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
  run.spend(STEPS_PER_BAG + Math.ceil(boc.length / CHARS_PER_STEP));
  return `"${boc}"`;
}

function unknown({ reason }: DecodeFailure): DecodedBody {
  return { error: `unknown: ${reason}` };
}

const BAG_START = 'te6';
const HEX = /^[0-9a-fA-F]*$/;

/** The bytes of a body that a client sent in base64 or hex. */
function readBodyText(text: string): Buffer | DecodeFailure {
  return text.startsWith(BAG_START) ? readBase64(text) : readHex(text);
}

function readBase64(text: string): Buffer | DecodeFailure {
  const fault = (reason: string) => new DecodeFailure(`failed to decode base64: ${reason}`);
  if (text.endsWith('===')) return fault('Wrong string padding');
  if (text.length % 4 !== 0) return fault('Wrong padding length');
  const digits = text.slice(0, text.endsWith('==') ? -2 : text.endsWith('=') ? -1 : undefined);
  const bytes = decodeBase64Digits(digits, 'standard');
  if (Buffer.isBuffer(bytes)) return bytes;
  return fault(bytes === 'character' ? 'Wrong character in the string' : 'Wrong padding in the string');
}

function readHex(text: string): Buffer | DecodeFailure {
  const fault = (reason: string) => new DecodeFailure(`failed to decode hex: ${reason}`);
  if (text.length % 2 !== 0) return fault('Wrong hex string length');
  return HEX.test(text) ? Buffer.from(text, 'hex') : fault('Wrong hex string');
}
